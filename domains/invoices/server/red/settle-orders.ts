import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  type InvoicedOrder,
  holdOrder,
  linesFor,
  linesLeft,
  moneyDone,
  moneyLeft,
  subjectById,
  uncodedOf,
  worthSql,
} from "../apply/invoiceable.ts";
import { endApplication, freeOrder, holdApplication, makeInvoices, ordersOf, takeOrder } from "../apply/make-invoices.ts";
import { plainOnly, type Sold, sumOf } from "../rules/tax-rules.ts";
import { startRedOf } from "./start-red.ts";

/** Brings an order's invoices to its money, after a refund is done: what waits is lowered, what was issued is taken back in red. */
export async function settleOrder(
  tx: Transaction,
  services: Services,
  ref: { readonly service_provider_id: string; readonly id: string },
): Promise<void> {
  const order = await holdOrder(tx, ref);
  if (!order) return;
  // While another refund is on its way its goods count as gone already: that one settles.
  const uncoded = order.refunding_cents > 0 ? 0 : await uncodedOf(tx, order, moneyDone(order), false);
  if (order.alive_cents <= moneyDone(order) - uncoded) return;
  const { service_provider_id, id: order_id } = order;
  const { rows } = await sql<{
    id: string;
  }>`select x.application_id as id from invoice_application_orders x where x.service_provider_id = ${service_provider_id}
    and x.order_id = ${order_id} and x.living`.execute(tx);
  const application = rows[0] && (await holdApplication(tx, service_provider_id, rows[0].id));
  if (!application) return;
  if (application.status === 0) {
    await lower(tx, services, application, order);
    return;
  }
  const invoices = await sql<{
    id: string;
    status: number;
  }>`select i.id, i.status from invoices i where i.service_provider_id = ${service_provider_id}
    and i.application_id = ${application.id} and (i.status in (0, 2, 3, 6) or i.status = 1 and i.sent_at is null)
    and exists (select from invoice_lines l where l.service_provider_id = i.service_provider_id and l.invoice_id = i.id and l.order_id = ${order_id})
    order by i.id for no key update of i`.execute(tx);
  for (const { id, status } of invoices.rows) {
    if (status === 2 || status === 6) {
      await startRedOf(tx, services, { service_provider_id, id }, { reason: "02", renew: true, by: "退款" });
      continue;
    }
    // Never issued: it is given up, and what is left is made anew.
    if (status === 1)
      await sql`update invoices i set status = 3 where i.service_provider_id = ${service_provider_id} and i.id = ${id}`.execute(tx);
    await sql`update invoices i set status = 7, next_at = null, manual = false, why = '订单退款，重新开' where i.service_provider_id = ${service_provider_id} and i.id = ${id}`.execute(
      tx,
    );
    await renewOf(tx, services, { service_provider_id, id }, true);
  }
}
/** 待审核: the application asks for less, or for nothing any more. */
async function lower(
  tx: Transaction,
  services: Services,
  application: NonNullable<Awaited<ReturnType<typeof holdApplication>>>,
  order: InvoicedOrder,
): Promise<void> {
  const at = new Date(services.clock.now_ms()).toISOString();
  const { service_provider_id, id } = application;
  const mine = (await ordersOf(tx, application)).find(({ order_id }) => order_id === order.id);
  if (!mine) return;
  const subject = await subjectById(tx, service_provider_id, application.subject_id);
  const lines = await linesFor(tx, order, subject, Math.min(mine.cents, moneyLeft(order)));
  const cents = lines.reduce((sum, { total_cents }) => sum + total_cents, 0);
  if (cents === mine.cents) return;
  if (application.total_cents - mine.cents + cents === 0) {
    await endApplication(tx, application, { status: 4, why: "订单已退款", at });
    return;
  }
  await freeOrder(tx, order, mine.cents - cents);
  await sql`update invoice_application_orders x set cents = ${cents}, living = ${cents} > 0 where x.service_provider_id = ${service_provider_id} and x.application_id = ${id} and x.order_id = ${order.id}`.execute(
    tx,
  );
  await sql`update invoice_applications a set total_cents = a.total_cents - ${mine.cents - cents} where a.service_provider_id = ${service_provider_id} and a.id = ${id}`.execute(
    tx,
  );
}
/** Whether more of an order stands on invoices than it is worth once its refunds are out: settled when they are. Its orders are held. */
export async function overWorth(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
): Promise<boolean> {
  const { rows } = await sql<{ over: boolean }>`select exists (select from invoice_lines l
      join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
      join invoice_orders g on g.service_provider_id = l.service_provider_id and g.order_id = l.order_id
      where l.service_provider_id = ${service_provider_id} and l.invoice_id = ${id}
        and g.alive_cents > ${worthSql(true)}) as over`.execute(tx);
  return rows[0]!.over;
}
/** Holds the orders of an invoice. Everybody holds in this order: orders by their ids, application, invoice, red letter. */
export async function holdOrdersOf(
  tx: Transaction,
  { service_provider_id, invoice_id }: { readonly service_provider_id: string; readonly invoice_id: string },
): Promise<void> {
  await sql`select o.id from pay_orders o where o.service_provider_id = ${service_provider_id} and o.id in (select l.order_id from invoice_lines l
    where l.service_provider_id = ${service_provider_id} and l.invoice_id = ${invoice_id}) order by o.id for no key update`.execute(tx);
}
/** The same for every order that stands on an invoice: a refund may have come while it was issued. */
export async function settleOrders(
  tx: Transaction,
  services: Services,
  { service_provider_id, invoice_id }: { readonly service_provider_id: string; readonly invoice_id: string },
): Promise<void> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct l.order_id as id from invoice_lines l where l.service_provider_id = ${service_provider_id}
    and l.invoice_id = ${invoice_id} order by l.order_id`.execute(tx);
  for (const { id } of rows) await settleOrder(tx, services, { service_provider_id, id });
}

/**
 * An invoice is over (taken back in red, or given up): its orders are free of it; with `again` what they are still worth is issued anew in
 * the same application, for the same buyer; of a 专用发票 that may not be one any more nothing is, and the application says why. An
 * application of which nothing is left is over too.
 */
export async function renewOf(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  again: boolean,
): Promise<void> {
  const { rows } = await sql<{
    order_id: string;
    application_id: string;
    cents: number;
  }>`select l.order_id, i.application_id, sum(l.total_cents)::bigint as cents
    from invoice_lines l join invoices i on i.service_provider_id = l.service_provider_id and i.id = l.invoice_id
    where l.service_provider_id = ${service_provider_id} and l.invoice_id = ${id} group by l.order_id, i.application_id order by l.order_id`.execute(
    tx,
  );
  await holdOrdersOf(tx, { service_provider_id, invoice_id: id });
  const application = rows[0] && (await holdApplication(tx, service_provider_id, rows[0].application_id));
  if (!application) return;
  const subject = await subjectById(tx, service_provider_id, application.subject_id);
  const parts: { readonly order: InvoicedOrder; readonly cents: number; readonly part: readonly Sold[] }[] = [];
  for (const { order_id, cents } of rows) {
    await freeOrder(tx, { service_provider_id, id: order_id }, cents);
    const order = (await holdOrder(tx, { service_provider_id, id: order_id }))!;
    const part = again ? await linesLeft(tx, order, subject, Math.min(cents, Math.max(0, moneyLeft(order) - order.alive_cents))) : [];
    parts.push({ order, cents, part });
  }
  const rest = parts.flatMap(({ part }) => part);
  const plain = application.kind === "bs" ? plainOnly(rest) : undefined;
  const why = plain === undefined ? null : `剩下的 ${yuan(sumOf(rest))} 元没有重开：${plain}，请顾客重新申请`;
  const lines = plain === undefined ? rest : [];
  let lost_cents = 0;
  for (const { order, cents, part } of parts) {
    const kept = plain === undefined ? sumOf(part) : 0;
    if (kept > 0) await takeOrder(tx, order, kept);
    lost_cents += cents - kept;
    await sql`update invoice_application_orders x set cents = x.cents - ${cents - kept}, living = x.cents - ${cents - kept} > 0
      where x.service_provider_id = ${service_provider_id} and x.application_id = ${application.id} and x.order_id = ${order.id}`.execute(
      tx,
    );
  }
  if (lines.length > 0) await makeInvoices(tx, services, application, lines);
  const left = await sql<{
    living: number;
    red: boolean;
  }>`select count(*) filter (where i.status not in (5, 7))::int as living, coalesce(bool_or(i.status = 5), false) as red
    from invoices i where i.service_provider_id = ${service_provider_id} and i.application_id = ${application.id}`.execute(tx);
  const { living, red } = left.rows[0]!;
  const status = living > 0 ? (lines.length > 0 ? 1 : application.status) : red ? 5 : 4;
  await sql`update invoice_applications a set total_cents = a.total_cents - ${lost_cents}, status = ${status},
      why = coalesce(${why}::text, a.why, case when ${status}::int in (4, 5) then '发票已全部作废或红冲' end)
    where a.service_provider_id = ${service_provider_id} and a.id = ${application.id}`.execute(tx);
}
