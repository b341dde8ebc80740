import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf, rate } from "@zhangfang/contract/fields.ts";
import {
  bindState,
  receiverState,
  receiverType,
  type ReceiverType,
  relationType,
  sharingMode,
  sharingTiming,
  sharingWallet,
} from "./codes.ts";

const PAGE = "/dataCentre/sharing";
const SETUP = `${PAGE}/setup` as const;
/** Whose: a merchant's people mean their own and leave it out. */
const ofMerchant = { merchantId: id.optional() };
const part = rate.min(1, "比例须大于 0");

const receiverAccount = z.object({
  wallet: oneOf(sharingWallet),
  type: oneOf(receiverType),
  /** Masked, but for a merchant's number. */
  account: z.string(),
  bindState: oneOf(bindState),
  bindMessage: z.string().nullable(),
  boundAt: instant.nullable(),
});
export const sharingReceiver = z.object({
  id,
  groupId: id,
  alias: z.string(),
  /** One at each wallet at most: of payments by the others it gets nothing. */
  accounts: z.array(receiverAccount),
  /** Masked. */
  name: z.string().nullable(),
  relation: oneOf(relationType),
  customRelation: z.string().nullable(),
  ratio: rate,
  state: oneOf(receiverState),
  version: z.int(),
});
const rule = {
  mode: oneOf(sharingMode),
  timing: oneOf(sharingTiming),
  groupId: id.nullable(),
  unfreeze: z.boolean(),
};
/** A merchant's groups, receivers and rule. */
export const getSharingSetup = read({
  path: "/api/profit-sharing/setup",
  title: "分账设置",
  access: PAGE,
  input: z.object(ofMerchant),
  output: z.object({
    merchantId: id,
    merchantName: z.string(),
    /** The merchant's switch for profit sharing; off, no rule holds. */
    on: z.boolean(),
    rule: z.object({
      ...rule,
      ratios: z.array(z.object({ receiverId: id, ratio: rate })),
      version: z.int(),
      updatedAt: instant.nullable(),
      updatedByName: z.string().nullable(),
    }),
    /** The wallets that the merchant can be paid through directly, and so share; with what may be shared of a payment. */
    wallets: z.array(
      z.object({
        wallet: oneOf(sharingWallet),
        maxRatio: rate,
        /** When the channel itself said so; null before it was asked. */
        maxRatioAt: instant.nullable(),
      }),
    ),
    groups: z.array(z.object({ id, name: z.string(), receivers: z.int() })),
    receivers: z.array(sharingReceiver),
  }),
});
export const setSharingRule = write({
  path: "/api/profit-sharing/rule",
  title: "修改分账规则",
  access: SETUP,
  input: z
    .object({ ...ofMerchant, version: z.int().min(0), ...rule, ratios: z.array(z.object({ receiverId: id, ratio: part })).max(50) })
    .refine((given) => given.mode === "none" || given.groupId !== null, { path: ["groupId"], message: "请选择接收方分组" }),
  output: done,
});
/** Asks the channel how much the merchant lets be shared. */
export const askMaxRatio = write({
  path: "/api/profit-sharing/max-ratio",
  title: "查询最大分账比例",
  access: SETUP,
  outside: true,
  input: z.object({ ...ofMerchant, wallet: oneOf(sharingWallet) }),
  output: z.object({ maxRatio: rate }),
});
export const addSharingGroup = write({
  path: "/api/profit-sharing/groups",
  title: "新建接收方分组",
  access: SETUP,
  input: z.object({ ...ofMerchant, name: line(20, 1, "请填写分组名称") }),
  output: z.object({ id }),
});
const receiver = {
  groupId: id,
  alias: line(20, 1, "请填写名称"),
  ratio: part,
};
interface Account {
  readonly type: ReceiverType;
  readonly account: string;
  readonly name?: string | undefined;
}
const account = {
  type: oneOf(receiverType),
  account: line(64, 1, "请填写账号").regex(/^[\w.@+-]+$/, "账号只含字母、数字和 - _ . @ +"),
  name: line(60).optional(),
};
const ACCOUNTS: Readonly<Partial<Record<ReceiverType, readonly [RegExp, string]>>> = {
  MERCHANT_ID: [/^\d{8,10}$/, "商户号为 8 到 10 位数字"],
  PERSONAL_OPENID: [/^[\w-]+$/, "openid 只含字母、数字、- 和 _"],
  PERSONAL_SUB_OPENID: [/^[\w-]+$/, "openid 只含字母、数字、- 和 _"],
  ALIPAY_USER_ID: [/^2088\d{12}$/, "支付宝用户号为 2088 开头的 16 位数字"],
  ALIPAY_LOGIN_NAME: [/^(?:1\d{10}|[^@]+@[^@]+\.[^@]+)$/, "支付宝登录号为手机号或邮箱"],
};
const fits = ({ type, account: number }: Account): boolean => ACCOUNTS[type]?.[0].test(number) ?? true;
const FITS = { path: ["account"], error: ({ input }: { input?: unknown }) => ACCOUNTS[(input as Account).type]?.[1] ?? "账号格式不正确" };
const NAME = { path: ["name"], message: "请填写全称或姓名：商户号和支付宝登录号须与账号核对" };
/** A merchant's number and a login name are checked with the name of their holder. */
const isNamed = ({ type, name }: Account): boolean => (type !== "MERCHANT_ID" && type !== "ALIPAY_LOGIN_NAME") || Boolean(name);

export const addReceiver = write({
  path: "/api/profit-sharing/receivers",
  title: "新建分账接收方",
  access: SETUP,
  outside: true,
  closedToActing: true,
  input: z
    .object({
      ...ofMerchant,
      ...receiver,
      ...account,
      relation: oneOf(relationType),
      customRelation: line(10).optional(),
    })
    .refine(fits, FITS)
    .refine(isNamed, NAME)
    .refine((given) => given.relation !== "CUSTOM" || Boolean(given.customRelation), {
      path: ["customRelation"],
      message: "请填写自定义关系",
    }),
  output: z.object({ id, bindState: oneOf(bindState), message: z.string().nullable() }),
});
export const updateReceiver = write({
  path: "/api/profit-sharing/receivers/update",
  title: "修改分账接收方",
  access: SETUP,
  input: z.object({ id, version: z.int().min(1), ...receiver, state: oneOf(receiverState) }),
  output: done,
});
/** Gives a receiver an account at the other wallet, or another one where the channel never took the one it has. */
export const addReceiverAccount = write({
  path: "/api/profit-sharing/receivers/accounts",
  title: "添加接收方账号",
  access: SETUP,
  outside: true,
  closedToActing: true,
  input: z.object({ id, ...account }).refine(fits, FITS),
  output: z.object({ id, bindState: oneOf(bindState), message: z.string().nullable() }),
});
/** Registers it at the channel once more. */
export const bindReceiver = write({
  path: "/api/profit-sharing/receivers/bind",
  title: "登记分账接收方",
  access: SETUP,
  outside: true,
  input: z.object({ id, wallet: oneOf(sharingWallet) }),
  output: z.object({ id, bindState: oneOf(bindState), message: z.string().nullable() }),
});
/** Takes it away here and at the channel; what it got stays on record. */
export const removeReceiver = write({
  path: "/api/profit-sharing/receivers/remove",
  title: "删除分账接收方",
  access: SETUP,
  outside: true,
  closedToActing: true,
  input: z.object({ id }),
  output: done,
});
