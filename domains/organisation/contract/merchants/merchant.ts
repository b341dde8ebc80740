import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf, rate } from "@zhangfang/contract/fields.ts";
import { SERVICE_PHONE, SERVICE_PHONE_MESSAGE } from "@zhangfang/contract/text.ts";
import { z } from "zod";
import { nodeState } from "../nodes.ts";
import { merchantRow } from "./list.ts";

const optionalLine = (max = 64) => line(max).optional();
export const phone = z
  .string()
  .trim()
  .regex(/^(?:1\d{10}|0\d{2,3}-?\d{7,8})$/, "请输入 11 位手机号或带区号的座机号");
/** 统一社会信用代码, 18 characters; the older 15-digit licence number is taken too. */
export const licenceNo = z
  .string()
  .trim()
  .regex(/^(?:[0-9A-HJ-NPQRTUWXY]{18}|\d{15})$/, "请输入 18 位统一社会信用代码或 15 位注册号");
export const loginName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][\w.@-]{2,63}$/, "登录名为 3 到 64 位字母、数字或 . _ @ -");

const facts = {
  name: line(64, 1, "请填写商户名称"),
  shortName: line(32, 1, "请填写商户简称"),
  trade: optionalLine(),
  province: optionalLine(),
  city: optionalLine(),
  address: optionalLine(128),
  servicePhone: z.string().trim().regex(SERVICE_PHONE, SERVICE_PHONE_MESSAGE).optional(),
  licenceNo: licenceNo.optional(),
  legalPerson: optionalLine(32),
};
/** What a new merchant may carry; the import's rows are the same. */
export const newMerchantFacts = z.object({
  ...facts,
  contactName: line(32, 1, "请填写联系人"),
  contactPhone: phone,
  /** Of its first account, a root. */
  login: loginName,
  agentId: id.optional(),
  businessTeamId: id.optional(),
  salesmanId: id.optional(),
  /** Set by the provider; without it the provider's own rate holds. */
  feeRate: rate.optional(),
});

/** Adds a merchant with its first account. The one-time password stands in the first answer only. */
export const addMerchantAccount = write({
  path: "/api/organisation/merchants/add",
  title: "新建商户",
  access: "/merchants/merchants/add",
  idempotent: "requestId",
  outside: true,
  closedToActing: true,
  input: newMerchantFacts.extend({ requestId: id }),
  output: z.object({ id, number: z.string(), login: z.string(), password: z.string().nullable(), expiresAt: instant }),
});

export const getMerchant = read({
  path: "/api/organisation/merchants/:id",
  title: "商户详情",
  access: "/merchants/merchants",
  input: z.object({ id }),
  output: merchantRow.extend({
    address: z.string().nullable(),
    servicePhone: z.string().nullable(),
    licenceNo: z.string().nullable(),
    /** Masked. */
    legalPerson: z.string().nullable(),
    settleBank: z.string().nullable(),
    settleTail: z.string().nullable(),
    version: z.int(),
    deviceCount: z.int(),
    /** Accounts of the merchant and its stores, and how many of them are signed in: whom a closing puts out. */
    accountCount: z.int(),
    sessionCount: z.int(),
    accounts: z.array(
      z.object({
        id,
        login: z.string(),
        state: oneOf(nodeState),
        lastLoginAt: instant.nullable(),
      }),
    ),
  }),
});

/** Contact fields that are left out stay as they are: the form shows them masked. */
export const updateMerchant = write({
  path: "/api/organisation/merchants/update",
  title: "修改商户",
  access: "/merchants/merchants/edit",
  input: z.object({
    id,
    version: z.int(),
    ...facts,
    contactName: line(32, 1, "请填写联系人").optional(),
    contactPhone: phone.optional(),
    feeRate: rate.optional(),
  }),
  output: done,
});

/** Closing ends the sessions of the merchant and its stores in the same transaction; its devices are refused. */
export const setMerchantState = write({
  path: "/api/organisation/merchants/state",
  title: "启用或停用商户",
  access: "/merchants/merchants/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});

const choice = z.object({ id, name: z.string() });
/** Who a merchant of a provider may be attributed to, as far as the caller sees them. */
export const listAttributionChoices = read({
  path: "/api/organisation/merchants/attribution",
  title: "商户归属选项",
  access: ["/merchants/merchants/add", "/merchants/merchants/assign", "/salesman/salesman/add", "/salesman/salesman/handover"],
  input: z.object({ serviceProviderId: id.optional() }),
  output: z.object({
    agents: z.array(choice),
    teams: z.array(choice),
    salesmen: z.array(choice.extend({ agentId: id.nullable(), businessTeamId: id.nullable() })),
  }),
});
