import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import {
  applicationStatus,
  buyerKind,
  bureauState,
  deliveryStatus,
  deliveryWay,
  fileFormat,
  invoiceKind,
  invoiceStatus,
  redReason,
  redStatus,
} from "./codes.ts";

const access = "/invoice/merchant";
export const applicationFilters = {
  /** A pay order's number. */
  keyword: line(32).optional(),
  status: oneOf(applicationStatus).optional(),
  kind: oneOf(invoiceKind).optional(),
  buyer: oneOf(buyerKind).optional(),
  /** Of one of its orders. */
  storeId: id.optional(),
  ...dateRange,
};
const application = z.object({
  id,
  merchantName: z.string(),
  subjectName: z.string(),
  status: oneOf(applicationStatus),
  kind: oneOf(invoiceKind),
  buyer: oneOf(buyerKind),
  /** Masked. */
  title: z.string(),
  taxNoTail: z.string(),
  totalCents: cents,
  orders: z.int(),
  invoices: z.int(),
  decidedBy: z.string().nullable(),
  decidedAt: instant.nullable(),
  why: z.string().nullable(),
  createdAt: instant,
});
/** 开票申请. */
export const listApplications = read({
  path: "/api/invoices/applications",
  title: "开票申请",
  access,
  input: listInput(applicationFilters, ["-createdAt"]),
  output: listOutput(application),
});
export const summariseApplications = read({
  path: "/api/invoices/applications/summary",
  title: "开票申请合计",
  access,
  input: z.object(applicationFilters),
  output: z.object({ count: z.int(), totalCents: cents, byStatus: z.record(z.string(), z.int()) }),
});
export const getApplication = read({
  path: "/api/invoices/applications/one",
  title: "开票申请详情",
  access,
  input: z.object({ id }),
  output: application.extend({
    ofOrders: z.array(z.object({ orderId: id, orderNo: z.string(), storeName: z.string(), paidAt: instant, cents })),
    ofInvoices: z.array(
      z.object({ id, number: z.string(), invoiceNo: z.string().nullable(), status: oneOf(invoiceStatus), totalCents: cents }),
    ),
  }),
});
/** 通过 or 驳回, with the reason that the buyer reads. */
export const decideApplication = write({
  path: "/api/invoices/applications/decide",
  title: "审核开票申请",
  access: "/invoice/merchant/approve",
  input: z.object({ id, approve: flag, why: line(100).default("") }),
  output: done,
});
/** 查看购方信息: title, tax number, address, bank and contact in full; each look is kept. */
export const revealBuyer = write({
  path: "/api/invoices/applications/reveal",
  title: "查看购方信息",
  access: "/invoice/merchant/reveal",
  input: z.object({ id }),
  output: z.object({
    title: z.string(),
    taxNo: z.string(),
    address: z.string(),
    phone: z.string(),
    bank: z.string(),
    bankAccount: z.string(),
    mail: z.string(),
    mobile: z.string(),
  }),
});

