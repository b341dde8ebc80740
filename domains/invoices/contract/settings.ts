import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { taxPolicy, taxRate } from "../../products/contract/codes.ts";
import { redFirst, ruleKind } from "./codes.ts";

const access = "/invoice/config";
const edit = "/invoice/config/edit";
const defaults = {
  /** 自动开票 up to so much; 0: everything waits for approval. */
  autoLimitCents: z.int("金额须为整数分").min(0).max(1_000_000_000, "不能超过 10,000,000.00 元").brand<"Cents">(),
  /** For so many days after the payment it can be applied for. */
  applyDays: z.int("须为整数").min(1, "至少 1 天").max(365, "最多 365 天"),
  redFirst: oneOf(redFirst),
};
export const invoiceDefaults = defaults;
/** 开票配置 of the provider. The secret is written and never read. */
export const getInvoiceSettings = read({
  path: "/api/invoices/settings",
  title: "开票配置",
  access,
  input: z.object({}),
  output: z.object({
    revision: z.int(),
    appKey: z.string(),
    secretSet: z.boolean(),
    active: z.boolean(),
    ...defaults,
    byName: z.string(),
    updatedAt: instant.nullable(),
    subjects: z.int(),
    notifyUrl: z.string(),
  }),
});
export const setInvoiceSettings = write({
  path: "/api/invoices/settings",
  title: "修改开票配置",
  access: edit,
  closedToActing: true,
  input: z.object({
    revision: z.int(),
    appKey: line(64, 4, "请填写应用 appKey"),
    /** Empty: as it was. */
    appSecret: z.string().trim().max(128).default(""),
    active: flag,
    ...defaults,
  }),
  output: done,
});

const rule = z.object({
  id,
  kind: oneOf(ruleKind),
  name: z.string(),
  taxCode: z.string(),
  taxRate: oneOf(taxRate),
  taxPolicy: oneOf(taxPolicy),
  byName: z.string(),
  createdAt: instant,
});
/** 税率规则: of trades where a provider asks, of categories of goods where a merchant does. */
export const listTaxRules = read({
  path: "/api/invoices/tax-rules",
  title: "税率规则",
  access: [access, "/invoice/merchant"],
  input: z.object({}),
  output: z.object({ items: z.array(rule) }),
});
export const taxCode19 = z
  .string()
  .trim()
  .regex(/^\d{19}$/, "税收分类编码是 19 位数字");
/** The same name again is changed. */
export const setTaxRule = write({
  path: "/api/invoices/tax-rules",
  title: "设置税率规则",
  access: [edit, "/invoice/merchant/edit"],
  input: z.object({
    name: line(32, 1, "请填写名称"),
    taxCode: taxCode19,
    taxRate: oneOf(taxRate),
    taxPolicy: oneOf(taxPolicy).default(0),
  }),
  output: z.object({ id }),
});
export const dropTaxRule = write({
  path: "/api/invoices/tax-rules/drop",
  title: "删除税率规则",
  access: [edit, "/invoice/merchant/edit"],
  input: z.object({ id }),
  output: done,
});
