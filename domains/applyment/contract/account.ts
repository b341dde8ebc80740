import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { instant, line } from "@zhangfang/contract/fields.ts";

const pem = z.string().trim().max(8_192, "密钥过长");
/** 进件账户: the provider's own merchant number as 服务商, without its secrets. */
export const getApplymentAccount = read({
  path: "/api/applyments/account",
  title: "进件账户",
  access: "/applyment/form/account",
  input: z.object({}),
  output: z.object({
    version: z.int(),
    appId: z.string(),
    mchId: z.string(),
    certSerialTail: z.string(),
    privateKeyTail: z.string(),
    /** The tails of the numbers of WeChat Pay's keys. */
    platformKeyTails: z.array(z.string()),
    /** WeChat Pay grants 小微 to this number. */
    micro: z.boolean(),
    byName: z.string(),
    updatedAt: instant.nullable(),
  }),
});
export const setApplymentAccount = write({
  path: "/api/applyments/account",
  title: "设置进件账户",
  access: "/applyment/form/account",
  closedToActing: true,
  input: z.object({
    version: z.int(),
    appId: z
      .string()
      .trim()
      .regex(/^wx[0-9a-f]{16}$/, "AppID 是 wx 开头的 18 位"),
    mchId: z
      .string()
      .trim()
      .regex(/^\d{8,12}$/, "商户号是 8 到 12 位数字"),
    /** Whether WeChat Pay grants 小微 to this number; left out, it stays as it was. */
    micro: z.boolean().optional(),
    /** Left out, the keys stay as they were. */
    certSerial: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[0-9A-F]{16,64}$/, "证书序列号是十六进制")
      .optional(),
    privateKeyPem: pem.optional(),
    apiV3Key: z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]{32}$/, "APIv3 密钥是 32 位")
      .optional(),
    platformKeyId: line(80).optional(),
    platformKeyPem: pem.optional(),
    platformCertSerial: line(64).optional(),
    platformCertPem: pem.optional(),
  }),
  output: z.object({ version: z.int() }),
});