export const invoiceFilters = {
  /** The invoice's number, ours, or a pay order's. */
  keyword: line(32).optional(),
  status: oneOf(invoiceStatus).optional(),
  kind: oneOf(invoiceKind).optional(),
  /** Of one of its orders. */
  storeId: id.optional(),
  ...dateRange,
};
const invoice = z.object({
  id,
  merchantName: z.string(),
  subjectName: z.string(),
  applicationId: id,
  number: z.string(),
  invoiceNo: z.string().nullable(),
  status: oneOf(invoiceStatus),
  kind: oneOf(invoiceKind),
  buyer: oneOf(buyerKind),
  title: z.string(),
  totalCents: cents,
  taxCents: cents,
  /** Nobody knows after a day of asking. */
  manual: z.boolean(),
  why: z.string().nullable(),
  issuedAt: instant.nullable(),
  createdAt: instant,
});
/** 发票. */
export const listInvoices = read({
  path: "/api/invoices",
  title: "发票",
  access,
  input: listInput(invoiceFilters, ["-createdAt"]),
  output: listOutput(invoice),
});
export const summariseInvoices = read({
  path: "/api/invoices/summary",
  title: "发票合计",
  access,
  input: z.object(invoiceFilters),
  output: z.object({ count: z.int(), totalCents: cents, taxCents: cents, byStatus: z.record(z.string(), z.int()) }),
});
const call = z.object({
  operation: z.string(),
  number: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
  outcome: z.string().nullable(),
  said: z.string(),
});
export const getInvoice = read({
  path: "/api/invoices/one",
  title: "发票详情",
  access,
  input: z.object({ id }),
  output: invoice.extend({
    lines: z.array(
      z.object({
        name: z.string(),
        taxCode: z.string(),
        taxRate: z.int(),
        units: z.int().nullable(),
        totalCents: cents,
        taxCents: cents,
        orderNo: z.string(),
      }),
    ),
    /** The platform says that it issued this sum, not ours. */
    issuedCents: cents.nullable(),
    takeWhy: z.string().nullable(),
    files: z.array(z.object({ id, format: oneOf(fileFormat), red: z.boolean(), url: z.string().nullable(), why: z.string().nullable() })),
    /** What was sent to the buyer by ourselves, the newest first; `byName` null: by itself. Where it went stands nowhere. */
    deliveries: z.array(
      z.object({
        way: oneOf(deliveryWay),
        status: oneOf(deliveryStatus),
        why: z.string().nullable(),
        byName: z.string().nullable(),
        at: instant,
      }),
    ),
    /** How the buyer can be sent it once more by ourselves: none where it is not good, or its link ended. */
    ways: z.array(oneOf(deliveryWay)),
    /** Whether we tell the buyer by ourselves as it comes out; else the platform does, of which nothing is known here. */
    ours: z.boolean(),
    reds: z.array(
      z.object({
        id,
        status: oneOf(redStatus),
        bureau: oneOf(bureauState).nullable(),
        redNo: z.string().nullable(),
        why: z.string().nullable(),
      }),
    ),
    calls: z.array(call),
  }),
});
/** 重试 of a failure, and 再查 where nobody knows. */
export const retryInvoice = write({
  path: "/api/invoices/retry",
  title: "重试或再查发票",
  access: "/invoice/merchant/issue",
  input: z.object({ id }),
  output: done,
});
/** 按平台的结果记账: what the platform issued with another sum counts as that, and is taken back in red at once. */
export const takeIssued = write({
  path: "/api/invoices/take-issued",
  title: "按平台的结果记账",
  access: "/invoice/merchant/red",
  input: z.object({ id, cents, reason: line(100, 2, "请填写原因") }),
  output: done,
});
/** 再取文件: asks the platform for the addresses again. */
export const fetchFilesAgain = write({
  path: "/api/invoices/files/again",
  title: "再取发票文件",
  access: "/invoice/merchant/issue",
  outside: true,
  deadline_ms: 45_000,
  input: z.object({ id }),
  output: z.object({ files: z.int() }),
});
/** 重新发送: the link to the invoice's page once more, to where its buyer wanted it. */
export const resendInvoice = write({
  path: "/api/invoices/deliver",
  title: "重新发送发票",
  access: "/invoice/merchant/issue",
  input: z.object({ id }),
  output: z.object({ ways: z.array(oneOf(deliveryWay)) }),
});
/** 取消 of what was not issued: the whole application, where none of it was. */
export const cancelApplication = write({
  path: "/api/invoices/applications/cancel",
  title: "取消开票申请",
  access: "/invoice/merchant/issue",
  input: z.object({ id }),
  output: done,
});

export const redFilters = { keyword: line(32).optional(), status: oneOf(redStatus).optional(), ...dateRange };
const red = z.object({
  id,
  invoiceId: id,
  invoiceNo: z.string(),
  merchantName: z.string(),
  number: z.string(),
  status: oneOf(redStatus),
  bureau: oneOf(bureauState).nullable(),
  reason: oneOf(redReason),
  totalCents: cents,
  redNo: z.string().nullable(),
  title: z.string(),
  manual: z.boolean(),
  why: z.string().nullable(),
  /** The bureau says that it took this sum back, not ours; and why a person took that. */
  saidCents: cents.nullable(),
  takeWhy: z.string().nullable(),
  byName: z.string(),
  /** The other side has until then to confirm. */
  until: instant.nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
});
/** 红字. */
export const listReds = read({
  path: "/api/invoices/reds",
  title: "红字发票",
  access,
  input: listInput(redFilters, ["-createdAt"]),
  output: listOutput(red),
});
export const getRed = read({
  path: "/api/invoices/reds/:id",
  title: "红字发票详情",
  access,
  input: z.object({ id }),
  output: red,
});
export const summariseReds = read({
  path: "/api/invoices/reds/summary",
  title: "红字发票合计",
  access,
  input: z.object(redFilters),
  output: z.object({ count: z.int(), totalCents: cents, byStatus: z.record(z.string(), z.int()) }),
});
/** 红冲: the whole invoice is taken back; with `renew` what its orders are worth then is issued again for the same buyer. */
export const startRed = write({
  path: "/api/invoices/reds/start",
  title: "红冲发票",
  access: "/invoice/merchant/red",
  idempotent: "requestId",
  input: z.object({ requestId: id, id, reason: oneOf(redReason), renew: flag.default(false) }),
  output: z.object({ id }),
});
/** 撤销 of a form that waits, or 再查 and 重新提交 of one whose end nobody knows or that failed. */
export const steerRed = write({
  path: "/api/invoices/reds/steer",
  title: "撤销或再查红字",
  access: "/invoice/merchant/red",
  input: z.object({ id, act: z.enum(["revoke", "ask"]) }),
  output: done,
});
/** 按平台的结果记账 of a red letter: what the bureau took back with another sum counts as done. */
export const takeRed = write({
  path: "/api/invoices/reds/take",
  title: "按平台的红冲金额记账",
  access: "/invoice/merchant/red",
  input: z.object({ id, cents, reason: line(100, 2, "请填写原因") }),
  output: done,
});
