import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { idOfToken, linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { invoiceUrlFor } from "../../../orders/server/index.ts";
import { whyPrice } from "../../../pricing/server/index.ts";
import { getInvoiceFile, getInvoiceLink, getInvoicePage } from "../../contract/index.ts";
import { plainOnly } from "../rules/tax-rules.ts";
import { DAY_MS, deliveredIdOf, endOf, FILE_DAYS } from "../deliver/ways.ts";
import { closedFor, invoiceableOf, lastDayOf, readOrder, subjectAt } from "./invoiceable.ts";
import { orderIdOf, refOf } from "./apply-invoice.ts";

/** Whether a store's orders are invoiced at all, for the address on a receipt. */
export async function invoicing(
  tx: Transaction,
  order: { readonly service_provider_id: string; readonly store_id: string; readonly paid_at: string | null },
): Promise<boolean> {
  return (await subjectAt(tx, order))?.state === "active";
}
/** 开票链接, for a till. */
export const getInvoiceLinkRoute = implement(getInvoiceLink, async (ctx, { tillNo }) => {
  const { provider, merchant, stores } = ctx.scope;
  const found = await ctx.tx
    .selectFrom("pay_orders")
    .select(["service_provider_id", "id", "store_id", "paid_at"])
    .where("service_provider_id", "=", provider!)
    .where("merchant_id", "=", merchant!)
    .where("store_id", "=", stores![0]!)
    .where("till_no", "=", tillNo)
    .executeTakeFirst();
  if (!found) throw notFound("订单");
  // Stores see nothing of this room.
  return { url: await asPlatform(ctx.tx, () => invoiceUrlFor(ctx.tx, ctx.services, found)) };
});

type Page = OutputOf<typeof getInvoicePage>;
const FILE = "invoice-file";
const purposeOn = (now_ms: number): string => `${FILE}:${shanghaiDay(now_ms)}`;
/** Good today and tomorrow. */
export const fileUrlOf = (services: Services, id: string): string =>
  `/api/invoice-files/${linkToken(services, purposeOn(services.clock.now_ms()), id)}`;

/** 开发票页面. */
export const getInvoicePageRoute = implement(getInvoicePage, async (ctx, { token }) => {
  const invoiceId = deliveredIdOf(ctx.services, token);
  const id = invoiceId === undefined ? orderIdOf(ctx, token) : undefined;
  return ctx.platform("the page of an invoice", async (tx): Promise<Page> => {
    const sent = invoiceId === undefined ? undefined : await sentInvoice(tx, ctx, invoiceId);
    const order = (await readOrder(tx, sent ?? (await refOf(tx, id!))))!;
    const found = await invoiceableOf(tx, order);
    const { subject, lines, without } = found;
    const { rows } = await sql<{
      storeName: string;
      merchantName: string;
      priced: boolean;
      gross_cents: number;
      coupon_cents: number;
      free_coupon_cents: number;
    }>`select s.short_name as "storeName", m.short_name as "merchantName", o.priced, o.gross_cents, o.coupon_cents, o.free_coupon_cents
      from pay_orders o
      join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
      join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
      where o.service_provider_id = ${order.service_provider_id} and o.id = ${order.id}`.execute(tx);
    const { storeName, merchantName, ...sums } = rows[0]!;
    const { steps, refused } = await whyPrice(tx, { ...order, ...sums });
    const application = await lastApplication(tx, ctx, order, sent?.application_id);
    const applied = order.alive_cents > 0;
    // By what was sent nothing is applied for: it ends, and may have been sent on.
    const over = application?.status === 5 ? "这张已红冲，新的请用小票上的开票码查看" : "要重新开票，请扫小票上的开票码";
    const closed = sent ? over : closedFor(found, ctx.now_ms);
    return {
      storeName,
      merchantName,
      why: { steps: steps.map(({ text }) => text), refused: refused.map(({ text }) => text) },
      subjectName: subject?.name ?? "",
      orderNo: order.order_no,
      paidAt: order.paid_at as never,
      paidCents: order.paid_cents as never,
      cents: (applied || closed !== undefined ? 0 : found.cents) as never,
      special: subject?.special === true && plainOnly(lines) === undefined,
      autoLimitCents: (subject?.auto ? subject.auto_limit_cents : null) as never,
      lastDay: subject && order.paid_at !== null ? lastDayOf(order, subject) : null,
      voucherCents: (found.order.vouchers ? found.order.voucher_sure_cents : 0) as never,
      lines: lines.map(({ name, units, total_cents }) => ({ name, units, cents: total_cents as never })),
      without: without.map(({ name, cents, why }) => ({ name, cents: cents as never, why })),
      closed: applied && !sent ? null : (closed ?? null),
      application,
    };
  });
});
/** What a link that we sent leads to. @throws 404 where it ended */
async function sentInvoice(tx: Transaction, { now_ms }: Ctx, id: string) {
  const { rows } = await sql<{
    service_provider_id: string;
    id: string;
    application_id: string;
    issued_at: string;
  }>`select i.service_provider_id, i.application_id, i.issued_at, (select x.order_id from invoice_application_orders x
        where x.service_provider_id = i.service_provider_id and x.application_id = i.application_id order by x.order_id limit 1) as id
    from invoices i where i.id = ${id} and i.issued_at is not null`.execute(tx);
  const [sent] = rows;
  if (!sent) throw new Refusal(404, "invoice.void", "开票链接无效");
  if (endOf(sent.issued_at) <= now_ms)
    throw new Refusal(404, "invoice.link-over", `链接已过期：开票已满 ${FILE_DAYS} 天，要发票文件请联系门店`);
  return sent;
}
/** The order's latest application, or the one that is named, with what was issued of it. */
async function lastApplication(
  tx: Transaction,
  { services, now_ms }: Ctx,
  order: { readonly service_provider_id: string; readonly id: string },
  named?: string,
): Promise<Page["application"]> {
  const { rows } = await sql<
    NonNullable<Page["application"]> & { id: string }
  >`select a.id, a.status, a.kind, a.buyer, a.title_shown as title, a.total_cents as "totalCents", a.why,
      a.created_at as "createdAt"
    from invoice_application_orders x join invoice_applications a on a.service_provider_id = x.service_provider_id and a.id = x.application_id
    where x.service_provider_id = ${order.service_provider_id} and x.order_id = ${order.id}
      and ${named === undefined ? sql`true` : sql`a.id = ${named}`} order by a.created_at desc, a.id desc limit 1`.execute(tx);
  const [last] = rows;
  if (!last) return null;
  const { id, ...application } = last;
  const invoices = await sql<{
    status: never;
    invoiceNo: string | null;
    totalCents: never;
    files: { id: string; format: "pdf" }[];
    coming: boolean;
    stuck: boolean;
  }>`select i.status, i.status = 3 or i.manual as stuck,
      exists (select from invoice_files f where f.service_provider_id = i.service_provider_id and f.invoice_id = i.id and f.red_id is null
        and f.sha256 is null and f.next_at is not null) as coming,
      i.invoice_no as "invoiceNo", i.total_cents as "totalCents", coalesce((select json_agg(json_build_object('id', f.id, 'format', f.format) order by array_position(array['pdf', 'ofd', 'xml'], f.format))
        from invoice_files f where f.service_provider_id = i.service_provider_id and f.invoice_id = i.id and f.sha256 is not null and f.red_id is null
          and i.status <> 5 and i.issued_at > ${new Date(now_ms - FILE_DAYS * DAY_MS).toISOString()}), '[]'::json) as files
    from invoices i where i.service_provider_id = ${order.service_provider_id} and i.application_id = ${id} and i.status <> 7 order by i.created_at, i.id`.execute(
    tx,
  );
  return {
    ...application,
    waits: waitOf(application.status, invoices.rows),
    invoices: invoices.rows.map(({ files, coming: _coming, stuck: _stuck, ...one }) => ({
      ...one,
      files: files.map((file) => ({ format: file.format, url: fileUrlOf(services, file.id) })),
    })),
  };
}

/** What whoever looks at the page waits for. */
function waitOf(
  status: number,
  invoices: readonly { readonly status: number; readonly stuck: boolean; readonly coming: boolean; readonly files: readonly unknown[] }[],
): NonNullable<Page["application"]>["waits"] {
  if (status === 1) return invoices.some(({ status: at, stuck }) => at < 2 && !stuck) ? "issue" : "store";
  const bare = invoices.filter(({ status: at, files }) => at === 2 && files.length === 0);
  return bare.length === 0 ? null : bare.some(({ coming }) => coming) ? "files" : "store-files";
}
const TYPES = { pdf: "application/pdf", ofd: "application/octet-stream", xml: "application/xml" } as const;
/** 发票文件: by its signed address; what was not fetched yet has none. */
export const getInvoiceFileRoute = implement(getInvoiceFile, async (ctx, { token }) => {
  const id = [ctx.now_ms, ctx.now_ms - DAY_MS]
    .map((at) => idOfToken(ctx.services, purposeOn(at), token))
    .find((found) => found !== undefined);
  if (id === undefined) throw notFound("发票文件");
  const { rows } = await ctx.platform("a file of an invoice", (tx) =>
    sql<{ format: keyof typeof TYPES; no: string | null }>`select f.format, coalesce(r.red_no, i.invoice_no) as no from invoice_files f
      join invoices i on i.service_provider_id = f.service_provider_id and i.id = f.invoice_id
      left join invoice_reds r on r.service_provider_id = f.service_provider_id and r.id = f.red_id
      where f.id = ${id} and f.sha256 is not null`.execute(tx),
  );
  const [file] = rows;
  if (!file) throw notFound("发票文件");
  const { stream, size_bytes } = await openFiles(ctx.services.config)
    .read(id)
    .catch(() => {
      throw notFound("发票文件");
    });
  return { stream, size_bytes, fileName: `发票${file.no ?? ""}.${file.format}`, contentType: TYPES[file.format] };
});
