import { sql } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  cancelApplication,
  decideApplication,
  getApplication,
  listApplications,
  revealBuyer,
  summariseApplications,
} from "../../contract/index.ts";
import { approve, endApplication, holdApplication, ordersOf } from "../apply/make-invoices.ts";
import { holdOrder } from "../apply/invoiceable.ts";
import { openBuyer } from "../config/seals.ts";

type Filter = ParsedOf<typeof summariseApplications>;
const where = (scope: Scope, { keyword, status, kind, buyer, storeId, ...days }: Filter, leaveStatus = false) =>
  all([
    inScope(scope, "a", "merchant"),
    keyword !== undefined &&
      sql`exists (select from invoice_application_orders x join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
        where x.service_provider_id = a.service_provider_id and x.application_id = a.id and o.order_no = ${keyword})`,
    storeId !== undefined &&
      sql`exists (select from invoice_application_orders x join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
        where x.service_provider_id = a.service_provider_id and x.application_id = a.id and o.store_id = ${storeId})`,
    !leaveStatus && is("a.status", status),
    is("a.kind", kind),
    is("a.buyer", buyer),
    during(days, "a.created_at"),
  ]);
const COLUMNS = sql`a.id, m.short_name as "merchantName", t.name as "subjectName", a.status, a.kind, a.buyer, a.title_shown as title, a.tax_no_tail as "taxNoTail",
  a.total_cents as "totalCents", (select count(*)::int from invoice_application_orders x where x.service_provider_id = a.service_provider_id and x.application_id = a.id) as orders,
  (select count(*)::int from invoices i where i.service_provider_id = a.service_provider_id and i.application_id = a.id and i.status <> 7) as invoices,
  a.decided_by_name as "decidedBy", a.decided_at as "decidedAt", a.why, a.created_at as "createdAt"`;
const FROM = sql`invoice_applications a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id
  join tax_subjects t on t.service_provider_id = a.service_provider_id and t.id = a.subject_id`;
/** The list for screen and file. */
export const applicationsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: where(scope, filter),
  order: "a.created_at",
});

/** 开票申请. */
export const listApplicationsRoute = implement(listApplications, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listApplications>>(tx, input, applicationsListed(scope, input)),
);
export const summariseApplicationsRoute = implement(summariseApplications, async ({ tx, scope }, filter) => {
  const { rows } = await sql<{
    count: number;
    totalCents: never;
  }>`select count(*)::int as count, coalesce(sum(a.total_cents), 0)::bigint as "totalCents"
    from invoice_applications a where ${where(scope, filter)}`.execute(tx);
  const by = await sql<{
    status: number;
    count: number;
  }>`select a.status, count(*)::int as count from invoice_applications a where ${where(scope, filter, true)} group by a.status`.execute(tx);
  return { ...rows[0]!, byStatus: Object.fromEntries(by.rows.map(({ status, count }) => [String(status), count])) };
});
export const getApplicationRoute = implement(getApplication, async ({ tx, scope }, { id }) => {
  const { rows } = await sql<
    RowOf<typeof listApplications>
  >`select ${COLUMNS} from ${FROM} where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("开票申请");
  type One = OutputOf<typeof getApplication>;
  const orders = await sql<
    One["ofOrders"][number]
  >`select o.id as "orderId", o.order_no as "orderNo", s.short_name as "storeName", o.paid_at as "paidAt", x.cents
    from invoice_application_orders x join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id
    join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
    where x.application_id = ${id} and ${inScope(scope, "x", "merchant")} order by o.paid_at, o.id`.execute(tx);
  const invoices = await sql<
    One["ofInvoices"][number]
  >`select i.id, i.number, i.invoice_no as "invoiceNo", i.status, i.total_cents as "totalCents" from invoices i
    where i.application_id = ${id} and ${inScope(scope, "i", "merchant")} order by i.created_at, i.id`.execute(tx);
  return { ...rows[0], ofOrders: orders.rows, ofInvoices: invoices.rows };
});

/** An application in sight, held after its orders. @throws 404 */
async function heldApplication({ tx, scope }: Ctx, id: string) {
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
  }>`select a.service_provider_id, a.merchant_id from invoice_applications a
    where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("开票申请");
  const { service_provider_id } = found;
  for (const { order_id } of await ordersOf(tx, { service_provider_id, id })) await holdOrder(tx, { service_provider_id, id: order_id });
  return (await holdApplication(tx, service_provider_id, id))!;
}
/** 审核. */
export const decideApplicationRoute = implement(decideApplication, async (ctx, { id, approve: yes, why }) => {
  const application = await heldApplication(ctx, id);
  if (application.status !== 0) throw conflict("这个申请已被处理，请刷新后查看", "invoice.decided");
  if (!yes && why === "") throw invalid("why", "请写驳回的原因，顾客会看到");
  const by = askerOf(ctx).name;
  if (yes) await approve(ctx.tx, ctx.services, application, by, ctx.now);
  else await endApplication(ctx.tx, application, { status: 3, why, by, at: ctx.now });
  ctx.note({
    targetKind: "invoice_application",
    targetId: id,
    provider: application.service_provider_id,
    merchant: application.merchant_id,
    before: { status: 0 },
    after: { status: yes ? 1 : 3, why },
  });
  return { ok: true } as const;
});
/** 取消: where nothing of it stands issued and nothing is on its way. */
export const cancelApplicationRoute = implement(cancelApplication, async (ctx, { id }) => {
  const application = await heldApplication(ctx, id);
  const { service_provider_id, merchant_id, status } = application;
  if (status !== 0 && status !== 1) throw conflict("这个申请不能取消了", "invoice.decided");
  const { rows } = await sql<{
    id: string;
    status: number;
  }>`select i.id, i.status from invoices i where i.service_provider_id = ${service_provider_id}
    and i.application_id = ${id} and i.status <> 7 order by i.id for no key update`.execute(ctx.tx);
  if (rows.some((one) => one.status !== 0 && one.status !== 3 && one.status !== 5))
    throw conflict("已有发票在开或已开出，不能取消；已开出的请红冲", "invoice.sent");
  await sql`update invoices i set status = 7, next_at = null, why = '申请取消' where i.service_provider_id = ${service_provider_id} and i.application_id = ${id}
    and i.status in (0, 3)`.execute(ctx.tx);
  await endApplication(ctx.tx, application, { status: 4, why: "门店取消", at: ctx.now });
  ctx.note({
    targetKind: "invoice_application",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    before: { status },
    after: { status: 4 },
  });
  return { ok: true } as const;
});
/** 查看购方信息: each look is in the audit log. */
export const revealBuyerRoute = implement(revealBuyer, async (ctx, { id }) => {
  const found = await ctx.tx
    .selectFrom("invoice_applications as a")
    .select(["a.service_provider_id", "a.merchant_id", "a.id", "a.buyer_sealed"])
    .where("a.id", "=", id)
    .where(inScope(ctx.scope, "a", "merchant"))
    .executeTakeFirst();
  if (!found) throw notFound("开票申请");
  ctx.note({
    targetKind: "invoice_application",
    targetId: id,
    provider: found.service_provider_id,
    merchant: found.merchant_id,
    after: { 查看: "购方信息" },
  });
  const { buyer: _kind, ...facts } = openBuyer(ctx.services, found, found.buyer_sealed);
  return facts;
});
