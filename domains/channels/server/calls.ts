import { sql } from "kysely";
import { all, is } from "@zhangfang/server/conditions.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { NOT_FOUND, type Outcome } from "./channel.ts";

/** What an answer leaves in the row of the call that was written down before it was made. */
export const said = (outcome: Outcome<unknown>) => ({
  outcome: outcome.kind,
  ...(outcome.kind === "refused" && { code: outcome.code, message: outcome.message }),
  ...(outcome.kind === "unknown" && { message: outcome.reason }),
});

interface Asked {
  readonly table: "channel_calls" | "sharing_calls" | "payout_calls";
  /** The call that is over. */
  readonly call: { readonly service_provider_id: string; readonly id: string };
  /** The columns that name what was sent, with their values. */
  readonly number: Readonly<Record<string, string>>;
  readonly operation: string;
  /** The operation that asks what became of it. */
  readonly query: string;
  /**
   * Money that goes out under the next number when this one is given up early: what the channel took is then decided by its query alone,
   * and for ten minutes after a call that nobody heard the end of 'never heard of it' is not believed: the request may still be on its
   * way at the channel, and a query may not yet see what was just taken (Alipay tells of a refund after ten seconds; for shares no
   * channel names a time). To wait costs nothing but the wait. An order that is closed early is still taken when it is paid.
   */
  readonly paysTwice: boolean;
}
/**
 * Whether another call with this number may still have its effect: one that ended without a word is over when the channel says, after
 * the silence, that it has never heard of the number.
 */
export async function hasOpenCall(tx: Transaction, { table, call, number, operation, query, paysTwice }: Asked): Promise<boolean> {
  const named = Object.entries(number);
  const found = await sql<{ open: boolean }>`select exists (
    select 1 from ${sql.table(table)} c where c.service_provider_id = ${call.service_provider_id} and c.id <> ${call.id} and c.operation = ${operation}
      and ${all(named.map(([column, value]) => is(`c.${column}`, value)))}
      and (${sql.lit(paysTwice)} and c.outcome = 'ok' or (c.outcome is null or c.outcome = 'unknown') and not exists (
        select 1 from ${sql.table(table)} q where q.service_provider_id = c.service_provider_id and q.operation = ${query}
          and ${all(named.map(([column]) => sql`${sql.ref(`q.${column}`)} = ${sql.ref(`c.${column}`)}`))} and q.code = ${NOT_FOUND}
          and q.started_at >= coalesce(c.ended_at, c.started_at + interval '60 seconds') + interval ${sql.lit(paysTwice ? "10 minutes" : "0")}))) as open`.execute(
    tx,
  );
  return found.rows[0]?.open === true;
}
