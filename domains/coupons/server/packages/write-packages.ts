import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addPackage, decidePackage, steerPackage, withdrawPackage } from "../../contract/index.ts";
import { isMaker, mustBeAnother, mustMayDecide } from "../campaigns/find-campaign.ts";
import { eachOf, heldPackage, holdPackage, itemsOf, type PackageHead, type PackageRef } from "./find-package.ts";

const noteOf = (
  ctx: Ctx,
  { id, service_provider_id, merchant_id }: Pick<PackageHead, "id" | "service_provider_id" | "merchant_id">,
  after: object,
) => ctx.note({ targetKind: "package", targetId: id, provider: service_provider_id, merchant: merchant_id, after });
const decided = () => conflict("此券包已被处理，请刷新后查看");

/** 新建券包: of the merchant's own coupons that give out now, and for no longer than they do. */
export const addPackageRoute = implement(addPackage, async (ctx, { requestId: _request, items, ...facts }) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw notFound("商户");
  const { name, note, priceCents, total, perPerson, perPersonDay, perDay, beginsAt, endsAt } = facts;
  if (Date.parse(endsAt) <= ctx.now_ms) throw invalid("endsAt", "领取结束时间须晚于现在");
  if (Date.parse(endsAt) <= Date.parse(beginsAt)) throw invalid("endsAt", "领取结束时间须晚于开始时间");
  if (perDay !== null && perDay > total) throw invalid("perDay", "每天发放不能超过发放总量");
  const { rows } = await sql<{
    id: string;
    name: string;
    state: string;
    ends_at: string;
  }>`select c.id, c.name, c.state, c.ends_at from coupon_campaigns c
    where c.service_provider_id = ${provider} and c.merchant_id = ${merchant} and c.id = any(${items.map(({ campaignId }) => campaignId)}::uuid[])`.execute(
    ctx.tx,
  );
  for (const [at, { campaignId }] of items.entries()) {
    const campaign = rows.find(({ id }) => id === campaignId);
    if (!campaign) throw notFound("优惠券");
    if (campaign.state !== "RUNNING") throw invalid(`items.${at}.campaignId`, `「${campaign.name}」不在发放中`);
    if (Date.parse(campaign.ends_at) < Date.parse(endsAt)) throw invalid("endsAt", `「${campaign.name}」先结束发放，券包不能比它晚`);
  }
  const owner = { service_provider_id: provider, merchant_id: merchant };
  const { id: made_by, name: made_by_name } = askerOf(ctx);
  const [id, no] = [ctx.services.ids.uuid(ctx.now_ms), ctx.services.ids.digits(10)];
  await ctx.tx
    .insertInto("packages")
    .values({
      ...owner,
      id,
      no,
      name,
      note,
      price_cents: priceCents,
      state: "UNAUDIT",
      begins_at: beginsAt,
      ends_at: endsAt,
      per_person: perPerson,
      per_person_day: perPersonDay,
      per_day: perDay,
      total,
      made_by,
      made_by_name,
      created_at: ctx.now,
    })
    .execute();
  await ctx.tx
    .insertInto("package_items")
    .values(items.map(({ campaignId, count }, at) => ({ ...owner, package_id: id, campaign_id: campaignId, place: at + 1, count })))
    .execute();
  noteOf(ctx, { id, ...owner }, { ...facts, items });
  return { id, no };
});

/** Moves a package that is held. @throws 409 where it is elsewhere by now */
async function move(
  ctx: Ctx,
  pack: PackageHead,
  from: readonly string[],
  set: Readonly<Record<string, unknown>> & { readonly state: string },
) {
  const changed = await ctx.tx
    .updateTable("packages")
    .set({ ...set, ...(set.state === "STOPED" && { stopped_at: ctx.now }) })
    .where("service_provider_id", "=", pack.service_provider_id)
    .where("id", "=", pack.id)
    .where("state", "in", [...from])
    .executeTakeFirst();
  mustChange(changed, decided);
  noteOf(ctx, pack, { state: set.state });
  return { ok: true as const };
}
const byOf = (ctx: Ctx) => ({ decided_by: askerOf(ctx).id, decided_by_name: askerOf(ctx).name, decided_at: ctx.now });
const todayOf = ({ now_ms }: Ctx): string => shanghaiDay(now_ms);

/** 审核券包, as of a campaign: its liability is the most that all of it may cost, whatever its price. */
export const decidePackageRoute = implement(decidePackage, async (ctx, { id, approve, refundPassword }) => {
  const pack = await heldPackage(ctx, id, todayOf(ctx));
  if (pack.state !== "UNAUDIT") throw decided();
  if (!approve) {
    mustBeAnother(ctx, pack);
    return move(ctx, pack, ["UNAUDIT"], { state: "STOPED", ...byOf(ctx) });
  }
  const each = eachOf(await itemsOf(ctx.tx, pack.service_provider_id, [id]));
  const alone = await mustMayDecide(ctx, pack, { liability_cents: each * pack.total, refundPassword });
  if (Date.parse(pack.ends_at) <= ctx.now_ms) throw conflict("领取时间已过，请撤回后重新提交");
  return move(ctx, pack, ["UNAUDIT"], { state: "RUNNING", alone, ...byOf(ctx) });
});
/** 撤回券包. */
export const withdrawPackageRoute = implement(withdrawPackage, async (ctx, { id }) => {
  const pack = await heldPackage(ctx, id, todayOf(ctx));
  if (!isMaker(ctx, pack)) throw new Refusal(403, "second-person", "只有提交人可以撤回");
  return move(ctx, pack, ["UNAUDIT"], { state: "STOPED", ...byOf(ctx) });
});
const STEER = {
  pause: { from: ["RUNNING"], to: "PAUSED" },
  resume: { from: ["PAUSED"], to: "RUNNING" },
  stop: { from: ["RUNNING", "PAUSED"], to: "STOPED" },
} as const;
/** 暂停, 恢复, 停止: what was received stays good, and what is being paid is given. */
export const steerPackageRoute = implement(steerPackage, async (ctx, { id, act }) => {
  const pack = await heldPackage(ctx, id, todayOf(ctx));
  const { from, to } = STEER[act];
  if (act === "resume" && Date.parse(pack.ends_at) <= ctx.now_ms) throw conflict("领取时间已过，不能恢复");
  return move(ctx, pack, from, { state: to });
});

/** Each minute: a package past its end gives out nothing more. */
export const endPackages = lookAfter<PackageRef>({
  name: "end-packages",
  due: async (tx, now) =>
    (
      await sql<PackageRef>`select p.service_provider_id, p.id from packages p where p.state in ('RUNNING', 'PAUSED') and p.ends_at <= ${now}
        order by p.ends_at limit 500`.execute(tx)
    ).rows,
  one: (services, ref) =>
    withScope(services.pool, platformScope("a package that ends"), async (tx) => {
      const now_ms = services.clock.now_ms();
      await holdPackage(tx, ref, shanghaiDay(now_ms));
      const now = new Date(now_ms).toISOString();
      await sql`update packages set state = 'STOPED', stopped_at = ${now} where service_provider_id = ${ref.service_provider_id} and id = ${ref.id}
        and state in ('RUNNING', 'PAUSED') and ends_at <= ${now}`.execute(tx);
    }),
});
