import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, oneOf, rate } from "@zhangfang/contract/fields.ts";
import { accountPlatform, accountState, appOf, voucherPlatform } from "./codes.ts";

const TAKEAWAY = "/dataCentre/takeaway/account";
const seen = ["/plat-dy/goods", "/plat-ks/goods", TAKEAWAY] as const;
const edit = ["/plat-dy/goods/account", "/plat-ks/goods/account", TAKEAWAY] as const;
const platform = oneOf(accountPlatform);
/** The items that open the account of a platform: whoever holds another one's does not. */
export const accountItems = (of: string): readonly [`/${string}`, `/${string}`] =>
  of === "dy" || of === "ks" ? [`/plat-${of}/goods`, `/plat-${of}/goods/account`] : [TAKEAWAY, TAKEAWAY];
const secret = z.string().trim().max(256, "不能超过 256 个字").optional();

/** 账户: the merchant's at a platform, and whether what signs for it is there. Secrets never come back. */
export const getPlatformAccount = read({
  path: "/api/platforms/account",
  title: "平台账户",
  access: seen,
  input: z.object({ platform, merchantId: id.optional() }),
  output: z.object({
    account: z
      .object({
        id,
        accountNo: z.string(),
        appOf: oneOf(appOf),
        appKey: z.string(),
        hasSecret: z.boolean(),
        hasSignSecret: z.boolean(),
        hasRefresh: z.boolean(),
        takeRate: rate,
        state: oneOf(accountState),
        provedAt: instant.nullable(),
        /** When its platform said that the authorisation was taken back. */
        endedAt: instant.nullable(),
        revision: z.int(),
        /** What is typed at the platform for its notices. */
        noticeUrl: z.string(),
      })
      .nullable(),
    /** The provider's application, as far as it can be chosen. */
    providerApp: z.object({ appKey: z.string(), revision: z.int() }).nullable(),
  }),
});
const keys = { appKey: line(64, 1, "请填写应用标识"), secret, signSecret: secret };
/** 填账户: a secret that is left out stays. `revision` 0 for a new one. */
export const savePlatformAccount = write({
  path: "/api/platforms/account/save",
  title: "修改平台账户",
  access: edit,
  closedToActing: true,
  input: z.object({
    platform,
    merchantId: id.optional(),
    revision: z.int().min(0),
    accountNo: line(64, 1, "请填写平台上的商户账户号"),
    appOf: oneOf(appOf),
    appKey: line(64).optional(),
    secret,
    signSecret: secret,
    refreshToken: secret,
    takeRate: rate.default(0),
    active: flag.default(true),
  }),
  output: z.object({ id }),
});
/** 服务商的应用: signs for the merchants that chose it. */
export const savePlatformApp = write({
  path: "/api/platforms/app/save",
  title: "修改平台应用",
  access: edit,
  closedToActing: true,
  input: z.object({ platform, revision: z.int().min(0), ...keys }),
  output: done,
});
/** 测试连接: asks the platform for its stores; who gets an answer has proved the keys. */
export const provePlatformAccount = write({
  path: "/api/platforms/account/prove",
  title: "测试平台账户",
  access: edit,
  outside: true,
  deadline_ms: 20_000,
  input: z.object({ platform: oneOf(voucherPlatform), merchantId: id.optional() }),
  output: z.object({ proved: z.boolean(), words: z.string() }),
});
