import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { newInvoiceNumber } from "../apply/make-invoices.ts";

export interface RedAsk {
  readonly reason: "01" | "02" | "03" | "04";
  readonly renew: boolean;
  readonly by: string;
}
/** 已开票 or 红冲失败 to 红冲中: the form is sent by a job. @returns the red letter's id @throws 409 where it is neither */
export async function startRedOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, id: invoice_id }: { readonly service_provider_id: string; readonly id: string },
  { reason, renew, by }: RedAsk,
): Promise<string> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { rows } = await sql<{
    merchant_id: string;
    total_cents: number;
  }>`update invoices i set status = 4 where i.service_provider_id = ${service_provider_id}
    and i.id = ${invoice_id} and i.status in (2, 6) returning i.merchant_id, coalesce(i.issued_cents, i.total_cents) as total_cents`.execute(
    tx,
  );
  const [invoice] = rows;
  if (!invoice) throw conflict("只有已开出的发票可以红冲", "invoice.not-issued");
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("invoice_reds")
    .values({
      service_provider_id,
      id,
      invoice_id,
      ...invoice,
      number: newInvoiceNumber(services, "R"),
      reason,
      renew,
      next_at: now,
      by_name: by,
      created_at: now,
    })
    .execute();
  return id;
}
