import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, id, line, oneOf, positiveCents, rate, wholeNumber } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { SERVICE_PHONE, SERVICE_PHONE_MESSAGE } from "@zhangfang/contract/text.ts";
import { z } from "zod";

/** Whether a provider, agent, group, team, salesman, merchant, store, cashier or device is in use. */
export const nodeState = labelled({ active: ["启用", "good"], disabled: ["停用", "ended"] });

const name = line(64, 1, "请填写名称");
const optionalLine = line(64).optional();
/** A picture of ours; a foreign address would let a provider's brand load from anywhere. */
const ownPicture = z
  .string()
  .max(200)
  .regex(/^\/(?!\/)[\w./-]+$/, "图片须先上传")
  .optional();

export const newServiceProvider = z.object({
  name,
  shortName: name,
  contactName: optionalLine,
  contactPhone: optionalLine,
  feeRate: rate.default(380),
  brandTitle: optionalLine,
  logoUrl: ownPicture,
  littleLogoUrl: ownPicture,
  feedbackUrl: z
    .url({ protocol: /^https$/ })
    .max(200)
    .optional(),
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]{1,253}(:\d{1,5})?$/, "域名格式不正确"))
    .max(20)
    .default([]),
});
const underProvider = { serviceProviderId: id, name };
export const newAgent = z.object({
  ...underProvider,
  contactName: optionalLine,
  contactPhone: optionalLine,
  region: optionalLine,
  profitRatio: rate.default(0),
});
export const newBusinessGroup = z.object({ ...underProvider, leader: optionalLine });
export const newBusinessTeam = z.object({ ...underProvider, businessGroupId: id.optional(), leader: optionalLine });
/** A salesman belongs to a team, an agent, or neither (the provider's own). */
export const newSalesman = z.object({ ...underProvider, phone: optionalLine, agentId: id.optional(), businessTeamId: id.optional() });
export const newMerchant = z.object({
  ...underProvider,
  shortName: name,
  trade: optionalLine,
  province: optionalLine,
  city: optionalLine,
  address: line(128).optional(),
  agentId: id.optional(),
  businessTeamId: id.optional(),
  salesmanId: id.optional(),
  contactName: optionalLine,
  contactPhone: optionalLine,
  servicePhone: z.string().regex(SERVICE_PHONE, SERVICE_PHONE_MESSAGE).optional(),
  licenceNo: optionalLine,
  legalPerson: optionalLine,
  feeRate: rate.default(380),
  refundApprovalAbove: positiveCents.nullable().default(null),
});
export const newArea = z.object({ serviceProviderId: id, merchantId: id, name, storeIds: z.array(id).max(1000) });
/** Of the official account; with it a page inside WeChat learns who pays. */
export const appSecret = z.string().regex(/^[0-9A-Za-z]{32}$/, "AppSecret 须为 32 位字母和数字");
/** What a merchant's channel needs; see ChannelAccount of the channels domain. */
export const channelSettings = z
  .object({
    serviceProviderId: id,
    merchantId: id,
    channel: z.literal(0).default(0),
    mode: z.enum(["direct", "partner"]),
    appId: line(32, 1),
    mchId: z.string().regex(/^\d{6,16}$/, "商户号格式不正确"),
    subMchId: z
      .string()
      .regex(/^\d{6,16}$/, "子商户号格式不正确")
      .optional(),
    certSerial: z.string().regex(/^[0-9A-Fa-f]{16,64}$/, "证书序列号格式不正确"),
    privateKeyPem: z.string().max(8000).startsWith("-----BEGIN", "私钥须为 PEM"),
    apiV3Key: z.string().length(32, "APIv3 密钥须为 32 个字符"),
    appSecret: appSecret.optional(),
    platformKeys: z.record(z.string().max(64), z.string().max(8000)),
    baseUrl: z.url().max(200),
  })
  .refine((given) => given.mode === "direct" || given.subMchId !== undefined, { path: ["subMchId"], message: "服务商模式须填子商户号" });

/** A provider as the lookups show it. */
export const providerEntry = z.object({
  id,
  name: z.string(),
  shortName: z.string(),
  number: z.string(),
  state: oneOf(nodeState),
});
/** A merchant with its provider (spec.md section 3, Level data). */
export const merchantEntry = z.object({
  id,
  name: z.string(),
  shortName: z.string(),
  number: z.string(),
  state: oneOf(nodeState),
  serviceProvider: z.object({ id, name: z.string() }),
});
/** What a drop-down needs. */
export const shortEntry = z.object({ id, name: z.string() });

/** At most this many entries come back; a keyword narrows them. */
export const LOOKUP_LIMIT = 5000;
/** What a lookup is asked with; `size` is how many at most, for a search as somebody types. */
export const keyword = { keyword: line(32).optional(), size: wholeNumber(1, LOOKUP_LIMIT).optional() };

export const listServiceProviders = read({
  path: "/newokpayorderservice/api/service-providers",
  title: "服务商查询",
  access: "signed-in",
  envelope: "bare",
  input: z.object(keyword),
  output: z.array(providerEntry),
});
export const listServiceProvidersShort = read({
  path: "/newokpayorderservice/api/service-providers/list",
  title: "服务商下拉",
  access: "signed-in",
  envelope: "bare",
  input: z.object(keyword),
  output: z.array(shortEntry),
});
export const listMerchants = read({
  path: "/newokpayorderservice/api/merchants",
  title: "商户查询",
  access: "signed-in",
  envelope: "bare",
  input: z.object(keyword),
  output: z.array(merchantEntry),
});
export const listMerchantsOfProvider = read({
  path: "/newokpayorderservice/api/merchantsList",
  title: "服务商的商户下拉",
  access: "signed-in",
  envelope: "bare",
  input: z.object({ ...keyword, serviceProviderId: id }),
  output: z.array(shortEntry),
});
/** The caller's own merchant; null above the merchant's level. */
export const getMerchantInfo = read({
  path: "/newokpayorderservice/api/merchants/info",
  title: "商户信息",
  access: "signed-in",
  envelope: "bare",
  input: z.object({}),
  output: merchantEntry
    .extend({
      trade: z.string().nullable(),
      province: z.string().nullable(),
      city: z.string().nullable(),
      address: z.string().nullable(),
      servicePhone: z.string().nullable(),
      logoUrl: z.string().nullable(),
      feeRate: z.int(),
      refundApprovalAbove: cents.nullable(),
    })
    .nullable(),
});
