import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { answerCampaign, coverMerchants } from "../../contract/index.ts";
import { mustHaveStores } from "./check-terms.ts";
import { heldHead, holdStock, mustBeAnother, offeredCampaigns } from "./find-campaign.ts";

/** @throws 404 where one of them is out of sight */
export async function mustSeeMerchants({ tx, scope }: Pick<Ctx, "tx" | "scope">, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const wanted = [...new Set(ids)];
  const { rows } = await sql`select 1 from merchants m where m.id = any(${wanted}::uuid[]) and ${inScope(scope, "m")}`.execute(tx);
  if (rows.length !== wanted.length) throw notFound("商户");
}
/**
 * Adds merchants to those that a provider's campaign covers. Who would bear a part of what comes off is asked first, who bears nothing takes
 * part at once: so none pays for what it has not agreed to.
 * @returns how many were not there yet
 */
export async function writeCovers(
  { tx, now }: Pick<Ctx, "tx" | "now">,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  { percent, merchantIds }: { readonly percent: number; readonly merchantIds: readonly string[] },
): Promise<number> {
  const added = await sql`insert into coupon_covers (service_provider_id, campaign_id, merchant_id, state, at)
    select ${service_provider_id}, ${id}, m, ${percent === 100 ? "ACCEPTED" : "ASKED"}, ${now} from unnest(${[...new Set(merchantIds)].toSorted()}::uuid[]) m
    on conflict (service_provider_id, campaign_id, merchant_id) do nothing`.execute(tx);
  return Number(added.numAffectedRows ?? 0n);
}

/** 增加适用商户: a campaign that still gives out. The stock stays what it is, and so does what it may cost. */
export const coverMerchantsRoute = implement(coverMerchants, async (ctx, { id, merchantIds }) => {
  const campaign = await heldHead(ctx, id);
  if (campaign.merchant_id !== null) throw notFound("优惠券");
  // What waits is changed by who made it, so that what is approved is what was read; afterwards somebody else says for whom the liability may be.
  if (campaign.state === "UNAUDIT") throw conflict("还在等审核，请由提交人修改");
  mustBeAnother(ctx, campaign);
  if (campaign.state === "STOPED") throw conflict("已停止的优惠券不能增加商户");
  await mustSeeMerchants(ctx, merchantIds);
  await mustHaveStores(ctx.tx, campaign.service_provider_id, campaign.terms.storeIds, merchantIds, "merchantIds");
  const added = await writeCovers(ctx, campaign, { percent: campaign.provider_percent, merchantIds });
  ctx.note({
    targetKind: "coupon_campaign",
    targetId: id,
    provider: campaign.service_provider_id,
    after: { merchantIds: merchantIds.join(","), added },
  });
  return { added };
});

/** 参加或不参加. Whoever receives of it at that moment comes before or after. */
export const answerCampaignRoute = implement(answerCampaign, async (ctx, { id, accept }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw notFound("优惠券");
  // The stock is the provider's: its row is out of a merchant's reach.
  await asPlatform(ctx.tx, () => holdStock(ctx.tx, { service_provider_id: provider, id }));
  const { rows } = await sql<{ state: string; name: string }>`select c.state, c.name from coupon_campaigns c
    join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id
    where c.id = ${id} and c.service_provider_id = ${provider} and ${offeredCampaigns(ctx.scope)}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("优惠券");
  if (accept && rows[0].state === "STOPED") throw conflict("这张券已停止发放，不能再参加");
  const state = accept ? "ACCEPTED" : "LEFT";
  const changed = await ctx.tx
    .updateTable("coupon_covers")
    .set({ state, by_name: askerOf(ctx).name, at: ctx.now })
    .where("service_provider_id", "=", provider)
    .where("campaign_id", "=", id)
    .where("merchant_id", "=", merchant)
    .where("state", "<>", state)
    .executeTakeFirst();
  mustChange(changed, () => conflict(accept ? "已经参加了" : "已经退出了"));
  ctx.note({ targetKind: "coupon_campaign", targetId: id, provider, merchant, after: { state, name: rows[0].name } });
  return { ok: true as const };
});
