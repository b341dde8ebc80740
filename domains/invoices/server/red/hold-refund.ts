import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hearRed, type RefundHold } from "../../../orders/server/index.ts";
import { type OrderRef, readOrder, uncodedOf, worthSql } from "../apply/invoiceable.ts";
import { startRedOf } from "./start-red.ts";

interface Issued {
  readonly id: string;
  readonly status: number;
  readonly total_cents: number;
  readonly buyer: "person" | "organisation";
  readonly red_first: "never" | "organisation" | "always";
}
/**
 * 退款前须红冲: which invoices of an order have to be taken back before a refund that leaves `left_cents` goes out. One that is on its way is
 * waited for; what was not sent is not sent while the refund is. Stores see nothing of this room.
 */
export function holdRefund(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: OrderRef,
  left_cents: number,
): Promise<RefundHold | undefined> {
  return asPlatform(tx, async () => {
    const order = await readOrder(tx, { service_provider_id, id });
    if (!order || order.alive_cents === 0) return undefined;
    const worth = left_cents + (order.vouchers ? order.voucher_sure_cents : 0);
    if (order.alive_cents <= worth - (await uncodedOf(tx, order, worth))) return undefined;
    const { rows } = await sql<Issued>`select i.id, i.status, i.total_cents, a.buyer, t.red_first from invoices i
      join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
      join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
      where i.service_provider_id = ${service_provider_id} and (i.status in (2, 4, 6) or i.status = 1 and i.sent_at is not null)
        and i.id in (select l.invoice_id from invoice_lines l where l.service_provider_id = ${service_provider_id} and l.order_id = ${id}) order by i.id`.execute(
      tx,
    );
    const first = rows.filter(
      ({ buyer, red_first }) => red_first === "always" || (red_first === "organisation" && buyer === "organisation"),
    );
    if (first.length === 0) return undefined;
    const cents = first.reduce((sum, { total_cents }) => sum + total_cents, 0);
    const whose = first.some(({ buyer }) => buyer === "organisation") ? "企业抬头的" : "";
    return {
      words: `这笔${first.some(({ status }) => status === 1) ? "在开" : "开了"}${whose}发票 ${yuan(cents)} 元，先红冲再退款；对方已入账的要等对方确认，最多 72 小时。部分退款的，剩下的重新开给同一抬头`,
      begin: () =>
        asPlatform(tx, async () => {
          for (const { id: invoice, status } of first)
            if (status === 2 || status === 6)
              await startRedOf(tx, services, { service_provider_id, id: invoice }, { reason: "02", renew: true, by: "退款" });
        }),
    };
  });
}
/** What a refund waited for was issued: it is taken back, where the rest of the order is still worth less than stands on invoices. Its orders and itself are held. */
export async function takeBackHeld(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
): Promise<void> {
  const { rows } = await sql<{ over: boolean }>`select bool_or(g.alive_cents > ${worthSql(true)}) as over
    from invoices i join refunds r on r.service_provider_id = i.service_provider_id and r.status = 0 and r.waits_for in ('red', 'red-audit')
      and r.order_id in (select l.order_id from invoice_lines l where l.service_provider_id = i.service_provider_id and l.invoice_id = i.id)
    join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
    join invoice_orders g on g.service_provider_id = r.service_provider_id and g.order_id = r.order_id
    where i.service_provider_id = ${service_provider_id} and i.id = ${id} and i.status = 2`.execute(tx);
  const over = rows[0]?.over ?? null;
  if (over === true) await startRedOf(tx, services, { service_provider_id, id }, { reason: "02", renew: true, by: "退款" });
  if (over === false) await redEnded(tx, services, { service_provider_id, invoice_id: id }, undefined);
}
/** A red letter is over, or an invoice will not come: refunds that waited for it go on, or are somebody's to decide. Its orders and its invoice are held. */
export async function redEnded(
  tx: Transaction,
  services: Services,
  { service_provider_id, invoice_id }: { readonly service_provider_id: string; readonly invoice_id: string },
  failure: string | undefined,
): Promise<void> {
  const { rows } = await sql<{ id: string; order_id: string; open: boolean }>`select r.id, r.order_id, exists (select from invoice_lines x
      join invoices i on i.service_provider_id = x.service_provider_id and i.id = x.invoice_id
      where x.service_provider_id = r.service_provider_id and x.order_id = r.order_id
        and (i.status = 4 or i.status = 1 and i.sent_at is not null)) as open
    from refunds r where r.service_provider_id = ${service_provider_id} and r.status = 0 and r.waits_for is not null
      and r.order_id in (select l.order_id from invoice_lines l where l.service_provider_id = ${service_provider_id} and l.invoice_id = ${invoice_id})
    order by r.id`.execute(tx);
  for (const { id, order_id, open } of rows)
    if (failure !== undefined || !open) await hearRed(tx, services, { service_provider_id, id, order_id }, failure);
}
