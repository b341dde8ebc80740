import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Facts, Wish } from "../rules/facts.ts";
import { price } from "../rules/price.ts";
import { COLUMNS } from "./place-parts.ts";

/** Facts are kept so long, parts for ever. */
const FACTS_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Checks every priced order that the transaction's scope shows: parts, lines and columns add up, refunds give back no more than was
 * taken off and all of it once nothing is left, and the facts of orders since `since` still make the same price.
 * @returns nothing where all is well
 */
export async function verifyParts(tx: Transaction, since: string): Promise<Breach[]> {
  const breaches = await breachesOf(tx, RULES);
  const other = await otherPrices(tx, since);
  return other.length > 0
    ? [...breaches, { rule: "the facts make the same price", count: other.length, example: other[0] ?? "" }]
    : breaches;
}

/** Orders whose facts make other parts than theirs. What came after the price (the channel's own, what was borne) is left out. */
async function otherPrices(tx: Transaction, since: string): Promise<string[]> {
  const found = await sql<{ order_no: string; facts: string; parts: { ref: string; off: number }[] }>`
    select o.order_no, f.facts, (select coalesce(json_agg(json_build_object('ref', case when p.source = 'short' then substr(p.ref, strpos(p.ref, ':') + 1) else p.ref end, 'off', p.off_cents) order by p.n), '[]')
      from price_parts p where p.service_provider_id = f.service_provider_id and p.order_id = f.order_id and p.source <> 'channel') as parts
    from price_facts f join pay_orders o on o.service_provider_id = f.service_provider_id and o.id = f.order_id where f.at >= ${since}`.execute(
    tx,
  );
  return found.rows.flatMap(({ order_no, facts: text, parts }) => {
    const { facts, wish } = JSON.parse(text) as { facts: Facts; wish: Wish };
    const again = price(facts, wish).parts.map(({ ref, off_cents }) => ({ ref, off: off_cents }));
    return JSON.stringify(again) === JSON.stringify(parts) ? [] : [order_no];
  });
}

const sumsOf = (column: string): RawBuilder<unknown> => {
  const sources = Object.entries(COLUMNS).flatMap(([source, of]) => (of === column ? [source] : []));
  return sql`coalesce(sum(p.off_cents) filter (where p.source = any(${sources})), 0) <> o.${sql.raw(column)}`;
};
const columns = [...new Set(Object.values(COLUMNS))];

const RULES: Rules = {
  "an order's columns are the sums of its parts": sql`select o.order_no from pay_orders o left join price_parts p on p.service_provider_id = o.service_provider_id and p.order_id = o.id
    where o.priced group by o.service_provider_id, o.id having ${sql.join(columns.map(sumsOf), sql` or `)}`,
  "a part is the sum of its lines": sql`select o.order_no from price_parts p join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id
    where p.off_cents <> (select coalesce(sum(l.cents), 0) from price_part_lines l where l.service_provider_id = p.service_provider_id and l.order_id = p.order_id and l.n = p.n)`,
  "a line comes to what was rung up less its parts": sql`select o.order_no from order_lines l join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
    where l.net_cents <> l.units * l.unit_cents - (select coalesce(sum(c.cents), 0) from price_part_lines c
      join price_parts p on p.service_provider_id = c.service_provider_id and p.order_id = c.order_id and p.n = c.n and p.source <> 'stored'
      where c.service_provider_id = l.service_provider_id and c.order_id = l.order_id and c.place = l.place)`,
  "an order is worth what its lines come to": sql`select o.order_no from pay_orders o join order_lines l on l.service_provider_id = o.service_provider_id and l.order_id = o.id
    group by o.service_provider_id, o.id having sum(l.net_cents) <> o.paid_cents + o.stored_value_cents or not o.priced`,
  "a refund is cut to its amount": sql`select r.refund_no from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id and o.priced
    where r.amount_cents <> (select coalesce(sum(b.cents), 0) from price_backs b where b.service_provider_id = r.service_provider_id and b.refund_id = r.id and b.source = 'money')`,
  "refunds give back what a part took, at most, and all of it in the end": sql`select o.order_no from price_parts p join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id,
    lateral (select coalesce(sum(b.points), 0) as points, coalesce(sum(b.provider_cents), 0) as cents from price_backs b
      join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id and r.status in (0, 1, 2)
      where b.service_provider_id = p.service_provider_id and b.order_id = p.order_id and b.source = p.source and b.ref = p.ref) s
    where s.points > p.points or s.cents > p.provider_cents or (o.status = 3 and (s.points, s.cents) <> (p.points, p.provider_cents))`,
};

/** Every night: lets facts go whose time is over. The check itself is asked with all others of what lowers a price. */
export const forgetFacts = job({
  name: "forget-price-facts",
  data: z.object({}),
  every: "45 3 * * *",
  lease_s: 1800,
  concurrency: 1,
  retryLimit: 2,
  run: async ({ pool, clock }) => {
    const until = new Date(clock.now_ms() - FACTS_DAYS * DAY_MS).toISOString();
    await withScope(pool, platformScope("forget facts"), (tx) => tx.deleteFrom("price_facts").where("at", "<", until).execute());
  },
});
