import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { holdOrdersOf } from "../red/settle-orders.ts";

/** An invoice in sight, held after its orders. @throws 404 */
export async function heldInvoice({ tx, scope }: Ctx, id: string) {
  const seen = await sql<{
    service_provider_id: string;
  }>`select i.service_provider_id from invoices i where i.id = ${id} and ${inScope(scope, "i", "merchant")}`.execute(tx);
  if (!seen.rows[0]) throw notFound("发票");
  await holdOrdersOf(tx, { service_provider_id: seen.rows[0].service_provider_id, invoice_id: id });
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    id: string;
    status: number;
    manual: boolean;
    number: string;
    issued_at: string | null;
  }>`select i.service_provider_id,
      i.merchant_id, i.id, i.status, i.manual, i.number, i.issued_at from invoices i where i.id = ${id} and ${inScope(scope, "i", "merchant")} for no key update`.execute(
    tx,
  );
  return rows[0]!;
}
/** What a person did with it. */
export const noteOf = (
  ctx: Ctx,
  { service_provider_id, merchant_id, id, status }: Awaited<ReturnType<typeof heldInvoice>>,
  after: object,
) => ctx.note({ targetKind: "invoice", targetId: id, provider: service_provider_id, merchant: merchant_id, before: { status }, after });
