import { NOT_FOUND } from "../../channel.ts";

/**
 * Codes that are a definite no, by what was asked, and the code we report. Whatever is not listed is `unknown`.
 * Sources: 业务错误码 of 关闭订单 (pay.weixin.qq.com/docs/partner/apis/partner-miniprogram-payment/close-order.html, the
 * list that the payment calls share), of 申请退款 (channels.md 3), read 2026-11.
 */
export type Refusals = Readonly<Record<string, string>>;

/** Refused at the gate, before anything was looked at. */
const gate = same("PARAM_ERROR", "SIGN_ERROR", "NO_AUTH", "APPID_MCHID_NOT_MATCH", "MCH_NOT_EXISTS");
/** The two spellings of a number that nobody has heard of. */
const absent: Refusals = { ORDER_NOT_EXIST: NOT_FOUND, RESOURCE_NOT_EXISTS: NOT_FOUND };

/**
 * Not here on purpose: INVALID_REQUEST, OUT_TRADE_NO_USED and ORDERPAID also answer a second try of a number whose
 * first try went through, and RULE_LIMIT is about frequency. A query tells.
 */
export const PAY: Refusals = { ...gate, ...same("ORDER_CLOSED", "NOT_ENOUGH", "ACCOUNT_ERROR", "TRADE_ERROR") };
export const QUERY: Refusals = { ...gate, ...absent };
/** Both spellings of 'paid' are met; only the second stands in v2's list, the v3 list names neither. */
export const CLOSE: Refusals = { ...gate, ...absent, ...same("INVALID_REQUEST", "ORDER_CLOSED", "ORDER_PAID", "ORDERPAID") };
export const REVERSE: Refusals = { ...gate, ...absent, ...same("INVALID_REQUEST", "TRADE_ERROR") };
/** One number carries one content, so INVALID_REQUEST (over the total, more than 50) is about this refund. */
export const REFUND: Refusals = {
  ...gate,
  ...same(
    "INVALID_REQUEST",
    "NOT_ENOUGH",
    "USER_ACCOUNT_ABNORMAL",
    "TRADE_OVERDUE",
    "REFUND_FEE_MISMATCH",
    "RESOURCE_NOT_EXISTS",
    "ORDER_NOT_EXIST",
  ),
};
/**
 * Of bills: NO_STATEMENT_EXIST is a day without trades, STATEMENT_CREATING wants patience (channels.md 5.1); the older
 * NO_BILL_EXIST and BILL_CREATING are v2's spellings of the same.
 */
export const BILL: Refusals = {
  ...gate,
  ...same("INVALID_REQUEST", "NO_STATEMENT_EXIST", "STATEMENT_CREATING"),
  NO_BILL_EXIST: "NO_STATEMENT_EXIST",
  BILL_CREATING: "STATEMENT_CREATING",
};
/** 请求分账 and its neighbours: one number carries one content, so each of these is about this request. RULE_LIMIT: above the merchant's ratio. */
export const SHARE: Refusals = {
  ...gate,
  ...same("INVALID_REQUEST", "NOT_ENOUGH", "RULE_LIMIT", "RULE_LIMITED", "RESOURCE_NOT_EXISTS", "ORDER_NOT_EXIST", "USER_ACCOUNT_ABNORMAL"),
};
/** Of stores and service staff; INVALID_REQUEST is about what was sent, there is no second try under one number. */
export const STORE: Refusals = { ...gate, ...same("INVALID_REQUEST", "RESOURCE_NOT_EXISTS", "RESOURCE_ALREADY_EXISTS") };

/**
 * Of coupons' batches and codes (错误码 of the pages in busifavor.ts and favor.ts). A no is asked about once more before it is believed, so
 * that the list may be wide. REQUEST_BLOCKED: the merchant may not do this, or the time is wrong.
 */
export const CARRY: Refusals = {
  ...gate,
  ...same(
    "INVALID_REQUEST",
    "RULE_LIMIT",
    "RULE_LIMITED",
    "NOT_ENOUGH",
    "RESOURCE_NOT_EXISTS",
    "RESOURCE_ALREADY_EXISTS",
    "REQUEST_BLOCKED",
    "USER_NOT_EXISTS",
  ),
};
/** Of codes: a batch that was just made answers INVALID_REQUEST 批次创建处理中 for minutes (community/pay/doc/0002cc016680008386cf2acc95bc00). */
export const CARRY_CODES: Refusals = { ...gate, ...same("RULE_LIMIT", "RESOURCE_NOT_EXISTS", "REQUEST_BLOCKED") };

/** 进件 (channels.md 1.1): PROCESSING is no refusal, it says that an earlier sending came through; RATE_LIMITED is about frequency. */
export const APPLY: Refusals = { ...gate, ...same("REQUEST_BLOCKED", "INVALID_REQUEST") };
export const FIND_APPLYMENT: Refusals = { ...gate, ...absent, APPLYMENT_NOTEXIST: NOT_FOUND };
export const UPLOAD: Refusals = { ...gate, ...same("INVALID_REQUEST") };

/** Of transfers only the gate: the pages say not to take anything else for a no. NOT_ENOUGH is sent again once there is money. */
export const TRANSFER: Refusals = gate;
/** Of taking one back: INVALID_REQUEST where it is confirmed or over by now; the query that follows says which. */
export const CANCEL_TRANSFER: Refusals = { ...gate, ...absent, ...same("INVALID_REQUEST") };

function same(...codes: readonly string[]): Refusals {
  return Object.fromEntries(codes.map((code) => [code, code]));
}
