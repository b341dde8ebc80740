import { sql } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  getInvoice,
  getRed,
  listInvoices,
  listReds,
  retryInvoice,
  startRed,
  steerRed,
  summariseInvoices,
  summariseReds,
} from "../../contract/index.ts";
import { waysTo } from "../deliver/ways.ts";
import { fileUrlOf } from "../apply/invoice-page.ts";
import { newInvoiceNumber } from "../apply/make-invoices.ts";
import { retry } from "../issue/issue-invoices.ts";
import { startRedOf } from "../red/start-red.ts";
import { CONFIRM_MS } from "../rules/ask-times.ts";
import { heldInvoice, noteOf } from "./held-invoice.ts";

type Filter = ParsedOf<typeof summariseInvoices>;
const ofOrder = (
  keyword: string,
) => sql`exists (select from invoice_lines l join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
  where l.service_provider_id = i.service_provider_id and l.invoice_id = i.id and o.order_no = ${keyword})`;
const ofStore = (
  storeId: string,
) => sql`exists (select from invoice_lines l join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
  where l.service_provider_id = i.service_provider_id and l.invoice_id = i.id and o.store_id = ${storeId})`;
const where = (scope: Scope, { keyword, status, kind, storeId, ...days }: Filter, leaveStatus = false) =>
  all([
    inScope(scope, "i", "merchant"),
    keyword !== undefined && sql`i.invoice_no = ${keyword} or i.number = ${keyword} or ${ofOrder(keyword)}`,
    storeId !== undefined && ofStore(storeId),
    !leaveStatus && is("i.status", status),
    is("i.kind", kind),
    during(days, "i.created_at"),
  ]);
const COLUMNS = sql`i.id, m.short_name as "merchantName", t.name as "subjectName", i.application_id as "applicationId", i.number, i.invoice_no as "invoiceNo", i.status,
  i.kind, a.buyer, a.title_shown as title, i.total_cents as "totalCents", i.tax_cents as "taxCents", i.manual, i.why, i.issued_at as "issuedAt", i.created_at as "createdAt"`;
const FROM = sql`invoices i join merchants m on m.service_provider_id = i.service_provider_id and m.id = i.merchant_id
  join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
  join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id`;
/** The list for screen and file. */
export const invoicesListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: where(scope, filter),
  order: "i.created_at",
});

/** 发票. */
export const listInvoicesRoute = implement(listInvoices, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listInvoices>>(tx, input, invoicesListed(scope, input)),
);
export const summariseInvoicesRoute = implement(summariseInvoices, async ({ tx, scope }, filter) => {
  const { rows } = await sql<{
    count: number;
    totalCents: never;
    taxCents: never;
  }>`select count(*)::int as count, coalesce(sum(i.total_cents), 0)::bigint as "totalCents",
      coalesce(sum(i.tax_cents), 0)::bigint as "taxCents" from invoices i where ${where(scope, filter)}`.execute(tx);
  const by = await sql<{
    status: number;
    count: number;
  }>`select i.status, count(*)::int as count from invoices i where ${where(scope, filter, true)} group by i.status`.execute(tx);
  return { ...rows[0]!, byStatus: Object.fromEntries(by.rows.map(({ status, count }) => [String(status), count])) };
});
type One = OutputOf<typeof getInvoice>;
export const getInvoiceRoute = implement(getInvoice, async ({ tx, scope, services }, { id }) => {
  const { rows } = await sql<
    RowOf<typeof listInvoices> & Pick<One, "issuedCents" | "takeWhy" | "ours"> & { service_provider_id: string }
  >`select i.service_provider_id, ${COLUMNS}, i.issued_cents as "issuedCents", i.take_why as "takeWhy", i.deliver_by <> '{}' as ours from ${FROM} where i.id = ${id} and ${inScope(scope, "i", "merchant")}`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("发票");
  const lines = await sql<
    One["lines"][number]
  >`select l.name, l.tax_code as "taxCode", l.tax_rate as "taxRate", l.units, l.total_cents as "totalCents", l.tax_cents as "taxCents",
      o.order_no as "orderNo" from invoice_lines l join pay_orders o on o.service_provider_id = l.service_provider_id and o.id = l.order_id
    where l.invoice_id = ${id} and ${inScope(scope, "l", "merchant")} order by l.place`.execute(tx);
  const files = await sql<
    One["files"][number] & { kept: boolean }
  >`select f.id, f.format, f.red_id is not null as red, f.sha256 is not null as kept, f.why from invoice_files f
    where f.invoice_id = ${id} and ${inScope(scope, "f", "merchant")} order by f.red_id nulls first, array_position(array['pdf', 'ofd', 'xml'], f.format)`.execute(
    tx,
  );
  const deliveries = await sql<
    One["deliveries"][number]
  >`select d.way, d.status, d.why, d.by_name as "byName", coalesce(d.ended_at, d.created_at) as at from invoice_deliveries d
    where d.invoice_id = ${id} and ${inScope(scope, "d", "merchant")} order by d.round desc, d.way limit 20`.execute(tx);
  const reds = await sql<One["reds"][number]>`select r.id, r.status, r.bureau::int, r.red_no as "redNo", r.why from invoice_reds r
    where r.invoice_id = ${id} and ${inScope(scope, "r", "merchant")} order by r.created_at, r.id`.execute(tx);
  const calls = await sql<
    One["calls"][number]
  >`select c.operation, c.number, c.started_at as "startedAt", c.ended_at as "endedAt", c.outcome,
      trim(coalesce(c.code, '') || ' ' || coalesce(c.message, '')) as said from invoice_calls c
    where (c.about_id = ${id} or c.about_id in (select r.id from invoice_reds r where r.service_provider_id = c.service_provider_id and r.invoice_id = ${id}))
      and ${inScope(scope, "c", "merchant")} order by c.started_at desc, c.id desc limit 30`.execute(tx);
  const { service_provider_id, ...found } = rows[0];
  return {
    ...found,
    deliveries: deliveries.rows,
    ways: await waysTo(tx, services, { service_provider_id, invoice_id: id }),
    lines: lines.rows,
    files: files.rows.map(({ kept, ...file }) => ({ ...file, url: kept ? fileUrlOf(services, file.id) : null })),
    reds: reds.rows,
    calls: calls.rows,
  };
});

