import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { couponWords, givableOf } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getRights, getVipRules, type RightKind, rightKind, setRights, setVipLevels } from "../../contract/index.ts";
import { followMembersJob } from "./follow-level.ts";
import { ladderOf, type Merchant, rightsOf } from "./read-rules.ts";

/** The merchant that rules are made for: the caller's own. */
function ownMerchant({ scope }: Ctx): Merchant {
  const { provider, merchant } = scope;
  if (!provider || !merchant) throw notFound("商户");
  return { service_provider_id: provider, merchant_id: merchant };
}
async function versionsOf(ctx: Ctx, kind: "levels" | "rights") {
  const { rows } = await sql<{
    version: number;
    by: string;
    at: never;
  }>`select v.version, v.by_name as "by", v.created_at as at from vip_versions v
    where ${inScope(ctx.scope, "v", "merchant")} and v.kind = ${kind} order by v.version desc limit 50`.execute(ctx.tx);
  return rows;
}
/** Adds the next version. @throws 409 where somebody was faster than whoever saw `seen` */
async function addVersion(ctx: Ctx, merchant: Merchant, kind: "levels" | "rights", seen: number): Promise<number> {
  const changed = () => conflict("规则已被别人修改，请刷新后再改", "version.changed");
  const last = await ctx.tx
    .selectFrom("vip_versions")
    .select(({ fn }) => fn.max("version").as("version"))
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("kind", "=", kind)
    .executeTakeFirst();
  if ((last?.version ?? 0) !== seen) throw changed();
  // Of two who saw the same, one gets the number.
  const { numInsertedOrUpdatedRows } = await ctx.tx
    .insertInto("vip_versions")
    .values({ ...merchant, kind, version: seen + 1, by_name: askerOf(ctx).name, created_at: ctx.now })
    .onConflict((rival) => rival.columns(["service_provider_id", "merchant_id", "kind", "version"]).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw changed();
  ctx.note({
    targetKind: kind === "levels" ? "vip_levels" : "vip_rights",
    targetId: merchant.merchant_id,
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
  });
  return seen + 1;
}

/** VIP规则: the ladder that holds, with who stands where. */
export const getVipRulesRoute = implement(getVipRules, async (ctx) => {
  const ladder = await ladderOf(ctx.tx, ownMerchant(ctx));
  const { rows } = await sql<{ rank: number; members: number }>`select x.rank, count(*)::int as members from vip_members x
    where ${inScope(ctx.scope, "x", "merchant")} and x.rank > 0 group by x.rank`.execute(ctx.tx);
  return {
    version: ladder.version,
    levels: ladder.levels.map(({ rank, name, basis, threshold, price_cents, months }, at) => {
      const next = ladder.levels[at + 1]?.rank ?? 11;
      const members = rows.filter((row) => row.rank >= rank && row.rank < next).reduce((sum, row) => sum + row.members, 0);
      return { rank, name, basis, threshold, priceCents: price_cents, months, members };
    }),
    versions: await versionsOf(ctx, "levels"),
  };
});

/** 修改VIP规则: a new version; members are looked at by it at once, and nobody falls before their keep period ends. */
export const setVipLevelsRoute = implement(setVipLevels, async (ctx, { version: seen, levels }) => {
  const merchant = ownMerchant(ctx);
  const version = await addVersion(ctx, merchant, "levels", seen);
  const rows = levels.map(({ rank, name, basis, threshold, priceCents, months }) => ({
    ...merchant,
    version,
    rank,
    name,
    basis,
    threshold: basis === "paid" ? null : threshold,
    price_cents: basis === "paid" ? priceCents : null,
    months: basis === "paid" ? months : null,
  }));
  if (rows.length > 0) await ctx.tx.insertInto("vip_levels").values(rows).execute();
  await ctx.services.jobs.enqueue(ctx.tx, followMembersJob, { ...merchant, after: null });
  ctx.note({ after: { version, levels } });
  return { ok: true as const };
});

/** 会员权益: what each level is worth now, and what birthdays cost this year. */
export const getRightsRoute = implement(getRights, async (ctx) => {
  const merchant = ownMerchant(ctx);
  const ladder = await ladderOf(ctx.tx, merchant);
  const { version, of, campaigns } = await rightsOf(ctx.tx, merchant);
  const ids = [...campaigns.values()].flatMap((one) => Object.values(one));
  const words = await couponWords(ctx.tx, merchant.service_provider_id, ids);
  const coupons = (rank: number, kind: "birthday-coupons" | "monthly-coupons") => {
    const id = campaigns.get(rank)?.[kind] ?? null;
    const count = of.get(rank)?.[kind] ?? 1;
    return { id, count, words: id === null ? "" : `${words.get(id) ?? "优惠券"} ${count} 张` };
  };
  const { rows: given } = await sql<{ kind: RightKind; members: number; value: number }>`
    select g.kind, count(distinct g.member_id)::int as members, sum(case when g.kind in ('birthday-coupons', 'monthly-coupons') then (select count(*) from coupon_gifts x
        where x.service_provider_id = g.service_provider_id and x.cause = 'right' and x.cause_id = g.id and x.status = 1) else g.value end)::int as value from right_grants g
    where ${inScope(ctx.scope, "g", "merchant")} and left(g.period, 4) = ${shanghaiDay(ctx.now_ms).slice(0, 4)} group by g.kind`.execute(
    ctx.tx,
  );
  return {
    version,
    levels: ladder.levels.map(({ rank, name, basis }) => {
      const rights = of.get(rank) ?? {};
      const [birthday, monthly] = [coupons(rank, "birthday-coupons"), coupons(rank, "monthly-coupons")];
      return {
        rank,
        name,
        basis,
        discount: rights.discount ?? null,
        multiple: rights.multiple ?? null,
        birthdayPoints: rights["birthday-points"] ?? null,
        birthdayGiftCents: rights["birthday-gift"] ?? null,
        birthdayCouponId: birthday.id,
        birthdayCouponCount: birthday.count,
        birthdayCoupons: birthday.words,
        monthlyCouponId: monthly.id,
        monthlyCouponCount: monthly.count,
        monthlyCoupons: monthly.words,
      };
    }),
    given: given.toSorted((a, b) => rightKind.values.indexOf(a.kind) - rightKind.values.indexOf(b.kind)),
    versions: await versionsOf(ctx, "rights"),
  };
});

/** @throws 400 where coupons of a level are not given out now */
async function checkCoupons(ctx: Ctx, merchant: Merchant, rights: ParsedOf<typeof setRights>["rights"]): Promise<void> {
  const named = rights.flatMap(({ birthdayCouponId, monthlyCouponId }, at) => [
    [`rights.${at}.birthdayCouponId`, birthdayCouponId] as const,
    [`rights.${at}.monthlyCouponId`, monthlyCouponId] as const,
  ]);
  const givable = await givableOf(
    ctx.tx,
    merchant,
    named.flatMap(([, id]) => id ?? []),
    ctx.now,
  );
  for (const [field, id] of named) if (id !== null && !givable.has(id)) throw invalid(field, "这张优惠券不在发放中");
}

/** 修改会员权益: holds for the next order and the next birthday. */
export const setRightsRoute = implement(setRights, async (ctx, { version: seen, rights }) => {
  const merchant = ownMerchant(ctx);
  await checkCoupons(ctx, merchant, rights);
  const version = await addVersion(ctx, merchant, "rights", seen);
  const rows = rights.flatMap(({ rank, discount, multiple, birthdayPoints, birthdayGiftCents, ...coupons }) => [
    ...Object.entries({ discount, multiple, "birthday-points": birthdayPoints, "birthday-gift": birthdayGiftCents }).flatMap(
      ([kind, value]) => (value === null ? [] : [{ ...merchant, version, rank, kind, value, campaign_id: null }]),
    ),
    ...Object.entries({
      "birthday-coupons": [coupons.birthdayCouponId, coupons.birthdayCouponCount],
      "monthly-coupons": [coupons.monthlyCouponId, coupons.monthlyCouponCount],
    } as const).flatMap(([kind, [campaign_id, value]]) =>
      campaign_id === null ? [] : [{ ...merchant, version, rank, kind, value, campaign_id }],
    ),
  ]);
  if (rows.length > 0) await ctx.tx.insertInto("right_rules").values(rows).execute();
  ctx.note({ after: { version, rights } });
  return { ok: true as const };
});
