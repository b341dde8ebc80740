import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Terms } from "./commission-rules.ts";

/** A payment or a refund as the merchants' book has it, with whom it is attributed to and how it was paid. */
export interface Fact {
  readonly id: string;
  readonly cause: "payment" | "refund";
  readonly order_id: string;
  readonly refund_id: string | null;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly agent_id: string | null;
  readonly business_group_id: string | null;
  readonly business_team_id: string | null;
  readonly salesman_id: string | null;
  readonly occurred_at: string;
  /** Of the fact, and of the payment behind it: the one says when it counts, the other by which terms. */
  readonly day: string;
  readonly fact_cents: number;
  readonly fee_cents: number;
  readonly channel: number;
  readonly product: string;
  readonly merchant_rate: number;
}
/** Columns of a `Fact` from ledger entries `e` and their orders `o`. */
export const factColumns = sql`e.id, e.cause, e.order_id, e.refund_id, e.merchant_id, e.store_id, e.agent_id, e.business_group_id, e.business_team_id,
  e.salesman_id, e.occurred_at, to_char(e.occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
  (e.paid_cents + e.refund_cents)::bigint as fact_cents, (e.fee_cents + e.refund_fee_cents)::bigint as fee_cents,
  e.channel, o.trade_type as product, o.fee_rate as merchant_rate`;

const keyOf = (fact: Fact): string =>
  [fact.day, fact.agent_id, fact.business_group_id, fact.business_team_id, fact.salesman_id, fact.channel, fact.product].join("|");

/**
 * The terms of payments, as they were on their own days. Many payments share theirs: each chain is asked for once.
 * @returns what to ask for the terms of each
 */
export async function termsOf(tx: Transaction, provider: string, payments: readonly Fact[]): Promise<(payment: Fact) => Terms> {
  const asked = [...new Map(payments.map((fact) => [keyOf(fact), fact])).values()];
  const { rows } = await sql<{ n: number } & Omit<Terms, "merchant_rate">>`
    select k.n, t.provider_rate, t.agent_rate, t.agent_ratio, t.group_ratio, t.team_ratio, t.salesman_ratio
    from json_to_recordset(${JSON.stringify(
      asked.map((fact, n) => ({
        n,
        agent: fact.agent_id,
        grp: fact.business_group_id,
        team: fact.business_team_id,
        salesman: fact.salesman_id,
        channel: fact.channel,
        product: fact.product,
        day: fact.day,
      })),
    )}::json) as k(n int, agent uuid, grp uuid, team uuid, salesman uuid, channel int, product text, day date)
    cross join lateral app.commission_terms(${provider}::uuid, k.agent, k.grp, k.team, k.salesman, k.channel, k.product, k.day) t`.execute(
    tx,
  );
  const found = new Map(rows.map(({ n, ...terms }) => [keyOf(asked[n]!), terms]));
  return (payment) => ({ ...found.get(keyOf(payment))!, merchant_rate: payment.merchant_rate });
}
