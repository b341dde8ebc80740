import { sql, type RawBuilder } from "kysely";
import { bookRules, breachesOf, type Breach, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { LEDGER } from "./post-entry.ts";
import { SHARE_RULES } from "./verify-shares.ts";

/**
 * Checks the whole book that the transaction's scope shows: entries balance, balances are the sum of their lines, orders
 * and refunds agree with the book, and the statistics equal the rows to the cent for each Shanghai day.
 * @returns nothing where all is well
 */
export const verifyLedger = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const ENTRY_SUMS = [
  "pay_count",
  "gross_cents",
  "discount_cents",
  "paid_cents",
  "fee_cents",
  "refund_count",
  "refund_cents",
  "refund_fee_cents",
];
const PURPOSES = { recharge: "1", times: "3", level: "2, 4" } as const;
const PURPOSE_SUMS = Object.keys(PURPOSES).flatMap((name) => [`${name}_cents`, `${name}_back_cents`]);
const SUMS = [...ENTRY_SUMS, ...PURPOSE_SUMS];
// What of an entry's money was for something that is sold beforehand.
const beforehand = sql.raw(
  Object.entries(PURPOSES)
    .flatMap(([name, purposes]) =>
      [
        ["paid_cents", `${name}_cents`],
        ["refund_cents", `${name}_back_cents`],
      ].map(([from, as]) => `case when o.purpose in (${purposes}) then e.${from} else 0 end as ${as}`),
    )
    .join(", "),
);
const same = (columns: readonly string[]) =>
  sql.raw(columns.map((name) => `coalesce(r.${name}, 0) = coalesce(t.${name}, 0)`).join(" and "));
const summed = (columns: readonly string[]) => sql.raw(columns.map((name) => `sum(${name}) as ${name}`).join(", "));

// The facts that statistics add up, each with its hour, day and month in Shanghai and what its order knows.
const facts = sql`select e.service_provider_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id, e.salesman_id, e.channel, e.tool,
    o.cashier_id, o.device_id, coalesce(o.pay_method, '') as pay_method, coalesce(o.trade_type, '') as trade_type,
    (e.occurred_at at time zone 'Asia/Shanghai')::date as day, extract(hour from e.occurred_at at time zone 'Asia/Shanghai')::smallint as hour,
    date_trunc('month', e.occurred_at at time zone 'Asia/Shanghai')::date as month, extract(isodow from e.occurred_at at time zone 'Asia/Shanghai')::smallint as weekday,
    (e.cause = 'payment')::int as pay_count, e.gross_cents, e.discount_cents, e.paid_cents, e.fee_cents, (e.cause = 'refund')::int as refund_count, e.refund_cents, e.refund_fee_cents, ${beforehand}
  from ledger_entries e left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id where e.cause in ('payment', 'refund')`;
const OWNER = ["service_provider_id", "owner_kind", "owner_id"];
const MERCHANT = ["service_provider_id", "merchant_id", "agent_id", "business_group_id", "business_team_id", "salesman_id"];
const WHOSE = ["service_provider_id", "store_id", "merchant_id", "agent_id", "business_group_id", "business_team_id", "salesman_id"];
const WAY = ["channel", "tool", "pay_method", "trade_type"];
const GOODS_SUMS = ENTRY_SUMS.filter((name) => name.endsWith("_cents"));
const SHARED_KEY = sql.raw([...WHOSE, "day"].map((name) => `coalesce(${name}::text, '')`).join(" || '/' || "));
// Each owner of a fact; nobody is none.
const owned = sql`select f.*, o.kind as owner_kind, o.id as owner_id from (${facts}) f, lateral (values ('store', f.store_id), ('merchant', f.merchant_id), ('salesman', f.salesman_id),
    ('team', f.business_team_id), ('group', f.business_group_id), ('agent', f.agent_id), ('provider', f.service_provider_id)) as o(kind, id) where o.id is not null`;
/** The groups in which a table of sums and the book differ, also where only one of them knows the group. */
function differing(table: string, of: RawBuilder<unknown>, by: readonly string[]): RawBuilder<unknown> {
  const names = sql.raw(by.join(", "));
  const key = sql.raw(by.map((name) => `coalesce(${name}::text, '')`).join(" || '/' || "));
  return sql`select coalesce(r.key, t.key) from (select ${key} as key, ${summed(SUMS)} from (${of}) f group by ${names}) r
    full join (select ${key} as key, ${summed(SUMS)} from ${sql.table(table)} group by ${names}) t using (key) where not (${same(SUMS)})`;
}

const RULES: Rules = {
  ...bookRules(LEDGER),
  "no order gives back more than was paid": sql`select order_no from pay_orders where refunded_cents + refunding_cents > paid_cents or refunded_fee_cents + refunding_fee_cents > fee_cents
    or (status in (0, 1) and refunded_cents + refunding_cents > 0) or value_refunded_cents + value_refunding_cents > paid_cents + principal_cents + gift_cents
    or (status = 3 and value_refunded_cents <> paid_cents + principal_cents + gift_cents)
    or (status = 2 and value_refunded_cents = paid_cents + principal_cents + gift_cents and value_refunded_cents > 0)`,
  "each paid order stands in the book once": sql`select o.order_no from pay_orders o full join (select * from ledger_entries where cause = 'payment') e
    on e.service_provider_id = o.service_provider_id and e.order_id = o.id
    where (o.paid_at is not null) <> (e.id is not null) or (e.id is not null and (o.paid_at <> e.occurred_at or o.gross_cents <> e.gross_cents
      or o.discount_cents <> e.discount_cents or o.paid_cents <> e.paid_cents or o.fee_cents <> e.fee_cents))`,
  "an order's refunds are what it says": sql`select o.order_no from pay_orders o join lateral (
      select coalesce(sum(amount_cents) filter (where status in (0, 1)), 0) as refunding, coalesce(sum(fee_cents) filter (where status in (0, 1)), 0) as refunding_fee,
        coalesce(sum(amount_cents) filter (where status = 2), 0) as refunded, coalesce(sum(fee_cents) filter (where status = 2), 0) as refunded_fee,
        coalesce(sum(value_cents) filter (where status in (0, 1)), 0) as value_refunding, coalesce(sum(value_cents) filter (where status = 2), 0) as value_refunded
      from refunds f where f.service_provider_id = o.service_provider_id and f.order_id = o.id) s on true
    where (o.refunding_cents, o.refunding_fee_cents, o.refunded_cents, o.refunded_fee_cents, o.value_refunding_cents, o.value_refunded_cents)
      <> (s.refunding, s.refunding_fee, s.refunded, s.refunded_fee, s.value_refunding, s.value_refunded)`,
  "each refund stands in the book as it ended": sql`select f.refund_no from refunds f left join (
      select service_provider_id, refund_id, count(*) filter (where cause = 'refund') as done, sum(refund_cents) as cents, sum(refund_fee_cents) as fee,
        count(*) filter (where cause = 'refund-reserve') - count(*) filter (where cause in ('refund', 'refund-release')) as open
      from ledger_entries where refund_id is not null group by service_provider_id, refund_id) e on e.service_provider_id = f.service_provider_id and e.refund_id = f.id
    where (f.status = 2) <> (coalesce(e.done, 0) = 1) or (f.status in (0, 1)) <> (coalesce(e.open, 0) = 1) or (f.status = 2 and (e.cents <> f.amount_cents or e.fee <> f.fee_cents))`,
  "what is set aside is what orders hold": sql`select coalesce(a.merchant_id, o.merchant_id) from
      (select merchant_id, sum(balance_cents) as cents from ledger_accounts where kind = 'refunding' group by merchant_id) a
      full join (select merchant_id, sum(refunding_cents) as cents from pay_orders group by merchant_id) o using (merchant_id)
    where coalesce(a.cents, 0) <> coalesce(o.cents, 0)`,
  "takings equal the book": differing("takings", owned, [...OWNER, "day", "hour", "channel", "tool"]),
  "hours of months equal the book": differing("takings_hours_monthly", owned, [...OWNER, "month", "weekday", "hour", "channel", "tool"]),
  "takings of merchants equal the book": differing("takings_merchants", facts, [...MERCHANT, "day"]),
  "monthly takings of merchants equal the book": differing("takings_merchants_monthly", facts, [...MERCHANT, "month"]),
  "takings of people equal the book": differing("takings_people", facts, [...WHOSE, "day", "cashier_id", "device_id"]),
  "monthly takings of people equal the book": differing("takings_people_monthly", facts, [...WHOSE, "month", "cashier_id", "device_id"]),
  "takings by day equal the book": differing("takings_days", owned, [...OWNER, "day", ...WAY]),
  "daily takings equal the book": differing("takings_daily", facts, [...WHOSE, "day"]),
  "monthly takings equal the book": differing("takings_monthly", facts, [...WHOSE, "month"]),
  "takings in detail equal the book": differing("takings_cells", facts, [...WHOSE, "day", "cashier_id", "device_id", ...WAY]),
  // Told apart by goods, an entry of a mall order is still itself; a refund that names none is not among them.
  "takings of goods equal the book": sql`select coalesce(g.entry_id, e.id) from
      (select service_provider_id, entry_id, ${summed(GOODS_SUMS)} from takings_goods group by 1, 2) g
      full join (select e.* from ledger_entries e join mall_orders x on x.service_provider_id = e.service_provider_id and x.order_id = e.order_id
        where e.cause = 'payment' or (e.cause = 'refund' and exists (select from mall_refund_lines b where b.service_provider_id = e.service_provider_id and b.refund_id = e.refund_id))) e
      on e.service_provider_id = g.service_provider_id and e.id = g.entry_id
    where e.id is null or g.entry_id is null or (${sql.raw(GOODS_SUMS.map((name) => `g.${name}`).join(", "))}) <> (${sql.raw(GOODS_SUMS.map((name) => `e.${name}`).join(", "))})`,
  "monthly takings of goods equal the book": differing(
    "takings_goods_monthly",
    sql`select *, date_trunc('month', day::timestamp)::date as month from takings_goods`,
    [...WHOSE, "goods_no", "month"],
  ),
  "shared takings equal the book": sql`select coalesce(r.key, t.key) from
      (select ${SHARED_KEY} as key, sum(shared_cents) as a, sum(share_returned_cents) as b from (select *, (occurred_at at time zone 'Asia/Shanghai')::date as day from ledger_entries) f group by 1) r
      full join (select ${SHARED_KEY} as key, sum(shared_cents) as a, sum(share_returned_cents) as b from takings_shared group by 1) t using (key)
    where coalesce(r.a, 0) <> coalesce(t.a, 0) or coalesce(r.b, 0) <> coalesce(t.b, 0)`,
  "monthly takings in detail equal the book": differing("takings_cells_monthly", facts, [
    ...WHOSE,
    "month",
    "cashier_id",
    "device_id",
    ...WAY,
  ]),
  ...SHARE_RULES,
};
