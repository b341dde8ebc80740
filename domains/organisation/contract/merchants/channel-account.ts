import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { accountForms, payChannel, wallet } from "../../../channels/contract.ts";
import { channelMode, verifyOutcome } from "./channel-secret.ts";

/** Whether new payments go through it; what was paid through it is asked about and refunded all the same. */
export const accountState = labelled({ active: ["启用", "good"], disabled: ["停用", "ended"] });
/** What Alipay's answers are checked with: its bare public key, or certificates (公钥证书). */
export const keyMode = labelled({ key: "公钥", certificate: "公钥证书" });
/** Whose: a merchant's people mean their own and leave it out. */
const ofMerchant = { merchantId: id.optional() };
const channel = oneOf(payChannel).refine((code) => accountForms[code] !== undefined, "暂不支持此通道");

/** What may be shown of a merchant's accounts at Alipay and at acquirers: ends and dates. The keys are never read back. */
export const getChannelAccounts = read({
  path: "/api/organisation/channel-accounts",
  title: "收款通道",
  access: "/merchants/v3Secret",
  input: z.object(ofMerchant),
  output: z.object({
    merchantId: id,
    merchantName: z.string(),
    /** Whether WeChat Pay, which has its own page, takes payments. */
    wechat: z.boolean(),
    accounts: z.array(
      z.object({
        channel: oneOf(payChannel),
        mode: oneOf(channelMode),
        merchantNo: z.string(),
        /** 应用网关, to be typed at Alipay: where messages of the application go. */
        gatewayUrl: z.string().nullable(),
        appNo: z.string(),
        publicKeyTail: z.string(),
        privateKeyTail: z.string(),
        authTokenTail: z.string().nullable(),
        keyMode: oneOf(keyMode),
        /** Their numbers at Alipay, and when the first of them ends. */
        certificates: z.object({ appSn: z.string(), alipaySn: z.string(), rootSn: z.string(), expiresAt: instant }).nullable(),
        state: oneOf(accountState),
        secretsAt: instant,
        verifiedAt: instant.nullable(),
        verifyOutcome: oneOf(verifyOutcome).nullable(),
        verifyMessage: z.string().nullable(),
      }),
    ),
    /** Channels in the order in which they are asked, by wallet; empty where the merchant has said nothing. */
    rules: z.array(z.object({ wallet: oneOf(wallet), channels: z.array(oneOf(payChannel)) })),
  }),
});

const number = (most: number) =>
  z
    .string()
    .trim()
    .regex(new RegExp(String.raw`^[0-9A-Za-z_-]{1,${most}}$`), "只能有字母、数字、下划线和短横线");
const certificate = z.string().trim().min(1, "请填写证书").max(40_000, "证书过长").optional();
/** Keys that are left out stay as they are; a first setting needs all of them. */
export const updateChannelAccount = write({
  path: "/api/organisation/channel-accounts/update",
  title: "设置收款通道",
  access: "/merchants/v3Secret/set",
  closedToActing: true,
  input: z.object({
    ...ofMerchant,
    channel,
    mode: oneOf(channelMode).default("direct"),
    merchantNo: number(32),
    appNo: number(32).optional(),
    privateKey: z.string().trim().min(1, "请填写私钥").max(8000).optional(),
    publicKey: z.string().trim().min(1, "请填写公钥").max(8000).optional(),
    /** Alipay alone: certificates in place of the public key. */
    keyMode: oneOf(keyMode).default("key"),
    appCert: certificate,
    alipayCert: certificate,
    rootCert: certificate,
    /** Alipay's service providers: the merchant's app_auth_token. */
    authToken: number(64).optional(),
  }),
  output: done,
});
/** Asks about an order that can't be there: whoever is told so was let in with number, application and keys. */
export const verifyChannelAccount = write({
  path: "/api/organisation/channel-accounts/verify",
  title: "验证收款通道",
  access: "/merchants/v3Secret/set",
  rate: "money",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ ...ofMerchant, channel }),
  output: z.object({ outcome: oneOf(verifyOutcome), message: z.string() }),
});
/** From now on new payments go through it, or no longer do. */
export const setChannelAccountState = write({
  path: "/api/organisation/channel-accounts/state",
  title: "启停收款通道",
  access: "/merchants/v3Secret/set",
  input: z.object({ ...ofMerchant, channel, state: oneOf(accountState) }),
  output: done,
});
/** The order in which channels are asked for one wallet; an empty one goes back to the direct channel first. */
export const setChannelRule = write({
  path: "/api/organisation/channel-accounts/rule",
  title: "设置通道优先级",
  access: "/merchants/v3Secret/set",
  input: z.object({
    ...ofMerchant,
    wallet: oneOf(wallet),
    channels: z
      .array(oneOf(payChannel))
      .max(8, "通道过多")
      .refine((channels) => new Set(channels).size === channels.length, "通道重复"),
  }),
  output: done,
});
