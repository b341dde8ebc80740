import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { statementState, subsidyCause } from "../../contract/index.ts";

interface Moved {
  readonly cause: "payment" | "refund";
  readonly cents: number;
  readonly at: string;
  readonly month: string;
  readonly state: (typeof statementState.values)[number] | null;
}
/** The station of an order's money trace at which its provider pays a part of what came off by its coupons. */
export async function traceSubsidy(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  order: { readonly service_provider_id: string; readonly id: string },
) {
  const { rows } =
    await sql<Moved>`select e.cause, q.amount_cents as cents, e.occurred_at as at, to_char(x.month, 'YYYY-MM') as month, s.state
    from subsidy_entries e join subsidy_postings q on q.service_provider_id = e.service_provider_id and q.entry_id = e.id
    join subsidy_accounts a on a.service_provider_id = q.service_provider_id and a.id = q.account_id and a.kind = 'claim'
    cross join lateral (select date_trunc('month', e.occurred_at at time zone 'Asia/Shanghai')::date as month) x
    left join subsidy_statements s on s.service_provider_id = e.service_provider_id and s.merchant_id = e.merchant_id and s.month = x.month
    where e.service_provider_id = ${order.service_provider_id} and e.order_id = ${order.id} and ${inScope(scope, "e", "merchant")}
    order by e.occurred_at`.execute(tx);
  if (rows.length === 0) return undefined;
  const lines = rows.map(({ cause, cents, at, month, state }) => ({
    label: `服务商补贴 · ${subsidyCause.label(cause)}`,
    note: state === null ? `${month} 的结算单还没出` : `${month} 的结算单${statementState.label(state)}`,
    amountCents: cents as never,
    rounding: null,
    at: at as never,
  }));
  const total = rows.reduce((sum, { cents }) => sum + cents, 0);
  return { station: "subsidy" as const, lines, sum: { label: "服务商欠商户的补贴", amountCents: total as never } };
}
