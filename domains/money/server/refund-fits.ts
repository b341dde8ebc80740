import { type RawBuilder, sql } from "kysely";

/**
 * That a refund which failed still fits into its order: so much of its value and of its money is left. Sent again, one that does not is refused.
 * @param refund its alias @param order that of its order
 * @example where r.status = 3 and ${refundFits("r", "o")}
 */
export function refundFits(refund: string, order: string): RawBuilder<boolean> {
  const [r, o] = [sql.ref(refund), sql.ref(order)];
  return sql<boolean>`(${o}.status = 2
    and ${o}.value_refunded_cents + ${o}.value_refunding_cents + ${r}.value_cents <= ${o}.paid_cents + ${o}.principal_cents + ${o}.gift_cents
    and ${o}.refunded_cents + ${o}.refunding_cents + ${r}.amount_cents <= ${o}.paid_cents)`;
}
