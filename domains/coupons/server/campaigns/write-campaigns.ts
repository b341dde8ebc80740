import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addCampaign, updateCampaign, withdrawCampaign } from "../../contract/index.ts";
import { checkCarrier } from "../carriers/touch-carrier.ts";
import { checkTerms, type Owner, writeTerms } from "./check-terms.ts";
import { mustSeeMerchants, writeCovers } from "./cover-merchants.ts";
import { type CampaignHead, heldHead, isMaker } from "./find-campaign.ts";

type Facts = Omit<ParsedOf<typeof addCampaign>, "requestId">;
const columnsOf = ({ name, perPerson, perPersonDay, beginsAt, endsAt, listed, carrier, provider }: Facts) => ({
  // Nobody's money is held: the merchant takes less, and claims from the provider what the provider pays of it (marketing.md 1).
  funding: "NO_CASH",
  funder: (provider?.percent ?? 0) > 0 ? 1 : 2,
  provider_percent: provider?.percent ?? 0,
  name,
  per_person: perPerson,
  per_person_day: perPersonDay,
  begins_at: beginsAt,
  ends_at: endsAt,
  listed,
  carrier,
});
/** @throws 400 where a campaign could never be received */
function checkTimes({ now_ms }: Ctx, { beginsAt, endsAt, total, perDay, terms: { validity } }: Facts): void {
  if (Date.parse(endsAt) <= now_ms) throw invalid("endsAt", "领取结束时间须晚于现在");
  if (Date.parse(endsAt) <= Date.parse(beginsAt)) throw invalid("endsAt", "领取结束时间须晚于开始时间");
  if (validity.mode === 2 && validity.to < shanghaiDay(beginsAt)) throw invalid("terms.validity.to", "使用期不能在开始领取之前结束");
  if (perDay !== null && perDay > total) throw invalid("perDay", "每天发放不能超过发放总量");
}
const noteOf = (
  ctx: Ctx,
  { id, service_provider_id, merchant_id }: Pick<CampaignHead, "id" | "service_provider_id" | "merchant_id">,
  after: object,
) =>
  ctx.note({
    targetKind: "coupon_campaign",
    targetId: id,
    provider: service_provider_id,
    ...(merchant_id !== null && { merchant: merchant_id }),
    after,
  });
/** Whose it is says whether it covers merchants, all of them in sight. @throws 400, 404 */
async function checkOwner(ctx: Ctx, { merchant_id }: Owner, { provider }: Facts): Promise<readonly string[]> {
  if (merchant_id === null && provider === null) throw invalid("provider.merchantIds", "请选择适用商户");
  if (merchant_id !== null && provider !== null) throw invalid("provider.percent", "商户的券由商户自己承担");
  await mustSeeMerchants(ctx, provider?.merchantIds ?? []);
  return provider?.merchantIds ?? [];
}

/** 新建优惠券. */
export const addCampaignRoute = implement(addCampaign, async (ctx, { requestId: _request, ...facts }) => {
  const { provider, merchant = null } = ctx.scope;
  if (!provider) throw notFound("商户");
  checkTimes(ctx, facts);
  const owner = { service_provider_id: provider, merchant_id: merchant };
  const covers = await checkOwner(ctx, owner, facts);
  const names = await checkTerms(ctx, owner, facts.terms, covers);
  await checkCarrier(ctx, owner, facts);
  const { id: made_by, name: made_by_name } = askerOf(ctx);
  const [id, no] = [ctx.services.ids.uuid(ctx.now_ms), ctx.services.ids.digits(10)];
  await ctx.tx
    .insertInto("coupon_campaigns")
    .values({
      ...owner,
      ...columnsOf(facts),
      id,
      no,
      kind: facts.terms.kind,
      state: "UNAUDIT",
      made_by,
      made_by_name,
      created_at: ctx.now,
    })
    .execute();
  await writeTerms(ctx.tx, owner, { campaign_id: id, version: 1, terms: facts.terms, names, by_name: made_by_name, at: ctx.now });
  await ctx.tx
    .insertInto("coupon_stock")
    .values({ ...owner, campaign_id: id, total: facts.total, per_day: facts.perDay })
    .execute();
  if (facts.provider) await writeCovers(ctx, { service_provider_id: provider, id }, facts.provider);
  noteOf(ctx, { id, ...owner }, facts);
  return { id, no };
});

/** Only who made it changes and withdraws it, so that whoever approves it had no hand in it. */
function mustBeMaker(ctx: Ctx, campaign: CampaignHead): void {
  if (!isMaker(ctx, campaign)) throw new Refusal(403, "second-person", "只有提交人可以修改或撤回");
}
const decided = () => conflict("此优惠券已被处理，请刷新后查看");

/** 修改优惠券, while it waits. */
export const updateCampaignRoute = implement(updateCampaign, async (ctx, { id, version, ...facts }) => {
  const campaign = await heldHead(ctx, id);
  mustBeMaker(ctx, campaign);
  if (campaign.state !== "UNAUDIT") throw decided();
  if (campaign.version !== version) throw conflict("优惠券已被修改，请重新打开后再改");
  if (campaign.kind !== facts.terms.kind) throw invalid("terms.kind", "券类型不能修改，请新建一张");
  checkTimes(ctx, facts);
  const covers = await checkOwner(ctx, campaign, facts);
  const names = await checkTerms(ctx, campaign, facts.terms, covers);
  await checkCarrier(ctx, campaign, facts);
  const at = { campaign_id: id, version: version + 1, terms: facts.terms, names, by_name: askerOf(ctx).name, at: ctx.now };
  await writeTerms(ctx.tx, campaign, at);
  const changed = await ctx.tx
    .updateTable("coupon_campaigns")
    .set({ ...columnsOf(facts), version: version + 1 })
    .where("service_provider_id", "=", campaign.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  const stocked = await sql`update coupon_stock set total = ${facts.total}, per_day = ${facts.perDay}::bigint
    where service_provider_id = ${campaign.service_provider_id} and campaign_id = ${id} and issued + held = 0`.execute(ctx.tx);
  mustChange({ numUpdatedRows: stocked.numAffectedRows ?? 0n }, decided);
  if (facts.provider) {
    const { service_provider_id } = campaign;
    await sql`delete from coupon_covers v where v.service_provider_id = ${service_provider_id} and v.campaign_id = ${id}`.execute(ctx.tx);
    await writeCovers(ctx, campaign, facts.provider);
  }
  noteOf(ctx, campaign, facts);
  return { ok: true as const };
});

/** 撤回优惠券. */
export const withdrawCampaignRoute = implement(withdrawCampaign, async (ctx, { id }) => {
  const campaign = await heldHead(ctx, id);
  mustBeMaker(ctx, campaign);
  const withdrawn = await ctx.tx
    .updateTable("coupon_campaigns")
    .set({ state: "STOPED", stopped_at: ctx.now, decided_by: askerOf(ctx).id, decided_by_name: askerOf(ctx).name, decided_at: ctx.now })
    .where("service_provider_id", "=", campaign.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .executeTakeFirst();
  mustChange(withdrawn, decided);
  noteOf(ctx, campaign, { state: "STOPED" });
  return { ok: true as const };
});
