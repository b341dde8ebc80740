import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { idOfToken } from "@zhangfang/server/files/signed-link.ts";
import { tell } from "../../../messages/server/index.ts";
import { INVOICE } from "../../../orders/server/index.ts";
import { type ApplicationStatus, applyInvoice, tailOf } from "../../contract/index.ts";
import { openBuyer, sealBuyer } from "../config/seals.ts";
import type { Buyer } from "../provider/provider.ts";
import { plainOnly } from "../rules/tax-rules.ts";
import { closedFor, holdOrder, type Invoiceable, invoiceableOf, type OrderRef, type SubjectRow } from "./invoiceable.ts";
import { approve, holdApplication, takeOrder } from "./make-invoices.ts";

const gone = () => new Refusal(404, "invoice.void", "开票链接无效");
/** The order of a link that we signed. @throws 404 for every other, before anything is looked up */
export function orderIdOf(ctx: Pick<Ctx, "services">, token: string): string {
  const id = idOfToken(ctx.services, INVOICE, token);
  if (id === undefined) throw gone();
  return id;
}
export async function refOf(tx: Transaction, id: string): Promise<OrderRef> {
  const found = await tx.selectFrom("pay_orders").select(["service_provider_id", "id"]).where("id", "=", id).executeTakeFirst();
  if (!found) throw gone();
  return found;
}
export const shownTitle = ({ buyer, title }: Pick<Buyer, "buyer" | "title">): string =>
  buyer === "person" ? maskName(title) : title.length <= 4 ? maskName(title) : `${title.slice(0, 2)}****${title.slice(-2)}`;

/**
 * 申请开票: under the locks of its orders, so that a refund and another application come before it or after it.
 * @throws 409 `invoice.other-request` where the request id was sent with something else before
 */
export const applyInvoiceRoute = implement(applyInvoice, async (ctx, given) => {
  const ids = [...new Set([given.token, ...given.others].map((one) => orderIdOf(ctx, one)))].toSorted();
  checkBuyer(given, given.kind);
  const status = await ctx.platform("apply for an invoice", async (tx) => {
    const found: Invoiceable[] = [];
    for (const id of ids) {
      const order = await holdOrder(tx, await refOf(tx, id));
      if (!order) throw gone();
      found.push(await invoiceableOf(tx, order));
    }
    const known = await knownApplication(tx, ctx, found, given);
    if (known !== undefined) return known;
    return write(tx, ctx, given, found, mustBeOpen(found, given, ctx.now_ms));
  });
  return { status };
});
/** The subject of orders that can be applied for together. @throws 400, 409 */
function mustBeOpen(found: readonly Invoiceable[], { cents, kind }: ParsedOf<typeof applyInvoice>, now_ms: number): SubjectRow {
  const { subject } = found[0]!;
  for (const one of found) {
    const closed = closedFor(one, now_ms);
    if (closed !== undefined) throw conflict(found.length > 1 ? `订单 ${one.order.order_no}：${closed}` : closed, "invoice.closed");
    if (one.subject?.id !== subject?.id) throw invalid("others", "这些订单不是同一个开票主体，请分开申请");
    if (one.order.alive_cents > 0) throw conflict(`订单 ${one.order.order_no} 已经申请过开票`, "invoice.applied");
  }
  if (!subject) throw gone();
  if (kind === "bs" && !subject.special) throw invalid("kind", "这家店不开专用发票");
  const plain = plainOnly(found.flatMap(({ lines }) => lines));
  if (kind === "bs" && plain !== undefined) throw invalid("kind", plain);
  const total_cents = found.reduce((sum, one) => sum + one.cents, 0);
  if (total_cents !== cents) throw conflict(`可开金额变成 ${yuan(total_cents)} 元，请刷新后再看`, "invoice.changed");
  return subject;
}
async function write(
  tx: Transaction,
  { services, now, now_ms }: Ctx,
  { requestId, token: _token, others: _others, cents: total_cents, kind, ...buyer }: ParsedOf<typeof applyInvoice>,
  found: readonly Invoiceable[],
  subject: SubjectRow,
): Promise<0 | 1> {
  const { service_provider_id, merchant_id } = found[0]!.order;
  const row = { service_provider_id, id: services.ids.uuid(now_ms), merchant_id };
  for (const one of found) await takeOrder(tx, one.order, one.cents);
  await tx
    .insertInto("invoice_applications")
    .values({
      ...row,
      subject_id: subject.id,
      kind,
      buyer: buyer.buyer,
      buyer_sealed: sealBuyer(services, row, buyer),
      title_shown: shownTitle(buyer),
      tax_no_tail: tailOf(buyer.taxNo),
      total_cents,
      source: "page",
      request_id: requestId,
      by_name: "顾客",
      created_at: now,
    })
    .execute();
  await tx
    .insertInto("invoice_application_orders")
    .values(found.map(({ order, cents }) => ({ service_provider_id, application_id: row.id, merchant_id, order_id: order.id, cents })))
    .execute();
  if (kind === "pc" && subject.auto && total_cents <= subject.auto_limit_cents) {
    await approve(tx, services, (await holdApplication(tx, service_provider_id, row.id))!, null, now);
    return 1;
  }
  await tell(
    tx,
    { level: "MCH", provider: service_provider_id, node: merchant_id },
    {
      kind: "invoice",
      title: `${kind === "bs" ? "专用发票" : "发票"} ${yuan(total_cents)} 元待审核`,
      body: subject.name,
      href: `/invoice/merchant?view=applications&id=${row.id}`,
      item: "/invoice/merchant",
      once: `invoice-application:${row.id}`,
      at: now,
    },
  );
  return 0;
}
/** What became of the same request, where it came before. @throws 409 where it asked for something else */
async function knownApplication(
  tx: Transaction,
  { services }: Ctx,
  found: readonly Invoiceable[],
  { requestId, token: _token, others: _others, cents: _cents, kind, ...buyer }: ParsedOf<typeof applyInvoice>,
): Promise<ApplicationStatus | undefined> {
  const { service_provider_id, merchant_id } = found[0]!.order;
  const { rows } = await sql<{
    id: string;
    status: ApplicationStatus;
    kind: string;
    buyer_sealed: string;
    orders: string[];
  }>`select a.id, a.status, a.kind,
      a.buyer_sealed, (select array_agg(x.order_id order by x.order_id) from invoice_application_orders x
        where x.service_provider_id = a.service_provider_id and x.application_id = a.id) as orders
    from invoice_applications a where a.service_provider_id = ${service_provider_id}
    and a.merchant_id = ${merchant_id} and a.request_id = ${requestId}`.execute(tx);
  const [known] = rows;
  if (!known) return undefined;
  const before = openBuyer(services, { service_provider_id, id: known.id }, known.buyer_sealed);
  const same =
    known.kind === kind &&
    known.orders.join() === found.map(({ order }) => order.id).join() &&
    (Object.keys(buyer) as (keyof Buyer)[]).every((name) => before[name] === buyer[name]);
  if (!same) throw conflict("这次提交和上一次不一样，请再提交一次", "invoice.other-request");
  return known.status;
}
/** @throws 400 at the field */
function checkBuyer({ buyer, taxNo }: Buyer, kind: "pc" | "bs"): void {
  if (buyer === "organisation" && taxNo === "") throw invalid("taxNo", "企业抬头要填税号");
  if (buyer === "person" && taxNo !== "") throw invalid("taxNo", "个人抬头不填税号");
  if (buyer === "person" && kind === "bs") throw invalid("kind", "专用发票要企业抬头");
}
