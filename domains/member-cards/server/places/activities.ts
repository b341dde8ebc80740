import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { couponWords, freeCouponStock, givableOf, holdCouponStock } from "../../../coupons/server/index.ts";
import {
  activityStatus,
  type ActivityStatus,
  addActivity,
  getActivity,
  listActivities,
  moveActivity,
  type RefusedWhy,
  SALES_DAYS,
  SALES_PEOPLE,
  summariseActivities,
  updateActivity,
} from "../../contract/index.ts";
import { holdCard, mustHold } from "../cards/rights.ts";
import { PEOPLE_LEFT } from "../holding/gifts.ts";

type Row = RowOf<typeof listActivities>;
type Found = Omit<Row, "coupons"> & { readonly provider: string };
/** With its coupons in words. */
async function shownOf(ctx: Pick<Ctx, "tx">, found: readonly Found[]): Promise<Row[]> {
  const words = await couponWords(
    ctx.tx,
    found[0]?.provider ?? "",
    found.flatMap(({ couponCampaignId }) => couponCampaignId ?? []),
  );
  return found.map(({ provider: _provider, ...row }) => {
    const coupon = words.get(row.couponCampaignId ?? "");
    return { ...row, coupons: coupon === undefined ? "" : `${coupon} ${row.couponCount} 张` };
  });
}
const FROM = sql`card_activities a join member_cards c on c.service_provider_id = a.service_provider_id and c.id = a.card_id`;
const COLUMNS = sql`a.id, a.name, a.card_id as "cardId", c.name as "cardName", a.points, a.points_days as "pointsDays", a.gift_cents as "giftCents",
  a.first_day as "firstDay", a.last_day as "lastDay", a.most_count as "mostCount", a.budget_cents as "budgetCents", a.given_count as "givenCount",
  a.given_points as "givenPoints", a.given_cents as "givenCents", a.status, a.revision, a.created_at as "createdAt", a.coupon_campaign_id as "couponCampaignId", coalesce(a.coupon_count, 1) as "couponCount",
  a.service_provider_id as provider`;
function activitiesWhere(scope: Scope, { keyword, status }: ParsedOf<typeof summariseActivities>): RawBuilder<boolean> {
  return all([inScope(scope, "a", "merchant"), keyword && sql`a.name ilike ${likeText(keyword)}`, is("a.status", status)]);
}
/** 开卡活动. */
export const listActivitiesRoute = implement(listActivities, async (ctx, input) => {
  const page = await listPage<Found>(ctx.tx, input as never, {
    columns: COLUMNS,
    from: FROM,
    where: activitiesWhere(ctx.scope, input),
    order: "a.created_at",
  });
  return { ...page, items: await shownOf(ctx, page.items) };
});
export const summariseActivitiesRoute = implement(summariseActivities, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{
    status: number;
    count: number;
    people: number;
    points: number;
    cents: number;
  }>`select a.status, count(*)::int as count,
      sum(a.given_count)::int as people, sum(a.given_points)::bigint as points, sum(a.given_cents)::bigint as cents
    from ${FROM} where ${activitiesWhere(ctx.scope, rest)} group by a.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  const { rows: cards } = await sql<{ id: string; name: string }>`select c.id, c.name from member_cards c
    where ${inScope(ctx.scope, "c", "merchant")} and c.status < 5 order by c.created_at, c.id limit 200`.execute(ctx.tx);
  return {
    count: sum(({ count }) => count),
    givenCount: sum(({ people }) => people),
    givenPoints: sum(({ points }) => points),
    givenCents: sum(({ cents }) => cents) as never,
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
    cards,
  };
});
/** 开卡活动详情: its results by store, and the last gifts. */
export const getActivityRoute = implement(getActivity, async ({ tx, scope }, { id }) => {
  const { rows } = await sql<Found>`select ${COLUMNS} from ${FROM} where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  const [activity] = await shownOf({ tx }, rows);
  if (!activity) throw notFound("开卡活动");
  const { rows: byStore } = await sql<{
    id: string;
    storeName: string;
    count: number;
    points: number;
    giftCents: never;
  }>`select g.store_id as id,
      s.short_name as "storeName", count(*)::int as count, sum(g.points)::int as points, sum(g.gift_cents)::bigint as "giftCents"
    from card_gifts g join stores s on s.service_provider_id = g.service_provider_id and s.id = g.store_id
    where g.activity_id = ${id} and ${inScope(scope, "g", "store")} group by g.store_id, s.short_name order by count(*) desc, s.short_name limit 100`.execute(
    tx,
  );
  const { rows: gifts } = await sql<{
    id: string;
    memberNo: string;
    storeName: string;
    points: number;
    giftCents: never;
    at: never;
  }>`select g.id,
      m.no as "memberNo", s.short_name as "storeName", g.points, g.gift_cents as "giftCents", g.at
    from card_gifts g join stores s on s.service_provider_id = g.service_provider_id and s.id = g.store_id
    join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    where g.activity_id = ${id} and ${inScope(scope, "g", "store")} order by g.at desc, g.id desc limit 20`.execute(tx);
  return { ...activity, ...(await resultsOf(tx, scope, id)), byStore, gifts };
});
/** Whom an activity reached who got nothing and why, what it cost, and what the last who got it paid in the days after, refunds left out. */
async function resultsOf(tx: Ctx["tx"], scope: Scope, id: string) {
  const gifts = sql`card_gifts g where g.activity_id = ${id} and ${inScope(scope, "g", "store")}`;
  const { rows: refused } = await sql<{ why: RefusedWhy; count: number }>`select r.why, count(*)::int as count from card_refusals r
    where r.activity_id = ${id} and ${inScope(scope, "r", "store")} group by 1 order by 2 desc, 1`.execute(tx);
  const { rows: given } = await sql<{
    people: number;
    coupons: number;
    cents: never;
  }>`select (select count(*)::int from ${gifts}) as people, count(*)::int as coupons,
      (coalesce(sum(t.value_cents), 0) + (select coalesce(sum(g.gift_cents), 0) from ${gifts}))::bigint as cents
    from card_gifts g join coupon_gifts x on x.service_provider_id = g.service_provider_id and x.cause = 'card' and x.cause_id = g.id and x.status = 1
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    where g.activity_id = ${id} and ${inScope(scope, "g", "store")}`.execute(tx);
  const { rows: sales } = await sql<{ buyers: number; orders: number; cents: never }>`
    select count(distinct o.member_id)::int as buyers, count(*)::int as orders, coalesce(sum(o.paid_cents - o.refunded_cents), 0)::bigint as cents
    from (select g.service_provider_id, g.member_id, g.at from ${gifts} order by g.at desc, g.id desc limit ${SALES_PEOPLE}) g
    join pay_orders o on o.service_provider_id = g.service_provider_id and o.member_id = g.member_id and o.status = 2
      and o.paid_at >= g.at and o.paid_at < g.at + make_interval(days => ${SALES_DAYS}) where ${inScope(scope, "o", "store")}`.execute(tx);
  return {
    refused,
    people: given[0]!.people,
    couponsGiven: given[0]!.coupons,
    costCents: given[0]!.cents,
    buyers: sales[0]!.buyers,
    orders: sales[0]!.orders,
    salesCents: sales[0]!.cents,
  };
}

