import type { Selectable } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { HardwareKind, OutputCause } from "../../contract/index.ts";
import { sendOutput } from "./send-output.ts";

export type OutputRow = Selectable<DB["hardware_outputs"]>;
/** A device that is to print or say something. */
export interface Target {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly id: string;
  readonly kind: string;
}
export interface NewOutput {
  readonly cause: OutputCause;
  readonly order_id?: string;
  readonly refund_id?: string;
  readonly attempt_id?: string;
  readonly by?: string;
}

/**
 * Writes down that a device is to print or say something. A payment, refund or voucher comes once for each device.
 * @returns its id; nothing where it is there already
 */
export async function writeOutput(tx: Transaction, services: Services, target: Target, given: NewOutput): Promise<string | undefined> {
  const now_ms = services.clock.now_ms();
  const added = await tx
    .insertInto("hardware_outputs")
    .values({
      service_provider_id: target.service_provider_id,
      id: services.ids.uuid(now_ms),
      merchant_id: target.merchant_id,
      store_id: target.store_id,
      hardware_id: target.id,
      kind: target.kind as HardwareKind,
      cause: given.cause,
      order_id: given.order_id ?? null,
      refund_id: given.refund_id ?? null,
      attempt_id: given.attempt_id ?? null,
      by_name: given.by ?? null,
      created_at: new Date(now_ms).toISOString(),
    })
    .onConflict((conflicting) => conflicting.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added?.id;
}
/** The same, and has it sent as soon as this transaction has committed. */
export async function queueOutput(tx: Transaction, services: Services, target: Target, given: NewOutput): Promise<void> {
  const id = await writeOutput(tx, services, target, given);
  if (id !== undefined) await services.jobs.enqueue(tx, sendOutput, { service_provider_id: target.service_provider_id, id });
}
