import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hearRed, type RefundHold } from "../../../orders/server/index.ts";
import { type OrderRef, readOrder, uncodedOf, worthSql } from "../apply/invoiceable.ts";
import { startRedOf } from "./start-red.ts";

interface Invoiced {
  readonly id: string;
  readonly status: number;
  /** On its way or issued: the platform knows of it. */
  readonly out: boolean;
  readonly total_cents: number;
  readonly buyer: "person" | "organisation";
  readonly red_first: "never" | "organisation" | "always";
}
const comesFirst = (one: Invoiced): boolean =>
  one.out && (one.red_first === "always" || (one.red_first === "organisation" && one.buyer === "organisation"));
const sumOf = (some: readonly { readonly total_cents: number }[]): string =>
  yuan(some.reduce((sum, { total_cents }) => sum + total_cents, 0));

/** The living invoices of an order of which a refund that leaves `left_cents` leaves less than stands on them; nothing where it leaves enough. */
async function overOf(
  tx: Transaction,
  { service_provider_id, id }: OrderRef,
  left_cents: number,
): Promise<{ readonly invoices: readonly Invoiced[]; readonly worth: number } | undefined> {
  const order = await readOrder(tx, { service_provider_id, id });
  if (!order || order.alive_cents === 0) return undefined;
  const money = left_cents + (order.vouchers ? order.voucher_sure_cents : 0);
  const worth = money - (await uncodedOf(tx, order, money, true));
  if (order.alive_cents <= worth) return undefined;
  const { rows } =
    await sql<Invoiced>`select i.id, i.status, i.status in (2, 4, 6) or i.status = 1 and i.sent_at is not null as out, i.total_cents, a.buyer, t.red_first from invoices i
    join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id
    join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
    where i.service_provider_id = ${service_provider_id} and i.status in (0, 1, 2, 3, 4, 6)
      and i.id in (select l.invoice_id from invoice_lines l where l.service_provider_id = ${service_provider_id} and l.order_id = ${id}) order by i.id`.execute(
      tx,
    );
  return { invoices: rows, worth };
}
/**
 * 退款前须红冲: which invoices of an order have to be taken back before a refund that leaves `left_cents` goes out. One that is on its way is
 * waited for; what was not sent is not sent while the refund is. Stores see nothing of this room.
 */
export function holdRefund(tx: Transaction, services: Services, ref: OrderRef, left_cents: number): Promise<RefundHold | undefined> {
  return asPlatform(tx, async () => {
    const first = (await overOf(tx, ref, left_cents))?.invoices.filter(comesFirst) ?? [];
    if (first.length === 0) return undefined;
    const whose = first.some(({ buyer }) => buyer === "organisation") ? "企业抬头的" : "";
    return {
      words: `这笔${first.some(({ status }) => status === 1) ? "在开" : "开了"}${whose}发票 ${sumOf(first)} 元，先红冲再退款；对方已入账的要等对方确认，最多 72 小时。部分退款的，剩下的重新开给同一抬头`,
      begin: () =>
        asPlatform(tx, async () => {
          for (const { id: invoice, status } of first)
            if (status === 2 || status === 6)
              await startRedOf(
                tx,
                services,
                { service_provider_id: ref.service_provider_id, id: invoice },
                { reason: "02", renew: true, by: "退款" },
              );
        }),
    };
  });
}
/** What becomes of the other invoices of an order, and of what was asked for: a refund waits for none of them (platforms.md 4, 红字). */
export function sayRefund(
  tx: Transaction,
  _services: Services,
  { service_provider_id, id }: OrderRef,
  left_cents: number,
): Promise<string | undefined> {
  return asPlatform(tx, async () => {
    const over = await overOf(tx, { service_provider_id, id }, left_cents);
    if (!over) return undefined;
    const { rows: asked } = await sql<{ total_cents: number }>`select x.cents as total_cents from invoice_application_orders x
      join invoice_applications a on a.service_provider_id = x.service_provider_id and a.id = x.application_id and a.status = 0
      where x.service_provider_id = ${service_provider_id} and x.order_id = ${id} and x.living`.execute(tx);
    const others = over.invoices.filter((one) => !comesFirst(one));
    const say = (some: readonly { readonly total_cents: number }[], words: (cents: string) => string): string[] =>
      some.length === 0 ? [] : [words(sumOf(some))];
    const out = others.filter((one) => one.out);
    const renewed = [
      ...say(
        out.filter(({ status }) => status === 2 || status === 6),
        (cents) => `已开的 ${cents} 元在退款完成后整张红冲，退款不用等`,
      ),
      ...say(
        out.filter(({ status }) => status === 1),
        (cents) => `在开的 ${cents} 元等开出后整张红冲，退款不用等`,
      ),
      ...say(
        others.filter((one) => !one.out),
        (cents) => `还没开出的 ${cents} 元在退款完成后作废`,
      ),
    ];
    return (
      [
        ...renewed.map((words, at) => (at === renewed.length - 1 && over.worth > 0 ? `${words}，剩下的重新开给同一抬头` : words)),
        ...say(
          out.filter(({ status }) => status === 4),
          (cents) => `${cents} 元正在红冲，退款不用等`,
        ),
        ...say(asked, (cents) => `待审核的申请 ${cents} 元在退款完成后${over.worth > 0 ? "改为剩下的金额" : "撤销"}`),
      ].join("；") || undefined
    );
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
