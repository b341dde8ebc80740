import { labelled } from "@zhangfang/contract/labelled.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";

/**
 * How something was paid has three words: 钱包 (whose money), 收款方式 (how), 通道 (by whom). The enumerations of spec.md section 3
 * keep their values on the wire; every screen, export, filter and chart shows them through these tables (GLOSSARY.md).
 */
const CHANNEL_WALLETS = { wechat: "微信", alipay: "支付宝", unionpay: "云闪付" } as const;
/** The wallets that a channel can be asked for. */
export const wallet = labelled(CHANNEL_WALLETS);
/** 钱包: whose money it was. */
export const payWallet = labelled({ ...CHANNEL_WALLETS, card: "银行卡", member: "会员账户", other: "其他" });
export type PayWallet = CodeOf<typeof payWallet>;
/** 收款方式: how it was taken. The spec's payment methods are among them, and what it has no letters for. */
export const payWay = labelled({
  SCAN: "扫码枪",
  CODE: "二维码",
  MICROAPP: "小程序",
  APPPAY: "App",
  FACE: "刷脸",
  CARD: "刷卡",
  PPAY: "免密",
  BALANCE: "余额",
  OTHER: "其他",
});
export type PayWay = CodeOf<typeof payWay>;

/** The spec's payment tools, each a wallet and a way: 二维码 is the shop's code, 扫码枪 reads the customer's. 99 is ours: nobody was asked. */
const TOOLS = {
  1: ["wechat", "CODE"],
  2: ["wechat", "SCAN"],
  3: ["alipay", "CODE"],
  4: ["alipay", "SCAN"],
  5: ["card", "CARD"],
  6: ["wechat", "FACE"],
  7: ["alipay", "FACE"],
  8: ["unionpay", "CODE"],
  9: ["unionpay", "SCAN"],
  99: ["member", "BALANCE"],
} as const satisfies Readonly<Record<number, readonly [PayWallet, PayWay]>>;
export type PayTool = keyof typeof TOOLS;
const toolName = ([whose, how]: (typeof TOOLS)[PayTool]): string =>
  payWallet.label(whose) + (whose === "card" || whose === "member" ? "" : payWay.label(how));
/** The spec's payment tools, by both words. */
export const payTool = labelled(
  Object.fromEntries(Object.entries(TOOLS).map(([code, both]) => [code, toolName(both)])) as Record<PayTool, string>,
);
const PARTS: Readonly<Record<number, readonly [PayWallet, PayWay]>> = TOOLS;
const partsOf = (tool: number): readonly [PayWallet, PayWay] => PARTS[tool] ?? ["other", "OTHER"];
/** Whose money a tool takes. */
export const walletOf = (tool: number): PayWallet => partsOf(tool)[0];
/** The tools of a wallet, or all of a way. */
export const toolsOf = (one: PayWallet | PayWay): PayTool[] => payTool.values.filter((tool) => TOOLS[tool].some((part) => part === one));

/** The channel's coupon restriction list, which the spec calls payment methods; not the v3 order trade_type. Shown through `wayOf` alone. */
export const payMethod = labelled({
  MICROAPP: payWay.label("MICROAPP"),
  APPPAY: payWay.label("APPPAY"),
  PPAY: payWay.label("PPAY"),
  CARD: payWay.label("CARD"),
  FACE: payWay.label("FACE"),
  OTHER: payWay.label("OTHER"),
});
export type PayMethod = CodeOf<typeof payMethod>;
/** The methods that say more than a tool does: the code of a page may be a mini program's. */
export const METHODS_ALONE = ["MICROAPP", "APPPAY", "PPAY"] as const satisfies readonly PayMethod[];
/** How an order was taken: by its method where that says more, else by its tool. */
export const wayOf = (tool: number, method: string | null): PayWay => METHODS_ALONE.find((one) => one === method) ?? partsOf(tool)[1];

/** 通道: who carries the payment. 7 does not exist; 0 is WeChat Pay or Alipay itself, by the wallet (`channelName`). */
export const payChannel = labelled({
  0: "官方直连",
  1: "富友",
  2: "新大陆",
  3: "银联前置",
  4: "通联",
  5: "银联开放平台",
  6: "合利宝",
  8: "瑞银信",
  /** Nobody: what the customer holds at the shop covers all of it. */
  99: "会员账户",
});
export type PayChannel = CodeOf<typeof payChannel>;
/** The two that are asked directly, as channels. */
export const directChannel = labelled({ wechat: "微信支付", alipay: "支付宝" });
/** By whom a payment out of a wallet went: the direct channel by its name. @example channelName(0, "alipay") // 支付宝 */
export const channelName = (channel: PayChannel, whose: PayWallet | null): string =>
  channel === 0 && (whose === "wechat" || whose === "alipay") ? directChannel.label(whose) : payChannel.label(channel);

/** What an account at a channel is made of, in that channel's own words. */
export interface AccountForm {
  readonly title: string;
  readonly merchantNo: string;
  readonly merchantNoForm: RegExp;
  readonly merchantNoHint: string;
  /** Null where the channel knows no application. */
  readonly appNo: string | null;
  readonly keys: "RSA" | "SM2";
  /** Acts for merchants by their token. */
  readonly partner: boolean;
  /** Whether the interface was checked against the channel's own pages; the docs say what was. */
  readonly verified: boolean;
}
const acquirer = (title: string, keys: AccountForm["keys"], appNo: string | null): AccountForm => ({
  title,
  merchantNo: "商户号",
  merchantNoForm: /^[0-9A-Za-z_-]{6,32}$/,
  merchantNoHint: "6 到 32 位，以收单机构开户资料为准",
  appNo,
  keys,
  partner: false,
  verified: false,
});
/** The channels whose accounts stand beside WeChat Pay's; 0 is Alipay. */
export const accountForms: Readonly<Partial<Record<PayChannel, AccountForm>>> = {
  0: {
    title: "支付宝",
    merchantNo: "商户 PID",
    merchantNoForm: /^2088\d{12}$/,
    merchantNoHint: "2088 开头的 16 位数字",
    appNo: "应用 APPID",
    keys: "RSA",
    partner: true,
    verified: true,
  },
  1: acquirer("富友", "RSA", "机构号"),
  2: acquirer("新大陆", "RSA", "应用号"),
  3: acquirer("银联前置", "SM2", "应用号"),
  4: acquirer("通联", "SM2", "应用 APPID"),
  5: acquirer("银联开放平台", "RSA", null),
  6: acquirer("合利宝", "SM2", "应用号"),
  8: acquirer("瑞银信", "RSA", "应用号"),
};
