import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { shiftFigures } from "../../contract/shift.ts";

export type Figures = z.input<typeof shiftFigures>;
type Row = Figures["rows"][number];

/** A stretch of a store's ledger, of one cashier or of all. */
export interface Stretch {
  readonly service_provider_id: string;
  readonly store_id: string;
  readonly cashier_id: string | undefined;
  readonly after_seq: number;
  readonly up_to_seq: number;
}

/** What was taken and given back in a stretch of the ledger, by cashier and method. */
export async function shiftFiguresOf(tx: Transaction, scope: Scope, stretch: Stretch): Promise<Omit<Figures, "outside">> {
  const found = await sql<Row>`
    select o.cashier_id as "cashierId", coalesce(max(c.name), '未指定收银员') as "cashierName", o.pay_method as "payMethod", o.tool,
      count(*) filter (where e.cause = 'payment')::int as "payCount", sum(e.gross_cents)::bigint as "grossCents", sum(e.discount_cents)::bigint as "discountCents",
      sum(e.gross_cents - e.discount_cents - e.paid_cents)::bigint as "storedCents",
      sum(e.paid_cents)::bigint as "paidCents", (sum(e.fee_cents) - sum(e.refund_fee_cents))::bigint as "feeCents",
      count(*) filter (where e.cause = 'refund')::int as "refundCount", sum(e.refund_cents)::bigint as "refundCents", (sum(e.paid_cents) - sum(e.refund_cents))::bigint as "netCents",
      ${forPurpose("paid_cents", "= 1")} as "rechargeCents", ${forPurpose("refund_cents", "= 1")} as "rechargeBackCents",
      ${forPurpose("paid_cents", "> 1")} as "cardCents", ${forPurpose("refund_cents", "> 1")} as "cardBackCents"
    from ledger_entries e
    join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    left join cashiers c on c.service_provider_id = o.service_provider_id and c.id = o.cashier_id
    where ${entriesIn(scope, stretch)}
    group by o.cashier_id, o.pay_method, o.tool order by 2, sum(e.paid_cents) desc, o.tool`.execute(tx);
  return { rows: found.rows, total: totalOf(found.rows) };
}
const forPurpose = (column: string, purposes: string): RawBuilder<number> =>
  sql.raw(`coalesce(sum(e.${column}) filter (where o.purpose ${purposes}), 0)::bigint`);
/** The condition on ledger_entries `e` joined with their orders `o`. */
export function entriesIn(scope: Scope, { service_provider_id, store_id, cashier_id, after_seq, up_to_seq }: Stretch) {
  const mine = cashier_id === undefined ? sql`true` : sql`o.cashier_id = ${cashier_id}`;
  return sql<boolean>`e.service_provider_id = ${service_provider_id} and e.store_id = ${store_id} and e.seq > ${after_seq} and e.seq <= ${up_to_seq}
    and e.cause in ('payment', 'refund') and ${mine} and ${inScope(scope, "e")}`;
}

const SUMMED = [
  "payCount",
  "grossCents",
  "discountCents",
  "storedCents",
  "paidCents",
  "feeCents",
  "refundCount",
  "refundCents",
  "netCents",
  "rechargeCents",
  "rechargeBackCents",
  "cardCents",
  "cardBackCents",
] as const;
function totalOf(rows: readonly Row[]): Figures["total"] {
  const total = Object.fromEntries(SUMMED.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)]));
  return total as unknown as Figures["total"];
}
