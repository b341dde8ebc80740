import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { BillTypeCode } from "../../contract/index.ts";
import type { DayRef } from "../rows.ts";

export interface NewBill {
  readonly type: BillTypeCode;
  readonly origin: "fetch" | "upload";
  readonly status: "waiting" | "uploading";
  readonly fileName?: string;
  readonly sizeBytes?: number;
  readonly by?: { readonly id: string; readonly name: string };
}

/**
 * Writes down that a bill is on its way. One at a time: two of a day's type at once would be each other's half.
 * @returns its id @throws 409 where one is on its way already
 */
export async function addBill(tx: Transaction, services: Services, ref: DayRef, bill: NewBill): Promise<string> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("bill_files")
    .values({
      service_provider_id: ref.service_provider_id,
      id,
      merchant_id: ref.merchant_id,
      source: ref.source,
      bill_type: bill.type,
      day: ref.day,
      origin: bill.origin,
      status: bill.status,
      file_name: bill.fileName ?? null,
      size_bytes: bill.sizeBytes ?? 0,
      asked_by: bill.by?.id ?? null,
      asked_by_name: bill.by?.name ?? null,
      created_at: new Date(now_ms).toISOString(),
    })
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw conflict("这天的同种账单正在导入，请等它完成", "bill-at-work");
  return id;
}
