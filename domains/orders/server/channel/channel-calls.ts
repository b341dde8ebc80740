import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { behind, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hasOpenCall as isOpen, type No, said, standingNo as stands, type Outcome } from "../../../channels/server/index.ts";
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
  const call = {
    service_provider_id,
    id,
    merchant_id,
    store_id,
    order_id: order.id,
    refund_id: refund_id ?? null,
    operation,
    number,
    started_at: new Date(now_ms).toISOString(),
  };
  behind(tx, tx.insertInto("channel_calls").values(call));
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
  behind(
    tx,
    tx
      .updateTable("channel_calls")
      .set({ ended_at: new Date(services.clock.now_ms()).toISOString(), ...said(outcome) })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id),
  );
}
const asked = (call: OpenCall, order_id: string, number: string, operation: "pay" | "refund") => ({
  table: "channel_calls" as const,
  call,
  number: { order_id, number },
  operation,
  query: operation === "pay" ? "query" : "query-refund",
});
/** Whether another call with this number may still have its effect. */
export const hasOpenCall = (
  tx: Transaction,
  call: OpenCall,
  order_id: string,
  number: string,
  operation: "pay" | "refund",
): Promise<boolean> => isOpen(tx, { ...asked(call, order_id, number, operation), paysTwice: operation === "refund" });
/** The channel's no to the latest sending, where nobody has asked about it since. */
export const standingNo = (
  tx: Transaction,
  call: OpenCall,
  order_id: string,
  number: string,
  operation: "pay" | "refund",
): Promise<No | undefined> => stands(tx, asked(call, order_id, number, operation));
