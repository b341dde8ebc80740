import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { appSecret } from "../nodes.ts";

export const channelMode = labelled({ direct: "直连商户", partner: "服务商模式" });
/** What the channel said when it was asked with the keys. */
export const verifyOutcome = labelled({ ok: ["验证通过", "good"], refused: ["验证失败", "bad"], unknown: ["未得到结果", "warn"] });
/** Whose: a merchant's people mean their own and leave it out. */
const ofMerchant = { merchantId: id.optional() };

/** What may be shown of a merchant's keys: ends and dates. The keys themselves are never read back. */
export const getChannelSecret = read({
  path: "/api/organisation/channel-secret",
  title: "APIv3密钥",
  access: "/merchants/v3Secret",
  input: z.object(ofMerchant),
  output: z.object({
    merchantId: id,
    merchantName: z.string(),
    known: z
      .object({
        mode: oneOf(channelMode),
        appId: z.string(),
        mchId: z.string(),
        subMchId: z.string().nullable(),
        certSerialTail: z.string(),
        apiV3KeyTail: z.string().nullable(),
        privateKeyTail: z.string().nullable(),
        appSecretTail: z.string().nullable(),
        platformKeyTail: z.string().nullable(),
        platformCertTail: z.string().nullable(),
        secretsAt: instant.nullable(),
        verifiedAt: instant.nullable(),
        verifyOutcome: oneOf(verifyOutcome).nullable(),
        verifyMessage: z.string().nullable(),
      })
      .nullable(),
  }),
});

const number = z
  .string()
  .trim()
  .regex(/^\d{6,16}$/, "商户号为 6 到 16 位数字");
const pem = (what: string) => z.string().trim().max(8000).startsWith("-----BEGIN", `${what}须为 PEM，以 -----BEGIN 开头`);
/**
 * Keys that are left out stay as they are; a first setting needs all of them, of the channel's own two at least one. While a merchant
 * changes from platform certificate to public key, the channel signs with either for about a week.
 */
export const setChannelSecret = write({
  path: "/api/organisation/channel-secret/set",
  title: "设置APIv3密钥",
  access: "/merchants/v3Secret/set",
  closedToActing: true,
  input: z
    .object({
      ...ofMerchant,
      mode: oneOf(channelMode),
      appId: line(32, 1, "请填写 AppID"),
      mchId: number,
      subMchId: number.optional(),
      certSerial: z
        .string()
        .trim()
        .regex(/^[0-9A-Fa-f]{16,64}$/, "证书序列号为 16 到 64 位十六进制字符")
        .optional(),
      privateKeyPem: pem("商户私钥").optional(),
      apiV3Key: z.string().length(32, "APIv3 密钥须为 32 个字符").optional(),
      appSecret: appSecret.optional(),
      platformKeyId: z
        .string()
        .trim()
        .regex(/^PUB_KEY_ID_\w{1,53}$/, "须为 PUB_KEY_ID_ 开头的公钥 ID；平台证书请填在下面")
        .optional(),
      platformKeyPem: pem("微信支付公钥").optional(),
      platformCertSerial: z
        .string()
        .trim()
        .regex(/^[0-9A-Fa-f]{40}$/, "平台证书序列号为 40 位十六进制字符")
        .optional(),
      platformCertPem: pem("平台证书").optional(),
      /** The change from certificate to public key is over. */
      dropPlatformCert: flag.optional(),
    })
    .refine((given) => given.mode === "direct" || given.subMchId !== undefined, { path: ["subMchId"], message: "服务商模式须填子商户号" }),
  output: done,
});
/** Asks the channel about an order that is none: whoever knows that much was let in with number, certificate and private key. */
export const verifyChannelSecret = write({
  path: "/api/organisation/channel-secret/verify",
  title: "验证APIv3密钥",
  access: "/merchants/v3Secret/set",
  rate: "money",
  outside: true,
  deadline_ms: 25_000,
  input: z.object(ofMerchant),
  output: z.object({ outcome: oneOf(verifyOutcome), message: z.string() }),
});
