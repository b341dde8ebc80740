import { sql } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { Drill, Ranked, Span } from "../../contract/index.ts";
import { payDrill } from "../drills.ts";
import { netOf } from "../takings/figures.ts";
import { standingOf } from "../takings/standing-of.ts";

/** The sums that a ranking shows. */
export const RANKED_SUMS = ["pay_count", "paid_cents", "fee_cents", "refund_count", "refund_cents", "refund_fee_cents"];
/** A group that came to nothing: its movements lie outside the span. */
export const MOVED = sql`sum(f.pay_count) <> 0 or sum(f.refund_count) <> 0`;
/** The rows of a ranking as the database answers them. */
export interface RankedSums {
  readonly id: string;
  readonly name: string;
  readonly pay_count: number;
  readonly paid_cents: number;
  readonly fee_cents: number;
  readonly refund_cents: number;
  readonly refund_fee_cents: number;
  /** How many there are in all. */
  readonly of: number;
}
export const rankedOf = (row: RankedSums, drill: Drill): Ranked => ({
  id: row.id,
  name: row.name,
  payCount: row.pay_count,
  paidCents: row.paid_cents as Cents,
  refundCents: row.refund_cents as Cents,
  netCents: netOf(row) as Cents,
  drill,
});

/** The ten that took most in a span: merchants of a provider, stores of a merchant. */
export async function readRanking(tx: Transaction, scope: Scope, span: Span) {
  const kind = scope.level === "SP" ? ("merchant" as const) : ("store" as const);
  const by = { id: `${kind}_id`, service_provider_id: "service_provider_id" };
  const parts = standingOf(scope, span, `${kind}s`, by, RANKED_SUMS);
  const { rows } = await sql<RankedSums>`
    with ranked as (
      select f.id, f.service_provider_id, sum(f.pay_count)::bigint as pay_count, sum(f.paid_cents)::bigint as paid_cents, sum(f.fee_cents)::bigint as fee_cents,
        sum(f.refund_cents)::bigint as refund_cents, sum(f.refund_fee_cents)::bigint as refund_fee_cents, count(*) over () as of
      from (${parts}) f group by f.id, f.service_provider_id having ${MOVED} order by sum(f.paid_cents) desc, f.id limit 10)
    select r.*, n.short_name as name from ranked r join ${sql.table(`${kind}s`)} n on n.service_provider_id = r.service_provider_id and n.id = r.id
    order by r.paid_cents desc, r.id`.execute(tx);
  return { kind, count: rows[0]?.of ?? 0, rows: rows.map((row) => rankedOf(row, payDrill(span, { [`${kind}Id`]: row.id }))) };
}
