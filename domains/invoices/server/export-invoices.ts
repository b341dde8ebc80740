import { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import {
  applicationFilters,
  applicationStatus,
  buyerKind,
  invoiceFilters,
  invoiceKind,
  invoiceStatus,
  type listApplications,
  type listInvoices,
} from "../contract/index.ts";
import { applicationsListed } from "./read/read-applications.ts";
import { invoicesListed } from "./read/read-invoices.ts";

const ofInvoices = z.object(invoiceFilters);
export const invoiceExport: ExportSource<typeof ofInvoices> = {
  name: "invoices",
  title: "发票",
  access: "/invoice/merchant/export",
  input: ofInvoices,
  columns: [
    exportColumn("invoiceNo", "发票号码", 24),
    exportColumn("number", "流水号", 24),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("kind", "票种", 10, "code"),
    exportColumn("buyer", "抬头类型", 10, "code"),
    exportColumn("title", "抬头", 20),
    exportColumn("totalCents", "价税合计", 14, "money"),
    exportColumn("taxCents", "税额", 14, "money"),
    exportColumn("subjectName", "开票主体", 30),
    exportColumn("why", "说明", 30),
    exportColumn("issuedAt", "开票时间", 20, "time"),
    exportColumn("createdAt", "申请时间", 20, "time"),
  ],
  ...fileOf(invoicesListed, ({ manual: _manual, ...row }: RowOf<typeof listInvoices>) => ({
    ...row,
    status: invoiceStatus.label(row.status),
    kind: invoiceKind.label(row.kind),
    buyer: buyerKind.label(row.buyer),
  })),
};
const ofApplications = z.object(applicationFilters);
export const applicationExport: ExportSource<typeof ofApplications> = {
  name: "invoice-applications",
  title: "开票申请",
  access: "/invoice/merchant/export",
  input: ofApplications,
  columns: [
    exportColumn("createdAt", "申请时间", 20, "time"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("kind", "票种", 10, "code"),
    exportColumn("buyer", "抬头类型", 10, "code"),
    exportColumn("title", "抬头", 20),
    exportColumn("taxNoTail", "税号后四位", 12),
    exportColumn("totalCents", "金额", 14, "money"),
    exportColumn("orders", "订单", 8, "count"),
    exportColumn("invoices", "发票", 8, "count"),
    exportColumn("subjectName", "开票主体", 30),
    exportColumn("decidedBy", "审核人", 14),
    exportColumn("why", "说明", 30),
  ],
  ...fileOf(applicationsListed, (row: RowOf<typeof listApplications>) => ({
    ...row,
    status: applicationStatus.label(row.status),
    kind: invoiceKind.label(row.kind),
    buyer: buyerKind.label(row.buyer),
  })),
};