type Facts = ParsedOf<typeof addActivity>;
const columnsOf = ({ cardId, name, points, pointsDays, giftCents, firstDay, lastDay, mostCount, budgetCents, ...given }: Facts) => ({
  coupon_campaign_id: given.couponCampaignId,
  coupon_count: given.couponCampaignId === null ? null : given.couponCount,
  card_id: cardId,
  name,
  points,
  points_days: points > 0 ? pointsDays : null,
  gift_cents: giftCents,
  first_day: firstDay,
  last_day: lastDay,
  most_count: mostCount,
  budget_cents: giftCents > 0 ? budgetCents : null,
});
/** @throws 404, 403 where the provider keeps gifts to itself, 400 at a field */
async function check(ctx: Ctx, { cardId, name, lastDay, couponCampaignId }: Facts, id: string | null) {
  const card = await holdCard(ctx.tx, ctx.scope, cardId);
  mustHold(ctx.scope, card, "gift");
  if (card.status === 5) throw invalid("cardId", "会员卡已过期");
  if (lastDay < shanghaiDay(ctx.now_ms)) throw invalid("lastDay", "结束日须在今天或以后");
  const { rows } = await sql`select 1 from card_activities a where ${inScope(ctx.scope, "a", "merchant")} and a.name = ${name}
    and a.id is distinct from ${id}::uuid`.execute(ctx.tx);
  if (rows.length > 0) throw invalid("name", `已有名为「${name}」的活动`);
  const givable = await givableOf(ctx.tx, card, couponCampaignId === null ? [] : [couponCampaignId], ctx.now);
  if (couponCampaignId !== null && !givable.has(couponCampaignId)) throw invalid("couponCampaignId", "这张优惠券不在发放中");
  return card;
}
const told = (ctx: Ctx, id: string, own: { service_provider_id: string; merchant_id: string }, after: object) =>
  ctx.note({ targetKind: "card_activity", targetId: id, provider: own.service_provider_id, merchant: own.merchant_id, after });

/** 新建开卡活动: it gives nothing before it is started. */
export const addActivityRoute = implement(addActivity, async (ctx, facts) => {
  const card = await check(ctx, facts, null);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const { service_provider_id, merchant_id } = card;
  const added = await ctx.tx
    .insertInto("card_activities")
    .values({ service_provider_id, merchant_id, id, ...columnsOf(facts), created_at: ctx.now })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("name", `已有名为「${facts.name}」的活动`);
  told(ctx, id, card, facts);
  return { ok: true as const, id };
});

