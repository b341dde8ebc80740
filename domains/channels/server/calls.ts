import { sql } from "kysely";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
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

/** Why the channel refused what was sent. */
export interface No {
  readonly code: string;
  readonly message: string;
}
/**
 * The channel's no to the latest sending with a number, where nobody has asked about the number since: a channel may refuse with a 4xx what
 * it did all the same, so that the number is asked about once before it is given up. One that was asked about may be sent again.
 */
export async function standingNo(
  tx: Transaction,
  { table, call, number, operation, query }: Omit<Asked, "paysTwice">,
): Promise<No | undefined> {
  const named = Object.entries(number);
  const { rows } = await sql<{ outcome: string | null; code: string | null; message: string | null }>`
    select c.outcome, c.code, c.message from ${sql.table(table)} c
    where c.service_provider_id = ${call.service_provider_id} and c.operation = ${operation} and ${all(named.map(([column, value]) => is(`c.${column}`, value)))}
      and not exists (select 1 from ${sql.table(table)} q where q.service_provider_id = c.service_provider_id and q.id <> ${call.id} and q.operation = ${query}
        and ${all(named.map(([column]) => sql`${sql.ref(`q.${column}`)} = ${sql.ref(`c.${column}`)}`))} and q.outcome <> 'unknown' and q.started_at >= c.ended_at)
    order by c.started_at desc limit 1`.execute(tx);
  const [last] = rows;
  return last?.outcome === "refused" ? { code: last.code ?? "", message: last.message ?? "" } : undefined;
}
/** Whether the answer to the question bears out the no: the channel has never heard of the number, or says the same no to the question. */
export const bearsOut = (no: No | undefined, answer: No): no is No =>
  no !== undefined && (answer.code === NOT_FOUND || answer.code === no.code);
