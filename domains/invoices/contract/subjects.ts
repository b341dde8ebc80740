import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { taxPolicy, taxRate } from "../../products/contract/codes.ts";
import { bureauSession, subjectState, taxpayer } from "./codes.ts";
import { invoiceDefaults, taxCode19 } from "./settings.ts";
import { taxNoFault } from "./words.ts";

const access = "/invoice/merchant";
const edit = "/invoice/merchant/edit";
/** A tax number with its check digit, or nothing. */
export const maybeTaxNo = z
  .string()
  .trim()
  .toUpperCase()
  .max(20, "税号最多 20 位")
  .superRefine((text, ctx) => {
    const fault = text === "" ? undefined : taxNoFault(text);
    if (fault !== undefined) ctx.addIssue({ code: "custom", message: fault });
  });
const taxNo = maybeTaxNo.refine((text) => text !== "", "请填写税号");
const facts = {
  name: line(100, 2, "请填写开票主体名称"),
  address: line(100).default(""),
  phone: line(30).default(""),
  bank: line(100).default(""),
  bankAccount: line(40).default(""),
  extension: line(10).default(""),
  drawer: line(16, 1, "请填写开票人"),
  taxpayer: oneOf(taxpayer),
  taxCode: taxCode19.nullable().default(null),
  taxRate: oneOf(taxRate).nullable().default(null),
  taxPolicy: oneOf(taxPolicy).default(0),
  goodsName: line(40).default(""),
  mostLines: z.int("须为整数").min(1, "至少 1 行").max(2000, "最多 2000 行").default(100),
  mostCents: z.int("金额须为整数分").min(100, "至少 1.00 元").max(10_000_000_000).brand<"Cents">().nullable().default(null),
  auto: flag,
  special: flag,
  /** 用户实付 of platforms' vouchers stands on the store's invoices. */
  vouchers: flag.default(false),
  ...invoiceDefaults,
};
const row = z.object({
  id,
  merchantId: id,
  merchantName: z.string(),
  taxNo: z.string(),
  ...facts,
  active: z.boolean(),
  state: oneOf(subjectState),
  session: oneOf(bureauSession),
  sessionQr: z.string().nullable(),
  /** What may still be issued this month, without tax, as the platform said last. */
  quotaCents: cents.nullable(),
  quotaAt: instant.nullable(),
  testedAt: instant.nullable(),
  testSaid: z.string().nullable(),
  /** Stores that it issues for today. */
  stores: z.array(z.object({ id, name: z.string(), fromDay: day })),
  revision: z.int(),
  byName: z.string(),
  createdAt: instant,
});
/** 开票主体. */
export const listTaxSubjects = read({
  path: "/api/invoices/tax-subjects",
  title: "开票主体",
  access: [access, "/invoice/config"],
  input: listInput({ keyword: line(32).optional(), state: oneOf(subjectState).optional() }, ["-createdAt"]),
  output: listOutput(row),
});
export const getTaxSubject = read({
  path: "/api/invoices/tax-subjects/:id",
  title: "开票主体详情",
  access: [access, "/invoice/config"],
  input: z.object({ id }),
  output: row,
});
export const addTaxSubject = write({
  path: "/api/invoices/tax-subjects/add",
  title: "添加开票主体",
  access: edit,
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({ requestId: id, taxNo, token: z.string().trim().min(4, "请填写授权 token").max(128), ...facts }),
  output: z.object({ id }),
});
export const updateTaxSubject = write({
  path: "/api/invoices/tax-subjects/update",
  title: "修改开票主体",
  access: edit,
  closedToActing: true,
  /** An empty token stays as it was. */
  input: z.object({ id, revision: z.int(), token: z.string().trim().max(128).default(""), active: flag, ...facts }),
  output: done,
});
/** 门店 → 开票主体, from a day on; what was paid before stays with the earlier one. */
export const setSubjectStores = write({
  path: "/api/invoices/tax-subjects/stores",
  title: "设置开票主体的门店",
  access: edit,
  input: z.object({ id, storeIds: z.array(id).min(1, "请选择门店").max(200), fromDay: day }),
  output: done,
});
/** 测试: asks for an order that can't exist; "never heard of it" proves signature, token and application. */
export const testTaxSubject = write({
  path: "/api/invoices/tax-subjects/test",
  title: "测试开票主体",
  access: edit,
  outside: true,
  deadline_ms: 15_000,
  input: z.object({ id }),
  output: z.object({ ok: z.boolean(), said: z.string() }),
});
/** 刷新登录状态: asks whether the drawer is signed in at the bureau, and for the code to scan where not. */
export const refreshSession = write({
  path: "/api/invoices/tax-subjects/session",
  title: "刷新开票登录状态",
  access: edit,
  outside: true,
  deadline_ms: 15_000,
  input: z.object({ id }),
  output: z.object({ session: oneOf(bureauSession), qr: z.string().nullable() }),
});
