import { sql } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { plainOnly, type Sold, splitInvoices, sumOf, taxOf } from "../rules/tax-rules.ts";
import { holdOrder, type InvoicedOrder, linesFor, moneyLeft, subjectById } from "./invoiceable.ts";

export interface ApplicationRow {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly status: number;
  readonly kind: "pc" | "bs";
  readonly buyer: "person" | "organisation";
  readonly buyer_sealed: string;
  readonly total_cents: number;
}
/** An application, held. */
export async function holdApplication(tx: Transaction, service_provider_id: string, id: string): Promise<ApplicationRow | undefined> {
  const { rows } =
    await sql<ApplicationRow>`select a.service_provider_id, a.id, a.merchant_id, a.subject_id, a.status, a.kind, a.buyer, a.buyer_sealed, a.total_cents
    from invoice_applications a where a.service_provider_id = ${service_provider_id} and a.id = ${id} for no key update`.execute(tx);
  return rows[0];
}
/** Our number: a letter, the moment and seven digits; the platform takes 20 signs. */
export const newInvoiceNumber = (services: Services, letter: "B" | "R"): string =>
  `${letter}${shanghaiTime(services.clock.now_ms()).replaceAll(/\D/g, "").slice(2)}${services.ids.digits(7)}`;

/** Sets so much of an order aside for an application. @throws 409 where another is alive, or nothing is left */
export async function takeOrder(tx: Transaction, order: InvoicedOrder, cents: number): Promise<void> {
  const { service_provider_id, id, merchant_id, store_id, vouchers } = order;
  const left = moneyLeft(order);
  const taken = await sql`insert into invoice_orders as g (service_provider_id, order_id, merchant_id, store_id, alive_cents, vouchers)
    select ${service_provider_id}, ${id}, ${merchant_id}, ${store_id}, ${cents}, ${vouchers} where ${cents}::bigint <= ${left}::bigint
    on conflict (service_provider_id, order_id) do update set alive_cents = g.alive_cents + excluded.alive_cents, vouchers = excluded.vouchers
      where g.alive_cents + excluded.alive_cents <= ${left}`.execute(tx);
  if (taken.numAffectedRows !== 1n) throw conflict("订单的可开金额变了，请刷新后再看", "invoice.changed");
}
/** Gives so much of an order free again. */
export async function freeOrder(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  cents: number,
): Promise<void> {
  const freed =
    await sql`update invoice_orders g set alive_cents = g.alive_cents - ${cents} where g.service_provider_id = ${service_provider_id}
    and g.order_id = ${id} and g.alive_cents >= ${cents}`.execute(tx);
  if (freed.numAffectedRows !== 1n) throw new Error("more of an order freed than stood on invoices");
}

/** Makes the invoices of these lines, as many as the subject's limits want; each waits to be sent. */
export async function makeInvoices(
  tx: Transaction,
  services: Services,
  application: ApplicationRow,
  lines: readonly Sold[],
): Promise<void> {
  const { service_provider_id, merchant_id, subject_id, kind } = application;
  const subject = await subjectById(tx, service_provider_id, subject_id);
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  for (const part of splitInvoices(lines, subject)) {
    const id = services.ids.uuid(now_ms);
    await tx
      .insertInto("invoices")
      .values({
        service_provider_id,
        id,
        merchant_id,
        application_id: application.id,
        subject_id,
        number: newInvoiceNumber(services, "B"),
        kind,
        total_cents: sumOf(part),
        tax_cents: taxOf(part),
        next_at: now,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto("invoice_lines")
      .values(part.map((line, at) => ({ service_provider_id, invoice_id: id, merchant_id, place: at + 1, ...line })))
      .execute();
  }
}
/** What an application's orders have set aside. */
export async function ordersOf(tx: Transaction, { service_provider_id, id }: Pick<ApplicationRow, "service_provider_id" | "id">) {
  const { rows } = await sql<{ order_id: string; cents: number }>`select x.order_id, x.cents from invoice_application_orders x
    where x.service_provider_id = ${service_provider_id} and x.application_id = ${id} and x.living order by x.order_id`.execute(tx);
  return rows;
}
/** 待审核 to 开票中: its invoices are made and wait to be sent. */
export async function approve(
  tx: Transaction,
  services: Services,
  application: ApplicationRow,
  by: string | null,
  at: string,
): Promise<void> {
  const { service_provider_id, id } = application;
  const moved = await sql`update invoice_applications a set status = 1, decided_by_name = ${by}, decided_at = ${at}
    where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.status = 0`.execute(tx);
  if (moved.numAffectedRows !== 1n) throw conflict("这个申请已被处理，请刷新后查看", "invoice.decided");
  const lines: Sold[] = [];
  const subject = await subjectById(tx, service_provider_id, application.subject_id);
  for (const { order_id, cents } of await ordersOf(tx, application)) {
    const order = await holdOrder(tx, { service_provider_id, id: order_id });
    if (!order) continue;
    if (order.alive_cents > moneyLeft(order)) throw conflict(`订单 ${order.order_no} 正在退款，等退款有结果再审`, "invoice.refunding");
    lines.push(...(await linesFor(tx, order, subject, cents)));
  }
  const plain = application.kind === "bs" ? plainOnly(lines) : undefined;
  if (plain !== undefined) throw conflict(`${plain}，请驳回后让顾客重新申请`, "invoice.plain-only");
  if (sumOf(lines) !== application.total_cents) throw conflict("订单的可开金额变了，请驳回后让顾客重新申请", "invoice.changed");
  await makeInvoices(tx, services, application, lines);
}
/** Ends an application and gives its orders free. */
export async function endApplication(
  tx: Transaction,
  application: Pick<ApplicationRow, "service_provider_id" | "id" | "status">,
  to: { readonly status: 3 | 4 | 5; readonly why?: string; readonly by?: string; readonly at: string },
): Promise<void> {
  const { service_provider_id, id, status } = application;
  for (const { order_id, cents } of await ordersOf(tx, application)) await freeOrder(tx, { service_provider_id, id: order_id }, cents);
  await sql`update invoice_application_orders x set living = false where x.service_provider_id = ${service_provider_id} and x.application_id = ${id}`.execute(
    tx,
  );
  const moved = await tx
    .updateTable("invoice_applications")
    .set({
      status: to.status,
      ...(to.why !== undefined && { why: to.why }),
      ...(to.by !== undefined && { decided_by_name: to.by, decided_at: to.at }),
    })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", status)
    .executeTakeFirst();
  mustChange(moved, () => conflict("这个申请已被处理，请刷新后查看", "invoice.decided"));
}
