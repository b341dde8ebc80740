import { sql, type RawBuilder } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { z } from "zod";
import { all, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { profitFilter, Profit } from "../../contract/merchants-profit.ts";
import { stretchesOf, type Stretch } from "../spans.ts";
import { NOTHING, storedOf } from "../takings/figures.ts";
import { merchantsFor, summedAs, TABLES } from "../takings/standing-of.ts";

export type ProfitFilter = z.output<z.ZodObject<typeof profitFilter>>;
/** A group as the database answers it. */
export interface ProfitFound {
  readonly id: string;
  readonly day: string | null;
  readonly merchant: string | null;
  readonly sp: string | null;
  readonly name: string | null;
  readonly sort: string | number;
  readonly groups: number;
  readonly gross_cents: number;
  readonly discount_cents: number;
  readonly paid_cents: number;
  readonly refund_cents: number;
  readonly fee_cents: number;
  readonly shared_cents: number;
  readonly share_returned_cents: number;
  readonly settled_cents: number | null;
  readonly profit_cents: number;
}

/** What of a span's takings, shares and bills is a filter's, by its groups; one group where `by` is nothing. */
export function profitGroups(scope: Scope, filter: ProfitFilter, by: ProfitFilter["by"] | undefined): RawBuilder<ProfitFound> {
  const span = { from: filter.from, to: filter.to };
  const { by: _by, ...levels } = filter;
  const days = by === "day" || by === "both";
  const keys = (
    day: string,
  ) => sql`${days ? sql.ref(`t.${day}`) : sql`null::date`} as day, ${by === "merchant" || by === "both" ? sql`t.merchant_id` : sql`null::uuid`} as merchant,
    ${by === "merchant" || by === "both" ? sql`t.service_provider_id` : sql`null::uuid`} as sp`;
  const part = (
    table: string,
    { unit, span: { from, to } }: Omit<Stretch, "sign">,
    sums: RawBuilder<unknown>,
    whose: RawBuilder<unknown>,
  ) =>
    sql`select ${keys(unit)}, ${sums} from ${sql.table(table)} t where ${whose} and ${sql.ref(`t.${unit}`)} between ${from} and ${to} group by 1, 2, 3`;
  const seen = all([inScope(scope, "t"), narrowed(levels, "t")]);
  const whole = { unit: "day", span } as const;
  const tables = TABLES[merchantsFor(scope)];
  const parts = [
    ...(days ? [{ ...whole, sign: 1 } as const] : stretchesOf(span)).map((stretch) =>
      part(tables[stretch.unit], stretch, sql`true as moved, ${summedAs(TAKEN, stretch.sign)}, ${NONE}`, seen),
    ),
    part("takings_shared", whole, SHARED, seen),
    // A bill is a merchant's: it can't be told apart by stores, nor by whom the merchant belonged to on that day.
    ...(BILLED.includes(scope.level) && scope.stores === undefined && filter.agentId === undefined && filter.businessTeamId === undefined
      ? [part("recon_days", whole, SETTLED, all([inScope(scope, "t", "merchant"), sql`t.has_bill`, narrowed(levels, "t")]))]
      : []),
  ];
  // What was taken comes to nothing where it lies outside the span; a share or a bill is there, whatever it comes to.
  return sql<ProfitFound>`select f.day, f.merchant, f.sp, sum(f.gross_cents)::bigint as gross_cents, sum(f.discount_cents)::bigint as discount_cents,
      sum(f.paid_cents)::bigint as paid_cents, sum(f.refund_cents)::bigint as refund_cents, sum(f.fee_cents - f.refund_fee_cents)::bigint as fee_cents,
      sum(f.shared_cents)::bigint as shared_cents, sum(f.share_returned_cents)::bigint as share_returned_cents, sum(f.settled_cents)::bigint as settled_cents,
      sum(f.paid_cents - f.refund_cents - f.fee_cents + f.refund_fee_cents - f.shared_cents)::bigint as profit_cents
    from (${sql.join(parts, sql` union all `)}) f group by 1, 2, 3 having sum(f.pay_count) <> 0 or sum(f.refund_count) <> 0 or not bool_and(f.moved)`;
}
/** To whom a merchant belongs whoever it is attributed to. */
const BILLED: readonly string[] = ["PLATFORM", "ADMIN", "SP", "MCH"];
const TAKEN = Object.keys(NOTHING);
const NONE = sql`0::bigint as shared_cents, 0::bigint as share_returned_cents, null::bigint as settled_cents`;
const ZEROS = sql.raw(TAKEN.map(() => "0::bigint").join(", "));
const SHARED = sql`false, ${ZEROS}, sum(t.shared_cents - t.share_returned_cents)::bigint, sum(t.share_returned_cents)::bigint, null::bigint`;
const SETTLED = sql`false, ${ZEROS}, 0::bigint, 0::bigint, sum(t.settled_cents)::bigint`;

export const profitOf = (found: Pick<ProfitFound, `${string}_cents` & keyof ProfitFound>): Profit => ({
  grossCents: found.gross_cents as Cents,
  discountCents: found.discount_cents as Cents,
  storedCents: storedOf(found) as Cents,
  paidCents: found.paid_cents as Cents,
  refundCents: found.refund_cents as Cents,
  feeKeptCents: found.fee_cents as Cents,
  sharedCents: found.shared_cents as Cents,
  shareReturnedCents: found.share_returned_cents as Cents,
  profitCents: found.profit_cents as Cents,
  settledCents: found.settled_cents as Cents | null,
});
