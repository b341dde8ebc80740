import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { SERVICE_PHONE, SERVICE_PHONE_MESSAGE } from "@zhangfang/contract/text.ts";
import { z } from "zod";
import { payChannel } from "../../../channels/contract.ts";
import { nodeState } from "../nodes.ts";
import { accountState } from "./channel-account.ts";
import { licenceNo, phone } from "./merchant.ts";

/** What a merchant has to have before it is complete. */
export const missingFact = labelled({
  contact: "联系人和电话",
  servicePhone: "客服电话",
  trade: "行业",
  region: "所在地区",
  address: "地址",
  licence: "营业执照号",
  settle: "结算账户",
  channel: "通道",
});

/** Whose channel it is: WeChat Pay's or Alipay's own, or that of the acquirer which `channel` names. */
export const ownChannel = labelled({ wechat: "微信支付", alipay: "支付宝", acquirer: "收单机构" });
/** The own profile, with what is personal masked. */
export const getMerchantProfile = read({
  path: "/api/organisation/merchant-profile",
  title: "商户信息",
  access: "/merchants/info",
  input: z.object({}),
  output: z.object({
    id,
    number: z.string(),
    name: z.string(),
    shortName: z.string(),
    trade: z.string().nullable(),
    province: z.string().nullable(),
    city: z.string().nullable(),
    address: z.string().nullable(),
    contactName: z.string().nullable(),
    contactPhone: z.string().nullable(),
    servicePhone: z.string().nullable(),
    licenceNo: z.string().nullable(),
    legalPerson: z.string().nullable(),
    logoUrl: z.string().nullable(),
    settleBank: z.string().nullable(),
    settleHolder: z.string().nullable(),
    settleTail: z.string().nullable(),
    /** Every channel that was set up, WeChat Pay first; its number there. */
    channels: z.array(z.object({ name: oneOf(ownChannel), channel: oneOf(payChannel), number: z.string(), state: oneOf(accountState) })),
    feeRate: z.int(),
    state: oneOf(nodeState),
    openedAt: instant,
    version: z.int(),
    serviceProviderName: z.string(),
    missing: z.array(oneOf(missingFact)),
    /** The last time that somebody above asked for what is missing. */
    reminder: z.object({ byName: z.string(), at: instant }).nullable(),
  }),
});
/** Names and rate are the provider's to change. Contact fields that are left out stay as they are. */
export const updateMerchantProfile = write({
  path: "/api/organisation/merchant-profile/update",
  title: "修改商户信息",
  access: "/merchants/info/edit",
  input: z.object({
    version: z.int(),
    trade: line(64).optional(),
    province: line(64).optional(),
    city: line(64).optional(),
    address: line(128).optional(),
    contactName: line(32, 1, "请填写联系人").optional(),
    contactPhone: phone.optional(),
    servicePhone: z.string().trim().regex(SERVICE_PHONE, SERVICE_PHONE_MESSAGE).optional(),
    licenceNo: licenceNo.optional(),
    legalPerson: line(32, 1, "请填写法定代表人").optional(),
  }),
  output: done,
});
/** Where the money goes. The number is sealed and shown by its last four from then on. */
export const setSettlementAccount = write({
  path: "/api/organisation/merchant-profile/settlement",
  title: "设置结算账户",
  access: "/merchants/info/edit",
  closedToActing: true,
  input: z.object({
    version: z.int(),
    bank: line(64, 1, "请填写开户银行"),
    holder: line(64, 1, "请填写户名"),
    account: z
      .string()
      .transform((text) => text.replaceAll(/[\s-]/g, ""))
      .pipe(z.string().regex(/^\d{8,30}$/, "银行账号为 8 到 30 位数字")),
  }),
  output: done,
});

export const fullInFilter = {
  serviceProviderId: id.optional(),
  keyword: line(64).optional(),
  missing: oneOf(missingFact).optional(),
};
/** Merchants in use that lack something. */
export const listIncompleteMerchants = read({
  path: "/api/organisation/full-in",
  title: "资料补全",
  access: "/admin/fullInInfo",
  input: listInput(fullInFilter, ["-openedAt", "openedAt"]),
  output: listOutput(
    z.object({
      id,
      number: z.string(),
      shortName: z.string(),
      serviceProviderName: z.string(),
      missing: z.array(oneOf(missingFact)),
      remindedAt: instant.nullable(),
      openedAt: instant,
    }),
  ),
});
/** Asks merchants for what they lack; who was asked within a day is not asked again. */
export const remindMerchants = write({
  path: "/api/organisation/full-in/remind",
  title: "提醒补全资料",
  access: "/admin/fullInInfo/remind",
  input: z.object({ ids: z.array(id).min(1, "请选择商户").max(500, "一次最多 500 家") }),
  output: z.object({ reminded: z.int(), skipped: z.int() }),
});
