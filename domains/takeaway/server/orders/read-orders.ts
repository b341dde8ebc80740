import { sql } from "kysely";
import { z } from "zod";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getTakeawayOrder, listTakeawayOrders, takeawayFilters, takeawayPlatform, takeawayStatus } from "../../contract/index.ts";
import { listWhere, momentOf } from "./takeaway-where.ts";

type Row = RowOf<typeof listTakeawayOrders>;
const COLUMNS = sql`o.id, o.platform, o.platform_order_id as "platformOrderId", o.day_no as "dayNo", o.status, m.short_name as "merchantName",
  s.short_name as "storeName", o.platform_store_name as "platformStoreName", o.original_cents as "originalCents", o.package_cents as "packageCents",
  o.delivery_cents as "deliveryCents", o.shop_off_cents as "shopOffCents", o.platform_off_cents as "platformOffCents", o.paid_cents as "paidCents",
  o.fee_cents as "feeCents", o.income_cents as "incomeCents", o.refund_cents as "refundCents", o.income_cents - o.shop_refund_cents as "netCents",
  o.odd, o.placed_at as "placedAt", o.completed_at as "completedAt"`;
const NAMES = sql`join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
  left join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id`;
const input = z.object(takeawayFilters);
const listed = (scope: Scope, filter: z.output<typeof input>): Listed => ({
  columns: COLUMNS,
  from: sql`takeaway_orders o`,
  names: NAMES,
  where: sql`${inScope(scope, "o", "store")} and ${listWhere(filter)}`,
  order: momentOf(filter.dayOf),
});

/** 外卖订单: the newest first. */
export const listTakeawayOrdersRoute = implement(listTakeawayOrders, (ctx, given: ParsedOf<typeof listTakeawayOrders>) =>
  listPage<Row>(ctx.tx, given, listed(ctx.scope, given)),
);
export const getTakeawayOrderRoute = implement(getTakeawayOrder, async (ctx, { id }) => {
  const { rows } = await sql<OutputOf<typeof getTakeawayOrder>>`
    select ${COLUMNS}, o.shop_refund_cents as "shopRefundCents", o.parts_cents as "partsCents", o.source, o.platform_store_id as "platformStoreId",
      o.changed_at as "changedAt", o.lines
    from takeaway_orders o ${NAMES} where ${inScope(ctx.scope, "o", "store")} and o.id = ${id}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("外卖订单");
  return rows[0];
});

/** The list as a file. */
export const takeawayOrderExport: ExportSource<typeof input> = {
  name: "takeaway-orders",
  title: "外卖订单",
  access: "/dataCentre/takeaway/export",
  input,
  columns: [
    exportColumn("platform", "平台", 12, "code"),
    exportColumn("platformOrderId", "平台订单号", 24),
    exportColumn("dayNo", "当日编号", 10),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("originalCents", "原价", 12, "money"),
    exportColumn("packageCents", "餐盒费", 12, "money"),
    exportColumn("deliveryCents", "配送费", 12, "money"),
    exportColumn("shopOffCents", "商家活动", 12, "money"),
    exportColumn("platformOffCents", "平台活动", 12, "money"),
    exportColumn("paidCents", "用户实付", 12, "money"),
    exportColumn("feeCents", "服务费", 12, "money"),
    exportColumn("incomeCents", "预计收入", 12, "money"),
    exportColumn("refundCents", "退款", 12, "money"),
    exportColumn("netCents", "净收入", 12, "money"),
    exportColumn("odd", "收入不平", 10),
    exportColumn("placedAt", "下单时间", 20, "time"),
    exportColumn("completedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(
    (scope: Scope, filter: z.output<typeof input>) => ({ ...listed(scope, filter), from: sql`takeaway_orders o ${NAMES}` }),
    ({ id: _id, platform, status, odd, platformStoreName, storeName, ...row }: Row) => ({
      ...row,
      platform: takeawayPlatform.label(platform),
      status: takeawayStatus.label(status),
      storeName: storeName ?? `未映射：${platformStoreName}`,
      odd: odd ? "是" : "",
    }),
  ),
};
