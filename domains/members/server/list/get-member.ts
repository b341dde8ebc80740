import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { valueCause, type ValueCause } from "../../../value-book/contract.ts";
import { pointsOf } from "../../../value-book/server/index.ts";
import { getMember, getMemberAccount, getMemberThings, getMemberTimeline } from "../../contract/index.ts";
import { familyOf, levelsOf, levelStepsOf, type MemberRef, thingsOf } from "../member-facts.ts";
import { formOf } from "../seal.ts";
import { CLOSE_DAYS } from "../write/close-member.ts";
import { MEMBER_COLUMNS, MEMBERS_FROM, membersInSight, shownMember, type FoundMember } from "./member-rows.ts";

interface More {
  readonly merchant_id: string;
  readonly merchantName: string;
  readonly birthday: string | null;
  readonly form_sealed: string | null;
  readonly growth: number;
  readonly hasPin: boolean;
  readonly hasIdCard: boolean;
  readonly close_asked_at: string | null;
  readonly mergedInto: string | null;
  readonly revision: number;
}
/** 会员详情: who, and what this person is worth to the merchant. */
export const getMemberRoute = implement(getMember, async (ctx, { id }) => {
  const { rows } = await sql<
    FoundMember & More
  >`select ${MEMBER_COLUMNS}, m.merchant_id, n.short_name as "merchantName", m.birthday, m.form_sealed,
      coalesce(t.growth, 0)::int as growth, m.pin_hash is not null as "hasPin", m.id_card_sealed is not null as "hasIdCard", m.close_asked_at,
      m.merged_into as "mergedInto", m.revision
    from ${MEMBERS_FROM} join merchants n on n.service_provider_id = m.service_provider_id and n.id = m.merchant_id
    where m.id = ${id} and ${membersInSight(ctx.scope)}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("会员");
  const { service_provider_id: provider, birthday, form_sealed, close_asked_at } = row;
  return {
    ...shownMember(ctx.services, row, await levelsOf(ctx.tx, ctx.services, provider, [id])),
    merchantName: row.merchantName,
    // The year stays hidden: day and month are what a shop greets with.
    birthday: birthday && `${Number(birthday.slice(5, 7))} 月 ${Number(birthday.slice(8, 10))} 日`,
    sex: formOf(ctx.services, provider, id, form_sealed).sex ?? null,
    growth: row.growth,
    ...(await worthOf(ctx, { service_provider_id: provider, merchant_id: row.merchant_id, id })),
    averageCents: (row.visits > 0 ? Math.round(row.spentCents / row.visits) : null) as never,
    hasPin: row.hasPin,
    hasIdCard: row.hasIdCard,
    closeOn: row.status === 3 && close_asked_at ? addDays(shanghaiDay(close_asked_at), CLOSE_DAYS) : null,
    mergedInto: row.mergedInto,
    merging: await mergingOf(ctx, id),
    revision: row.revision,
  };
});

/** 待审核的合并 of the one that would go. */
async function mergingOf(ctx: Ctx, id: string): Promise<OutputOf<typeof getMember>["merging"]> {
  const { rows } = await sql<{
    id: string;
    intoNo: string;
    reason: string;
    askedBy: string;
    createdAt: never;
    asked_by: string;
  }>`select w.id, i.no as "intoNo", w.reason, w.asked_name as "askedBy", w.created_at as "createdAt", w.asked_by
    from member_merges w join members i on i.service_provider_id = w.service_provider_id and i.id = w.into_id
    where w.member_id = ${id} and w.status = 0 and ${inScope(ctx.scope, "w", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) return null;
  const { asked_by, ...merging } = rows[0];
  return { ...merging, mayDecide: asked_by !== askerOf(ctx).id };
}

type Worth = Pick<
  OutputOf<typeof getMember>,
  "visits90" | "visitsBefore90" | "lastStore" | "usualStore" | "usualVisits" | "offCents" | "merchantAverageCents"
>;
async function worthOf(ctx: Ctx, { service_provider_id, merchant_id, id }: MemberRef): Promise<Worth> {
  const today = shanghaiDay(ctx.now_ms);
  const [since, before] = [dayStart(addDays(today, -89)), dayStart(addDays(today, -179))];
  const { rows } = await sql<Worth>`
    with mine as (select o.paid_at, o.discount_cents, o.voucher_cents, s.short_name as store from pay_orders o
        join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
        where o.service_provider_id = ${service_provider_id} and o.member_id in ${familyOf(service_provider_id, id)} and o.status = 2),
      usual as (select store, count(*)::int as visits from mine group by store order by count(*) desc, store limit 1),
      everybody as (select sum(t.spent_cents)::bigint as cents, sum(t.visits)::bigint as visits from member_totals t
        where t.service_provider_id = ${service_provider_id} and t.merchant_id = ${merchant_id} and t.visits > 0)
    select count(*) filter (where paid_at >= ${since}::timestamptz)::int as "visits90",
      count(*) filter (where paid_at >= ${before}::timestamptz and paid_at < ${since}::timestamptz)::int as "visitsBefore90",
      (select store from mine order by paid_at desc limit 1) as "lastStore",
      (select store from usual) as "usualStore", coalesce((select visits from usual), 0) as "usualVisits",
      coalesce(sum(discount_cents - voucher_cents), 0)::bigint as "offCents",
      (select round(cents::numeric / nullif(visits, 0))::bigint from everybody) as "merchantAverageCents" from mine`.execute(ctx.tx);
  if (!rows[0]) throw new Error("sums without a row");
  return rows[0];
}

/** The member in sight. @throws 404 */
async function seen(ctx: Ctx, id: string): Promise<MemberRef> {
  const { rows } = await sql<MemberRef>`select m.service_provider_id, m.merchant_id, m.id from members m
    where m.id = ${id} and ${membersInSight(ctx.scope)}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("会员");
  return rows[0];
}
/** 券、次卡和等级: of the rooms that keep them. */
export const getMemberThingsRoute = implement(getMemberThings, async (ctx, { id }) => {
  const member = await seen(ctx, id);
  const { service_provider_id: provider } = member;
  const totals = await ctx.tx
    .selectFrom("member_totals")
    .select("growth")
    .where("service_provider_id", "=", provider)
    .where("member_id", "=", id)
    .executeTakeFirst();
  return {
    ...((await thingsOf(ctx.tx, ctx.services, member)) as never as Pick<OutputOf<typeof getMemberThings>, "coupons" | "timesCards">),
    level: (await levelsOf(ctx.tx, ctx.services, provider, [id])).get(id) ?? "",
    growth: totals?.growth ?? 0,
    levels: (await levelStepsOf(ctx.tx, ctx.services, member)) as never,
  };
});

type Account = OutputOf<typeof getMemberAccount>;

/** 储值 or 积分: what is there, its lots, and every movement with what was there after. */
export const getMemberAccountRoute = implement(getMemberAccount, async (ctx, { id, account }) => {
  const { service_provider_id: provider, merchant_id: merchant } = await seen(ctx, id);
  const holder = { service_provider_id: provider, merchant_id: merchant, member_id: id };
  const { rows: balances } = await sql<{ kind: string; balance: number }>`select a.kind, a.balance from value_accounts a
    where a.service_provider_id = ${provider} and a.merchant_id = ${merchant} and a.owner_id = ${id}`.execute(ctx.tx);
  const of = (kind: string) => balances.find((one) => one.kind === kind)?.balance ?? 0;
  const today = shanghaiDay(ctx.now_ms);
  const points = await pointsOf(ctx.tx, holder, today);
  const [main, second] = account === "stored" ? ["principal", "gift"] : ["points", "points-pending"];
  const { rows: entries } = await sql<Account["entries"][number]>`
    select e.id, e.occurred_at as at, e.cause, o.order_no as "orderNo", o.id as "orderId", s.short_name as place,
      coalesce(sum(p.amount) filter (where a.kind = ${main}), 0)::bigint as moved, coalesce(sum(p.amount) filter (where a.kind = ${second}), 0)::bigint as "movedGift",
      max(p.balance_after) filter (where a.kind = ${main}) as after, max(p.balance_after) filter (where a.kind = ${second}) as "giftAfter"
    from value_entries e
    join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
    join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id and a.kind in (${main}, ${second})
    left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    left join stores s on s.service_provider_id = e.service_provider_id and s.id = e.store_id
    where e.service_provider_id = ${provider} and e.merchant_id = ${merchant} and e.owner_id = ${id}
    group by e.service_provider_id, e.id, e.seq, e.occurred_at, e.cause, o.order_no, o.id, s.short_name order by e.seq desc limit 100`.execute(
    ctx.tx,
  );
  const { rows: lots } =
    account === "stored"
      ? await sql<
          Account["lots"][number]
        >`select l.id, l.created_at as at, s.short_name as place, l.principal_cents as whole, l.gift_cents as gift,
            l.principal_left_cents as left, l.gift_left_cents as "giftLeft", null as "endsOn"
          from value_lots l join stores s on s.service_provider_id = l.service_provider_id and s.id = l.sold_store_id
          where l.service_provider_id = ${provider} and l.merchant_id = ${merchant} and l.member_id = ${id}
          order by l.created_at desc, l.id desc limit 50`.execute(ctx.tx)
      : await sql<
          Account["lots"][number]
        >`select l.id, l.created_at as at, null as place, l.points as whole, 0 as gift, l.left_points as left, 0 as "giftLeft",
            l.expires_on as "endsOn"
          from point_lots l where l.service_provider_id = ${provider} and l.merchant_id = ${merchant} and l.member_id = ${id} and l.left_points > 0
          order by l.expires_on nulls last, l.created_at limit 50`.execute(ctx.tx);
  const ending = account === "points" ? lots.find(({ endsOn }) => endsOn !== null && endsOn >= today) : undefined;
  return {
    points: points.usable,
    principalCents: of("principal") as never,
    giftCents: of("gift") as never,
    heldCents: (of("principal-held") + of("gift-held")) as never,
    pendingPoints: points.pending,
    owedPoints: points.owed,
    endingPoints: ending ? lots.filter(({ endsOn }) => endsOn === ending.endsOn).reduce((all, { left }) => all + left, 0) : 0,
    endsOn: ending?.endsOn ?? null,
    lots,
    entries: entries.map((entry) => ({ ...entry, cause: valueCause.label(entry.cause as ValueCause) })),
  };
});

const FIRST = 12;
const ALL = 200;
/** 时间线: what was done to a member and what it bought, the newest first. */
export const getMemberTimelineRoute = implement(getMemberTimeline, async (ctx, { id, all }) => {
  const { service_provider_id: provider } = await seen(ctx, id);
  const most = all ? ALL : FIRST;
  const { rows } = await sql<OutputOf<typeof getMemberTimeline>["items"][number]>`
    (select e.id, e.at, e.kind, e.said, e.by_name as "byName", null as place, null::uuid as "orderId", null::bigint as cents
      from member_events e where e.service_provider_id = ${provider} and e.member_id = ${id} order by e.at desc, e.id desc limit ${most + 1})
    union all
    (select o.id, o.paid_at, 'order', o.subject, '' , s.short_name, o.id, o.paid_cents
      from pay_orders o
      join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
      where o.service_provider_id = ${provider} and o.member_id in ${familyOf(provider, id)} and o.status in (2, 3) order by o.paid_at desc limit ${most + 1})
    order by at desc, id desc limit ${most + 1}`.execute(ctx.tx);
  return { items: rows.slice(0, most), more: rows.length > most };
});
