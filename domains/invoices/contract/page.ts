import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { applicationStatus, buyerKind, fileFormat, invoiceKind, invoiceStatus } from "./codes.ts";
import { maybeTaxNo } from "./subjects.ts";

const token = z.string().regex(/^[A-Za-z0-9_-]{44}$/, "开票链接无效");
const given = { access: "public", rate: "poll" } as const;
/** 开发票, by an order's own signed link: what can be invoiced, what not and why, and what became of it. */
export const getInvoicePage = read({
  ...given,
  path: "/api/invoice-page/:token",
  title: "开发票页面",
  input: z.object({ token }),
  output: z.object({
    storeName: z.string(),
    merchantName: z.string(),
    subjectName: z.string(),
    orderNo: z.string(),
    paidAt: instant.nullable(),
    paidCents: cents,
    /** What can be applied for now. */
    cents,
    /** What of it was paid to a platform for vouchers. */
    voucherCents: cents,
    /** Whether a 专用发票 may be applied for. */
    special: z.boolean(),
    autoLimitCents: cents.nullable(),
    /** The last day in Shanghai on which it can be applied for. */
    lastDay: day.nullable(),
    lines: z.array(z.object({ name: z.string(), units: z.int().nullable(), cents })),
    /** 为什么是这个价, in the words of the till's quote. */
    why: z.object({ steps: z.array(z.string()), refused: z.array(z.string()) }),
    /** What is not in it, and why. */
    without: z.array(z.object({ name: z.string(), cents, why: z.string() })),
    /** Why nothing can be applied for; null: it can. */
    closed: z.string().nullable(),
    application: z
      .object({
        status: oneOf(applicationStatus),
        kind: oneOf(invoiceKind),
        buyer: oneOf(buyerKind),
        title: z.string(),
        totalCents: cents,
        why: z.string().nullable(),
        /** What comes next: the invoice or its file by itself, or by somebody of the store; null: nothing is waited for. */
        waits: z.enum(["issue", "store", "files", "store-files"]).nullable(),
        createdAt: instant,
        invoices: z.array(
          z.object({
            status: oneOf(invoiceStatus),
            invoiceNo: z.string().nullable(),
            totalCents: cents,
            files: z.array(z.object({ format: oneOf(fileFormat), url: z.string() })),
          }),
        ),
      })
      .nullable(),
  }),
});
const buyerFacts = {
  buyer: oneOf(buyerKind),
  kind: oneOf(invoiceKind).default("pc"),
  title: line(100, 2, "请填写发票抬头"),
  taxNo: maybeTaxNo.default(""),
  address: line(100).default(""),
  phone: line(30).default(""),
  bank: line(100).default(""),
  bankAccount: line(40).default(""),
  mail: z
    .string()
    .trim()
    .max(100)
    .regex(/^([\w.+-]{1,64}@[\w-]+(\.[\w-]+)+)?$/, "邮箱格式不正确")
    .default(""),
  mobile: z
    .string()
    .trim()
    .regex(/^(1\d{10})?$/, "手机号是 11 位")
    .default(""),
};
/** 申请开票: of this order and up to nine more of the same 开票主体, each by its own link. `cents` is what the page showed. */
export const applyInvoice = write({
  path: "/api/invoice-page/apply",
  title: "申请开票",
  access: "public",
  rate: "login",
  input: z.object({
    requestId: id,
    token,
    others: z.array(token).max(9, "一次最多 10 笔订单").default([]),
    cents,
    ...buyerFacts,
  }),
  output: z.object({ status: oneOf(applicationStatus) }),
});
/** What a till prints as a code: the page of an order of its store; null where nothing is issued for it. */
export const getInvoiceLink = read({
  path: "/api/till/invoice-link",
  verb: "POST",
  title: "开票链接",
  access: "device",
  input: z.object({ tillNo: line(64, 1, "请填写商户订单号") }),
  output: z.object({ url: z.string().nullable() }),
});
/** A file of an issued invoice, by its signed address. */
export const getInvoiceFile = read({
  path: "/api/invoice-files/:token",
  title: "发票文件",
  access: "public",
  envelope: "file",
  input: z.object({ token }),
  output: z.unknown(),
});
/** 诺诺's callback: it only makes us ask. */
export const hearInvoices = write({
  path: "/notify/invoices/:provider",
  title: "开票平台回调",
  access: "channel",
  rate: "channel",
  outside: true,
  deadline_ms: 5_000,
  input: z.object({ provider: id }),
  output: z.unknown(),
});
