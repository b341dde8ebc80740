import { sql } from "kysely";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { NOT_FOUND, type Outcome } from "../../../channels/server/index.ts";
import type { channelOperation } from "../../contract/codes.ts";
import type { OrderRow } from "../rows.ts";

type Operation = CodeOf<typeof channelOperation>;
/** A call to a channel that was written down before it was made. */
export interface OpenCall {
  readonly service_provider_id: string;
  readonly id: string;
  readonly operation: Operation;
}

/** Writes down that the channel is about to be asked. A row without an outcome is a call that nobody heard the end of. */
export async function beginCall(
  tx: Transaction,
  services: Services,
  order: Pick<OrderRow, "service_provider_id" | "id" | "merchant_id" | "store_id">,
  operation: Operation,
  number: string,
  refund_id?: string,
): Promise<OpenCall> {
  const now_ms = services.clock.now_ms();
  const { service_provider_id, merchant_id, store_id } = order;
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("channel_calls")
    .values({
      service_provider_id,
      id,
      merchant_id,
      store_id,
      order_id: order.id,
      refund_id: refund_id ?? null,
      operation,
      number,
      started_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return { service_provider_id, id, operation };
}
/** Writes down how it ended. */
export async function endCall(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, operation }: OpenCall,
  outcome: Outcome<unknown>,
): Promise<void> {
  services.metrics.channelCalls.inc({ operation, outcome: outcome.kind });
  const said =
    outcome.kind === "ok"
      ? {}
      : outcome.kind === "refused"
        ? { code: outcome.code, message: outcome.message }
        : { message: outcome.reason };
  await tx
    .updateTable("channel_calls")
    .set({ outcome: outcome.kind, ended_at: new Date(services.clock.now_ms()).toISOString(), ...said })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .execute();
}
/**
 * For how long after a call that nobody heard the end of 'never heard of it' is not believed: the request may still be on its way at the
 * channel, and a query may not yet see what was just taken (Alipay tells of a refund after ten seconds). A refund that is given up early
 * may be paid out twice under its next number; an order that is closed early is still taken when it is paid.
 */
const SILENCE = { pay: sql.lit("0 seconds"), refund: sql.lit("10 minutes") };
/**
 * Whether another call with this number may still have its effect: a refund that the channel took is decided by its query alone, and
 * what ended without a word is over when the channel says, after the silence, that it has never heard of the number.
 */
export async function hasOpenCall(
  tx: Transaction,
  { service_provider_id, id }: OpenCall,
  order_id: string,
  number: string,
  operation: "pay" | "refund",
): Promise<boolean> {
  const ask: Operation = operation === "pay" ? "query" : "query-refund";
  const found = await sql<{ open: boolean }>`select exists (
    select 1 from channel_calls c where c.service_provider_id = ${service_provider_id} and c.order_id = ${order_id} and c.operation = ${operation} and c.number = ${number} and c.id <> ${id}
      and (c.outcome = 'ok' and c.operation = 'refund' or (c.outcome is null or c.outcome = 'unknown') and not exists (
        select 1 from channel_calls q where q.service_provider_id = c.service_provider_id and q.order_id = c.order_id and q.operation = ${ask} and q.number = c.number
          and q.code = ${NOT_FOUND} and q.started_at >= coalesce(c.ended_at, c.started_at + interval '60 seconds') + interval ${SILENCE[operation]}))) as open`.execute(
    tx,
  );
  return found.rows[0]?.open === true;
}