/** An activity in sight, held behind its card, as opening a card holds them. @throws 404 */
async function activityOf({ tx, scope }: Ctx, id: string) {
  const { rows: found } = await sql<{ card_id: string }>`select a.card_id from card_activities a where a.id = ${id}
    and ${inScope(scope, "a", "merchant")}`.execute(tx);
  if (!found[0]) throw notFound("开卡活动");
  const card = await holdCard(tx, scope, found[0].card_id);
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    card_id: string;
    status: ActivityStatus;
    given_count: number;
    people_left: number;
    given_cents: number;
    last_day: string;
    coupon_campaign_id: string | null;
    coupon_count: number | null;
    held_coupons: number;
  }>`select a.service_provider_id, a.merchant_id, a.card_id, a.status, a.given_count, ${PEOPLE_LEFT} as people_left, a.given_cents, a.last_day, a.coupon_campaign_id,
      a.coupon_count, a.held_coupons from card_activities a
    where a.id = ${id} and ${inScope(scope, "a", "merchant")} for update of a`.execute(tx);
  if (!rows[0]) throw notFound("开卡活动");
  return { ...rows[0], card };
}
type Own = Awaited<ReturnType<typeof activityOf>>;
/**
 * Sets aside as many of an activity's coupons as there may be people yet, or lets them go.
 * @returns how many are held then
 * @throws 409 where so many are not left, or the campaign gives out none
 */
async function holdCoupons({ tx }: Pick<Ctx, "tx">, own: Own, on: boolean): Promise<number> {
  const { service_provider_id, coupon_campaign_id: campaign_id, coupon_count, people_left, held_coupons } = own;
  if (campaign_id === null || coupon_count === null) return 0;
  const pieces = on ? people_left * coupon_count : 0;
  const more = pieces - held_coupons;
  await asPlatform(tx, async () => {
    if (more > 0) await holdCouponStock(tx, { service_provider_id, campaign_id }, more);
    else await freeCouponStock(tx, { service_provider_id, campaign_id }, -more);
  });
  return pieces;
}
/** 修改开卡活动: while it does not run; limits stay above what was given, and its card where something was. */
export const updateActivityRoute = implement(updateActivity, async (ctx, { id, revision, ...facts }) => {
  const own = await activityOf(ctx, id);
  await check(ctx, facts, id);
  if (own.status !== 0 && own.status !== 2) throw conflict("活动进行中或已结束，请先暂停再改");
  if (facts.mostCount < own.given_count) throw invalid("mostCount", `已送出 ${own.given_count} 人，不能更少`);
  if (own.given_cents > (facts.budgetCents ?? 0)) throw invalid("budgetCents", "预算不能低于已送出的金额");
  if (own.given_cents > 0 && facts.giftCents === 0) throw invalid("giftCents", "已送出余额，不能改为不送");
  if (own.given_count > 0 && facts.cardId !== own.card_id) throw invalid("cardId", "已有人领取，不能换卡");
  // What it gives may be another coupon by now: it is set aside anew when it goes on.
  const held_coupons = await holdCoupons(ctx, own, false);
  const changed = await ctx.tx
    .updateTable("card_activities")
    .set({ ...columnsOf(facts), held_coupons, revision: revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("status", "in", [0, 2])
    .executeTakeFirst();
  mustChange(changed, () => conflict("活动已被别人修改，请重新打开后再改"));
  told(ctx, id, own, facts);
  return { ok: true as const };
});
const MOVES: Readonly<Record<ActivityStatus, readonly ActivityStatus[]>> = { 0: [1, 3], 1: [2, 3], 2: [1, 3], 3: [] };
/** 开卡活动状态: 开始, 暂停, 继续, 结束. */
export const moveActivityRoute = implement(moveActivity, async (ctx, { id, from, to }) => {
  const own = await activityOf(ctx, id);
  mustHold(ctx.scope, own.card, "gift");
  if (!MOVES[from].includes(to)) throw conflict(`${activityStatus.label(from)}的活动不能改为${activityStatus.label(to)}`);
  if (to === 1 && own.last_day < shanghaiDay(ctx.now_ms)) throw conflict("活动时间已过，请先改时间");
  if (own.status !== from) throw conflict(`活动已是「${activityStatus.label(own.status)}」，请刷新后再试`);
  // A rest keeps them.
  const held_coupons = to === 2 ? own.held_coupons : await holdCoupons(ctx, own, to === 1);
  const changed = await ctx.tx
    .updateTable("card_activities")
    .set((column) => ({ status: to, held_coupons, revision: column("revision", "+", 1) }))
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  mustChange(changed, () => conflict(`活动已是「${activityStatus.label(own.status)}」，请刷新后再试`));
  told(ctx, id, own, { status: to });
  return { ok: true as const };
});
