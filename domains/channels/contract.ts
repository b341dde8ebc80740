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
export const toolsOf = (one: PayWallet | PayWay): PayTool[] => payTool.values.filter((tool) => partsOf(tool).includes(one));

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

/**
 * What a channel's own codes mean: results, and reasons of a no. A screen says the words and shows the code small behind them; nobody has to
 * read a code. Alipay's stand without their prefixes.
 */
const CODES: Readonly<Record<string, string>> = {
  SUCCESS: "成功",
  PROCESSING: "处理中",
  CLOSED: "已关闭",
  ABNORMAL: "退款异常",
  RETURN_FAILED: "分账没有退回",
  FAIL: "失败",
  FINISHED: "已完成",
  NOT_FOUND: "通道没有这个单号",
  TRADE_SUCCESS: "已支付",
  TRADE_FINISHED: "已支付，不能再退",
  TRADE_CLOSED: "交易已关闭",
  WAIT_BUYER_PAY: "等待付款",
  ACCEPTED: "已受理",
  WAIT_USER_CONFIRM: "等待收款人确认",
  TRANSFERING: "转账中",
  CANCELING: "撤销中",
  CANCELLED: "已撤销",
  REVOKED: "已撤销",
  PARAM_ERROR: "参数有误",
  INVALID_PARAMETER: "参数有误",
  INVALID_REQUEST: "请求不符合通道的规则",
  SIGN_ERROR: "签名有误，请核对密钥",
  SIGNERROR: "签名有误，请核对密钥",
  NO_AUTH: "没有开通这项权限",
  ACCESS_FORBIDDEN: "没有开通这项权限",
  PRODUCT_UNSIGN: "没有签约这个产品",
  PARTNER_ERROR: "商户号有误",
  APPID_MCHID_NOT_MATCH: "AppID 和商户号不匹配",
  MCH_NOT_EXISTS: "商户号不存在",
  MERCHANT_NOT_EXIST: "商户号不存在",
  "invalid-app-id": "应用 APPID 有误",
  "invalid-signature": "签名有误，请核对密钥",
  "missing-signature": "没有签名",
  "missing-app-id": "没有应用 APPID",
  "invalid-method": "接口不存在",
  "insufficient-isv-permissions": "没有开通这项权限",
  "insufficient-user-permissions": "商户没有授权",
  "invalid-app-auth-token": "商户授权令牌无效",
  "app-auth-token-time-out": "商户授权令牌过期",
  "invalid-auth-token": "授权令牌无效",
  "auth-token-time-out": "授权令牌过期",
  ORDER_NOT_EXIST: "通道没有这个单号",
  RESOURCE_NOT_EXISTS: "通道没有这条记录",
  TRADE_NOT_EXIST: "通道没有这个单号",
  RESOURCE_ALREADY_EXISTS: "通道已有这条记录",
  ORDER_CLOSED: "订单已关闭",
  TRADE_HAS_CLOSE: "订单已关闭",
  ORDER_PAID: "订单已支付",
  ORDERPAID: "订单已支付",
  TRADE_HAS_SUCCESS: "订单已支付",
  TRADE_HAS_FINISHED: "交易已结束，不能再操作",
  TRADE_ERROR: "交易没有成功",
  TRADE_STATUS_ERROR: "交易状态不允许",
  REASON_TRADE_STATUS_INVALID: "交易状态不允许",
  TRADE_OVERDUE: "订单超过可退款的时间",
  TRADE_NOT_ALLOW_REFUND: "这笔交易不能退款",
  NOT_ALLOW_PARTIAL_REFUND: "这笔交易不能部分退款",
  REFUND_FEE_MISMATCH: "退款金额和订单不符",
  REFUND_FEE_ERROR: "退款金额有误",
  REFUND_AMT_NOT_EQUAL_TOTAL: "退款金额超过可退",
  REASON_TRADE_REFUND_FEE_ERR: "退款金额有误",
  REASON_TRADE_BEEN_FREEZEN: "交易被冻结",
  NOT_ENOUGH: "余额不足",
  SELLER_BALANCE_NOT_ENOUGH: "商户账户余额不足",
  BUYER_BALANCE_NOT_ENOUGH: "顾客余额不足",
  BUYER_BANKCARD_BALANCE_NOT_ENOUGH: "顾客银行卡余额不足",
  BUYER_ENABLE_STATUS_FORBID: "顾客账户被限制",
  BUYER_SELLER_EQUAL: "付款人和商户是同一账户",
  SELLER_BEEN_BLOCKED: "商户账户被冻结",
  ACCOUNT_ERROR: "账户异常",
  USER_ACCOUNT_ABNORMAL: "用户账户异常或已注销",
  PAYEE_ACCOUNT_ABNORMAL: "收款人账户异常",
  AUTH_CODE_INVALID: "付款码无效，请顾客刷新",
  PAYMENT_AUTH_CODE_INVALID: "付款码无效，请顾客刷新",
  PAYMENT_FAIL: "支付失败",
  PAYMENT_REQUEST_HAS_RISK: "通道认为有风险",
  PULL_MOBILE_CASHIER_FAIL: "唤起收银台失败",
  MOBILE_PAYMENT_SWITCH_OFF: "顾客关闭了手机支付",
  NO_PAYMENT_INSTRUMENTS_AVAILABLE: "顾客没有可用的付款账户",
  TOTAL_FEE_EXCEED: "超过单笔限额",
  EXIST_FORBIDDEN_WORD: "商品名有禁用词",
  INVALID_STORE_ID: "门店编号有误",
  CANCEL_NOT_ALLOWED: "不允许撤销",
  TRADE_CANCEL_TIME_OUT: "超过撤销时间",
  RULE_LIMIT: "超过通道的限制",
  RULE_LIMITED: "超过通道的限制",
  REQUEST_BLOCKED: "通道不允许这个操作",
  FREQUENCY_LIMITED: "请求太频繁",
  RATE_LIMITED: "请求太频繁",
  SYSTEM_ERROR: "通道系统错误",
  SYSTEM_BUSY: "通道系统忙",
  USER_NOT_EXIST: "账号不存在",
  USER_NOT_EXISTS: "账号不存在",
  RELATION_QUANTITY_LIMIT: "分账关系数量已满",
  RECEIVER_LIST_EMPTY: "没有接收方",
  INVALID_RECEIVER_TYPE: "接收方类型有误",
  ROYALTY_RECEIVER_INVALID: "接收方无效",
  ROYALTY_ACCOUNT_NOT_EXIST: "接收方账号不存在",
  REFUND_ROYALTY_PAYEE_ACCOUNT_NOT_EXIST: "接收方账号不存在",
  ALLOC_AMOUNT_VALIDATE_ERROR: "分账金额超过可分",
  ILLEGAL_SETTLE_STATE: "交易状态不能分账",
  REFUNDALLOC_UNAUTH_LIMIT: "接收方没有授权退分账",
  CUSTOMER_VALIDATE_ERROR: "接收方账户校验失败",
  NO_STATEMENT_EXIST: "这天没有账单",
  STATEMENT_CREATING: "账单生成中",
  NO_BILL_EXIST: "这天没有账单",
  BILL_NOT_EXIST: "这天没有账单",
  BILL_CREATING: "账单生成中",
  INVAILID_ARGUMENTS: "参数有误",
  APPLYMENT_NOTEXIST: "没有这个申请单",
  MCH_CANCEL: "商户撤销",
  OVERDUE_CLOSE: "超时关闭",
  PAYER_REFUSED: "付款人拒绝",
};
function plainCode(code: string): string | undefined {
  const bare = code.replace(/^(?:ACQ|isv|aop|isp)\./, "");
  return CODES[bare] ?? CODES[bare.toUpperCase()];
}
/** What a code means; words stay, and a code that nobody described is said to be none of ours. */
export const codeWords = (code: string): string => (/[\u4e00-\u9fff]/.test(code) ? code : (plainCode(code) ?? "通道没有说明的代码"));
/** Why the channel said no: in its own words where it gave some, else in ours. */
export const whyNo = ({ code, message }: { readonly code: string; readonly message: string }): string => message || codeWords(code);
