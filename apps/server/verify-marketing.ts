import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { verifyActivities } from "@zhangfang/domains/activities/server/index.ts";
import { verifyCoupons } from "@zhangfang/domains/coupons/server/index.ts";
import { verifyDiscounts } from "@zhangfang/domains/discounts/server/index.ts";
import { verifyLottery } from "@zhangfang/domains/lottery/server/index.ts";
import { verifyParts } from "@zhangfang/domains/pricing/server/index.ts";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

const DAY_MS = 86_400_000;
/** Rooms that give something away or take something off; each reads its own rows. */
const ROOMS = [verifyCoupons, verifyDiscounts, verifyActivities];

/** What no room sees by itself: it is between an order, its refunds and the members' book. */
const RULES: Rules = {
  "14: an order says of each tender what its refunds gave back, and no more than it had": sql`select o.order_no from pay_orders o left join lateral (
      select coalesce(sum(r.amount_cents), 0) as money, coalesce(sum(r.principal_cents), 0) as principal, coalesce(sum(r.gift_cents), 0) as gift
      from refunds r where r.service_provider_id = o.service_provider_id and r.order_id = o.id and r.status = 2) r on true
    where o.priced and (r.money <> o.refunded_cents or r.money + r.principal + r.gift <> o.value_refunded_cents
      or r.money > o.paid_cents or r.principal > o.principal_cents or r.gift > o.gift_cents)`,
  "14: status 3 is all of the value, and all of the value is status 3": sql`select o.order_no from pay_orders o
    where o.paid_cents + o.principal_cents + o.gift_cents > 0
      and (o.status = 3) <> (o.status in (2, 3) and o.value_refunded_cents = o.paid_cents + o.principal_cents + o.gift_cents)`,
  "15: no more points are back, or taken back, than there were": sql`select o.order_no from pay_orders o
    left join lateral (select coalesce(sum(d.returned_points), 0) as back, coalesce(sum(d.points), 0) as spent from point_draws d
      where d.service_provider_id = o.service_provider_id and d.order_id = o.id) d on true
    left join point_earnings g on g.service_provider_id = o.service_provider_id and g.order_id = o.id
    where d.back > d.spent or g.kept < 0 or g.kept > g.earned`,
  "23: what takes nothing off uses nothing": sql`select o.order_no from (
      select service_provider_id, order_id from price_parts where off_cents <= 0 union all select service_provider_id, order_id from coupon_uses where off_cents <= 0
      union all select service_provider_id, order_id from discount_uses where off_cents <= 0) u
    join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id`,
  "24: no member's value is in an order of another merchant": sql`select o.order_no from (
      select service_provider_id, merchant_id, member_id, order_id from value_draws
      union all select service_provider_id, merchant_id, member_id, order_id from point_draws) d
    join pay_orders o on o.service_provider_id = d.service_provider_id and o.id = d.order_id
    join members m on m.service_provider_id = d.service_provider_id and m.id = d.member_id
    where d.merchant_id <> o.merchant_id or m.merchant_id <> o.merchant_id`,
};

/**
 * Asks everything that must always hold of prices, coupons, discounts, packages, subsidies, activities and lotteries (marketing.md 12), as far as
 * the transaction's scope shows it. docs/money.md says where each of the 25 is held.
 * @param since orders from then on are priced again from their facts
 * @param sinceEnded lotteries that ended before are not worked out anew
 * @returns nothing where all is well
 */
export async function verifyMarketing(tx: Transaction, since: string, sinceEnded = since): Promise<Breach[]> {
  const breaches = [...(await verifyParts(tx, since)), ...(await breachesOf(tx, RULES))];
  for (const verify of ROOMS) breaches.push(...(await verify(tx)));
  breaches.push(...(await verifyLottery(tx, sinceEnded)));
  return breaches;
}

/** Each night; the orders of two days are priced again, and lotteries that run or ended in the last eight; on the first of a month, all. */
export const marketing = domain({
  verify: { name: "marketing", run: (tx, now_ms) => verifyMarketing(tx, daysBefore(now_ms, 2), endedSince(now_ms)) },
});
const daysBefore = (now_ms: number, days: number): string => new Date(now_ms - days * DAY_MS).toISOString();
/** Since when lotteries ended that are worked out anew tonight. */
export const endedSince = (now_ms: number): string => (shanghaiDay(now_ms).endsWith("-01") ? "-infinity" : daysBefore(now_ms, 8));
