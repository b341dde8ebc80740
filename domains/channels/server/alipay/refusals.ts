import { NOT_FOUND } from "../channel.ts";

/**
 * Codes that are a definite no, by what was asked, and the code we report. Whatever is not listed is `unknown`.
 * Sources, read 2026-11: the tables of 业务错误码 of alipay.trade.pay, .query, .cancel and .refund as the pages at
 * zhifubao.apifox.cn repeat them (api-126427173, api-126426144, api-126370346); channels.md 6.1.
 */
export type Refusals = Readonly<Record<string, string>>;

/** Refused at the gateway, before anything was looked at; these may come without a signature. */
export const GATE: Refusals = same(
  "isv.invalid-app-id",
  "isv.invalid-signature",
  "isv.missing-signature",
  "isv.missing-app-id",
  "isv.invalid-method",
  "isv.insufficient-isv-permissions",
  "isv.insufficient-user-permissions",
  "isv.invalid-app-auth-token",
  "isv.app-auth-token-time-out",
  "aop.invalid-app-auth-token",
  "aop.invalid-auth-token",
  "aop.auth-token-time-out",
);
const gate: Refusals = { ...GATE, ...same("ACQ.INVALID_PARAMETER", "ACQ.ACCESS_FORBIDDEN", "ACQ.PARTNER_ERROR") };
const absent: Refusals = { "ACQ.TRADE_NOT_EXIST": NOT_FOUND };

/**
 * Not here on purpose: ACQ.SYSTEM_ERROR says 'query at once'; ACQ.TRADE_HAS_SUCCESS, ACQ.CONTEXT_INCONSISTENT and
 * ACQ.TRADE_BUYER_NOT_MATCH also answer a second try of a number whose first try went through.
 */
export const PAY: Refusals = {
  ...gate,
  ...same(
    "ACQ.EXIST_FORBIDDEN_WORD",
    "ACQ.TOTAL_FEE_EXCEED",
    "ACQ.PAYMENT_AUTH_CODE_INVALID",
    "ACQ.BUYER_SELLER_EQUAL",
    "ACQ.BUYER_BALANCE_NOT_ENOUGH",
    "ACQ.BUYER_BANKCARD_BALANCE_NOT_ENOUGH",
    "ACQ.BUYER_ENABLE_STATUS_FORBID",
    "ACQ.SELLER_BEEN_BLOCKED",
    "ACQ.PULL_MOBILE_CASHIER_FAIL",
    "ACQ.MOBILE_PAYMENT_SWITCH_OFF",
    "ACQ.PAYMENT_FAIL",
    "ACQ.PAYMENT_REQUEST_HAS_RISK",
    "ACQ.NO_PAYMENT_INSTRUMENTS_AVAILABLE",
    "ACQ.INVALID_STORE_ID",
    "ACQ.TRADE_HAS_CLOSE",
  ),
};
export const QUERY: Refusals = { ...gate, ...absent };
export const CLOSE: Refusals = { ...gate, ...absent, ...same("ACQ.TRADE_STATUS_ERROR", "ACQ.REASON_TRADE_STATUS_INVALID") };
export const CANCEL: Refusals = {
  ...gate,
  ...absent,
  ...same(
    "ACQ.CANCEL_NOT_ALLOWED",
    "ACQ.REASON_TRADE_BEEN_FREEZEN",
    "ACQ.REASON_TRADE_REFUND_FEE_ERR",
    "ACQ.SELLER_BALANCE_NOT_ENOUGH",
    "ACQ.TRADE_CANCEL_TIME_OUT",
    "ACQ.TRADE_HAS_FINISHED",
  ),
};
/** ACQ.DISCORDANT_REPEAT_REQUEST is about another content under this number: nothing is known of ours. */
export const REFUND: Refusals = {
  ...gate,
  ...same(
    "ACQ.TRADE_NOT_EXIST",
    "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL",
    "ACQ.REASON_TRADE_REFUND_FEE_ERR",
    "ACQ.REASON_TRADE_BEEN_FREEZEN",
    "ACQ.SELLER_BALANCE_NOT_ENOUGH",
    "ACQ.TRADE_HAS_FINISHED",
    "ACQ.TRADE_STATUS_ERROR",
    "ACQ.TRADE_NOT_ALLOW_REFUND",
    "ACQ.NOT_ALLOW_PARTIAL_REFUND",
    "ACQ.REFUND_FEE_ERROR",
  ),
};

/**
 * 商家分账. Sources: docs.open.alipay.com (alipay.trade.order.settle, …royalty.relation.bind) as third parties repeat their tables
 * (find: ACQ.ROYALTY_RECEIVER_INVALID, ACQ.REFUNDALLOC_UNAUTH_LIMIT); zhifubao.apifox.cn api-126563053. Not here on purpose:
 * ACQ.SYSTEM_ERROR and ACQ.TRADE_SETTLE_ERROR say 'may have succeeded, send the same again'.
 */
export const RELATION: Refusals = {
  ...gate,
  ...same(
    "ACQ.USER_NOT_EXIST",
    "ACQ.RELATION_QUANTITY_LIMIT",
    "ACQ.PRODUCT_UNSIGN",
    "ACQ.RECEIVER_LIST_EMPTY",
    "ACQ.INVALID_RECEIVER_TYPE",
  ),
};
export const SETTLE: Refusals = {
  ...gate,
  ...same(
    "ACQ.TRADE_NOT_EXIST",
    "ACQ.TRADE_STATUS_ERROR",
    "ACQ.ROYALTY_RECEIVER_INVALID",
    "ACQ.ROYALTY_ACCOUNT_NOT_EXIST",
    "ACQ.ALLOC_AMOUNT_VALIDATE_ERROR",
    "ACQ.ILLEGAL_SETTLE_STATE",
    "ACQ.PRODUCT_UNSIGN",
  ),
};
/** Giving back is a refund of nothing to the payer, with the receivers named. */
export const GIVE_BACK: Refusals = {
  ...REFUND,
  ...same(
    "ACQ.ALLOC_AMOUNT_VALIDATE_ERROR",
    "ACQ.REFUNDALLOC_UNAUTH_LIMIT",
    "ACQ.REFUND_ROYALTY_PAYEE_ACCOUNT_NOT_EXIST",
    "ACQ.CUSTOMER_VALIDATE_ERROR",
  ),
};

/** With and without the prefix that answers carry; the page names the codes bare. */
export const BILL: Refusals = {
  ...GATE,
  ...Object.fromEntries(
    ["BILL_NOT_EXIST", "INVAILID_ARGUMENTS"].flatMap((code) =>
      [code, `isp.${code}`, `isp.${code.toLowerCase()}`].map((one) => [one, code]),
    ),
  ),
};

function same(...codes: readonly string[]): Refusals {
  return Object.fromEntries(codes.map((code) => [code, code]));
}