/** 重试 and 再查. */
export const retryInvoiceRoute = implement(retryInvoice, async (ctx, { id }) => {
  const invoice = await heldInvoice(ctx, id);
  if (invoice.status !== 3 && !(invoice.status === 1 && invoice.manual))
    throw conflict("只有开票失败或要人工核对的可以重试", "invoice.not-failed");
  await retry(ctx.tx, ctx.services, invoice, newInvoiceNumber(ctx.services, "B"));
  noteOf(ctx, invoice, invoice.status === 3 ? { 重试: true } : { 再查: true });
  return { ok: true } as const;
});
/** 红冲. */
export const startRedRoute = implement(startRed, async (ctx, { id, reason, renew }) => {
  const invoice = await heldInvoice(ctx, id);
  const red = await startRedOf(ctx.tx, ctx.services, invoice, { reason: `0${reason}`, renew, by: askerOf(ctx).name });
  noteOf(ctx, invoice, { status: 4, reason, renew });
  return { id: red };
});

type RedFilter = ParsedOf<typeof summariseReds>;
const redsWhere = (scope: Scope, { keyword, status, ...days }: RedFilter, leaveStatus = false) =>
  all([
    inScope(scope, "r", "merchant"),
    keyword !== undefined && sql`r.red_no = ${keyword} or r.number = ${keyword} or i.invoice_no = ${keyword} or ${ofOrder(keyword)}`,
    !leaveStatus && is("r.status", status),
    during(days, "r.created_at"),
  ]);
const REDS_FROM = sql`invoice_reds r join invoices i on i.service_provider_id = r.service_provider_id and i.id = r.invoice_id
  join merchants m on m.service_provider_id = r.service_provider_id and m.id = r.merchant_id
  join invoice_applications a on a.service_provider_id = i.service_provider_id and a.id = i.application_id`;
const redsListed = (scope: Scope, filter: RedFilter): Listed => ({
  columns: sql`r.id, r.invoice_id as "invoiceId", i.invoice_no as "invoiceNo", m.short_name as "merchantName", r.number, r.status, r.bureau::int, r.reason::int,
    r.total_cents as "totalCents", r.red_no as "redNo", a.title_shown as title, r.manual, r.why, r.said_cents as "saidCents", r.take_why as "takeWhy", r.by_name as "byName",
    case when r.status = 2 then r.sent_at + ${sql.lit(CONFIRM_MS / 1000)} * interval '1 second' end as until, r.created_at as "createdAt", r.ended_at as "endedAt"`,
  from: REDS_FROM,
  where: redsWhere(scope, filter),
  order: "r.created_at",
});
/** 红字. */
export const listRedsRoute = implement(listReds, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listReds>>(tx, input, redsListed(scope, input)),
);
export const getRedRoute = implement(getRed, ({ tx, scope }, { id }) =>
  oneRow<RowOf<typeof listReds>>(tx, "红字", id, redsListed(scope, {})),
);
export const summariseRedsRoute = implement(summariseReds, async ({ tx, scope }, filter) => {
  const { rows } = await sql<{
    count: number;
    totalCents: never;
  }>`select count(*)::int as count, coalesce(sum(r.total_cents), 0)::bigint as "totalCents"
    from ${REDS_FROM} where ${redsWhere(scope, filter)}`.execute(tx);
  const by = await sql<{
    status: number;
    count: number;
  }>`select r.status, count(*)::int as count from ${REDS_FROM} where ${redsWhere(scope, filter, true)} group by r.status`.execute(tx);
  return { ...rows[0]!, byStatus: Object.fromEntries(by.rows.map(({ status, count }) => [String(status), count])) };
});
/** 撤销, 再查. */
export const steerRedRoute = implement(steerRed, async (ctx, { id, act }) => {
  const { tx, scope, now } = ctx;
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    status: number;
    manual: boolean;
  }>`select r.service_provider_id, r.merchant_id, r.status, r.manual
    from invoice_reds r where r.id = ${id} and ${inScope(scope, "r", "merchant")} for no key update`.execute(tx);
  const [red] = rows;
  if (!red) throw notFound("红字");
  if (red.status > 2) throw conflict("这张红字已经有结果", "invoice.red-over");
  if (act === "revoke" && red.status !== 2) throw conflict("只有等对方确认的可以撤销", "invoice.red-not-waiting");
  const done = await tx
    .updateTable("invoice_reds")
    .set({ next_at: now, asked: 0, manual: false, ...(act === "revoke" && { revoke: true }) })
    .where("service_provider_id", "=", red.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", red.status)
    .executeTakeFirst();
  mustChange(done, () => conflict("这张红字已经有结果", "invoice.red-over"));
  ctx.note({
    targetKind: "invoice_red",
    targetId: id,
    provider: red.service_provider_id,
    merchant: red.merchant_id,
    before: { status: red.status },
    after: { act },
  });
  return { ok: true } as const;
});
