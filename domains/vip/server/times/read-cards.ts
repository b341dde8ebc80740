import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberSought, type MemberRef, withMembers } from "../../../members/server/index.ts";
import { getTimesCard, listTimesCards, summariseTimesCards } from "../../contract/index.ts";
import { lastUses } from "./read-uses.ts";
import { storeNames } from "./write-products.ts";

export type CardRow = RowOf<typeof listTimesCards>;
const FROM = sql`times_cards c join pay_orders o on o.service_provider_id = c.service_provider_id and o.id = c.order_id
  join members m on m.service_provider_id = c.service_provider_id and m.id = c.member_id
  join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id`;
/** What is owed of a card: nothing before it is paid and after it went back. */
const LEFT = sql`case when c.status in (1, 2, 3, 4) then c.price_cents - c.earned_cents else 0 end`;
const COLUMNS = sql`c.id, c.card_no as "cardNo", c.order_id as "orderId", o.order_no as "orderNo", c.member_id as "memberId", m.no as "memberNo", c.store_id as "storeId",
  s.short_name as "storeName", c.name, c.times, c.gift_times as "giftTimes", c.left_times as "leftTimes", c.price_cents as "priceCents",
  c.earned_cents as "earnedCents", ${LEFT} as "leftCents", c.status, c.first_day as "firstDay", c.last_day as "lastDay",
  case when c.status in (4, 5) then c.refund_cents end as "refundCents", c.paid_at as "paidAt", c.created_at as "createdAt"`;
function cardsWhere(
  services: Services | undefined,
  scope: Scope,
  { keyword, storeId, status, ...days }: ParsedOf<typeof summariseTimesCards>,
): RawBuilder<boolean> {
  return all([
    inScope(scope, "c", "store"),
    keyword && sql`c.card_no = ${keyword} or o.order_no = ${keyword} or ${memberSought(services, scope, keyword)}`,
    is("c.store_id", storeId),
    is("c.status", status),
    during(days, "c.created_at"),
  ]);
}
/** The list of cards that were sold, for screen and file. */
export const cardsListed = (scope: Scope, filter: ParsedOf<typeof summariseTimesCards>, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: cardsWhere(services, scope, filter),
  order: "c.created_at",
});

/** 次卡订单. */
export const listTimesCardsRoute = implement(listTimesCards, async (ctx, input) => {
  const page = await listPage<CardRow>(ctx.tx, input, cardsListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});

/** 售出 = 已用 + 未用 + 已退 + 差额; by status without the filter's own status, for the tabs. */
export const summariseTimesCardsRoute = implement(summariseTimesCards, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; sold: number; earned: number; left: number; refunded: number }>`
    select c.status, count(*)::int as count, coalesce(sum(c.price_cents) filter (where c.paid_at is not null), 0)::bigint as sold,
      coalesce(sum(c.earned_cents), 0)::bigint as earned, coalesce(sum(${LEFT}), 0)::bigint as left,
      coalesce(sum(c.refund_cents) filter (where c.status = 5), 0)::bigint as refunded
    from ${FROM} where ${cardsWhere(ctx.services, ctx.scope, rest)} group by c.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  const [sold, earned, left, refunded] = [
    sum((row) => row.sold),
    sum((row) => row.earned),
    sum((row) => row.left),
    sum((row) => row.refunded),
  ];
  return {
    count: sum(({ count }) => count),
    soldCents: sold as never,
    earnedCents: earned as never,
    leftCents: left as never,
    refundedCents: refunded as never,
    forfeitedCents: (sold - earned - left - refunded) as never,
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

/** 次卡订单详情, with its last uses. */
export const getTimesCardRoute = implement(getTimesCard, async (ctx, { id }) => {
  type More = {
    singlePriceCents: never;
    storeNames: string;
    refundReason: 1 | 2 | 3 | null;
    refundNo: string | null;
    codeUrl: string | null;
  };
  const { rows } = await sql<
    CardRow & More
  >`select ${COLUMNS}, c.single_price_cents as "singlePriceCents", ${storeNames("c")} as "storeNames",
      case when c.status in (4, 5) then c.refund_reason end as "refundReason", r.refund_no as "refundNo",
      case when o.status = 0 then o.code_url end as "codeUrl"
    from ${FROM} left join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.refund_id
    where ${inScope(ctx.scope, "c", "store")} and c.id = ${id}`.execute(ctx.tx);
  const [card] = await withMembers(ctx, rows);
  if (!card) throw notFound("次卡订单");
  return { ...card, uses: await lastUses(ctx, id) };
});

/** The cards of a member that are good on a day, for the till: what ends first stands first. */
export async function usableCards(tx: Transaction, { service_provider_id, id }: MemberRef, today: string) {
  // A card that another store sold is out of a till's sight and good there all the same.
  const cards = await asPlatform(tx, () =>
    tx
      .selectFrom("times_cards")
      .select(["card_no as no", "name", "left_times as left", "last_day"])
      .where("service_provider_id", "=", service_provider_id)
      .where("member_id", "=", id)
      .where("status", "=", 1)
      .where("last_day", ">=", today)
      .orderBy("last_day")
      .execute(),
  );
  return cards.map(({ last_day, ...card }) => ({ ...card, endsAt: dayStart(addDays(last_day ?? today, 1)) }));
}
