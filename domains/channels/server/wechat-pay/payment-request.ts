import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { ChannelAccount, PaymentOrder, RefundOrder } from "../channel.ts";

/** A moment as the channel writes it: Shanghai's clock and its zone. */
export const rfc3339 = (at: string): string => `${shanghaiTime(at).replace(" ", "T")}+08:00`;

/** Source: pay.weixin.qq.com, Native下单 4012714902; JSAPI下单; 付款码支付 4012382150 and partner-code-pay.html. */
const LAST = { NATIVE: "native", JSAPI: "jsapi", MICROPAY: "codepay" } as const;

const partner = (account: ChannelAccount) => account.mode === "partner";
const root = (account: ChannelAccount) => (partner(account) ? "/v3/pay/partner/transactions" : "/v3/pay/transactions");

/** `appid` and `mchid` in direct mode; `sp_…` and `sub_mchid` for a service provider. */
function whose(account: ChannelAccount, withApp: boolean): Record<string, string> {
  if (partner(account))
    return { ...(withApp ? { sp_appid: account.appId } : {}), sp_mchid: account.mchId, sub_mchid: account.subMchId ?? "" };
  return { ...(withApp ? { appid: account.appId } : {}), mchid: account.mchId };
}

/** Path and body of a payment. A code-pay has no notify_url and no time_expire: it answers at once. */
export function paymentRequest(account: ChannelAccount, order: PaymentOrder): { path: string; body: object } {
  const common = {
    ...whose(account, true),
    description: order.description,
    out_trade_no: order.outTradeNo,
    amount: { total: order.amount_cents, currency: "CNY" },
    // 结算信息: without it the money is not frozen and nothing can be shared (channels.md 4).
    ...(order.profitSharing ? { settle_info: { profit_sharing: true } } : {}),
  };
  const path = `${root(account)}/${LAST[order.tradeType]}`;
  if (order.tradeType === "MICROPAY") {
    const body = { ...common, payer: { auth_code: order.authCode }, scene_info: tillScene(order) };
    return { path, body };
  }
  const payer = partner(account) ? { sp_openid: order.openId } : { openid: order.openId };
  const body = {
    ...common,
    ...(order.tradeType === "JSAPI" ? { payer } : {}),
    notify_url: order.notifyUrl,
    // RFC 3339 in Shanghai time, without fractions, as the examples have it.
    time_expire: rfc3339(order.expiresAt),
    scene_info: payerScene(order),
  };
  return { path, body };
}

function payerScene(order: PaymentOrder): object {
  return {
    payer_client_ip: order.clientIp,
    ...(order.deviceId ? { device_id: order.deviceId } : {}),
    ...(order.storeId ? { store_info: { id: order.storeId, ...(order.storeName ? { name: order.storeName } : {}) } } : {}),
  };
}

/** A till's scene has other names: device_ip, and store_info.out_id for our own number (SDK model of 付款码支付). */
function tillScene(order: PaymentOrder): object {
  return {
    device_ip: order.clientIp,
    ...(order.deviceId ? { device_id: order.deviceId } : {}),
    ...(order.storeId ? { store_info: { out_id: order.storeId } } : {}),
  };
}

export function queryPath(account: ChannelAccount, by: { readonly outTradeNo: string } | { readonly transactionId: string }): string {
  const which = "outTradeNo" in by ? `out-trade-no/${encodeURIComponent(by.outTradeNo)}` : `id/${encodeURIComponent(by.transactionId)}`;
  return `${root(account)}/${which}?${new URLSearchParams(whose(account, false)).toString()}`;
}

export function closeRequest(account: ChannelAccount, outTradeNo: string): { path: string; body: object } {
  return { path: `${root(account)}/out-trade-no/${encodeURIComponent(outTradeNo)}/close`, body: whose(account, false) };
}

/** The page calls sp_appid optional; without it the call ends in SYSTEM_ERROR (developers.weixin.qq.com, comments). */
export function reverseRequest(account: ChannelAccount, outTradeNo: string): { path: string; body: object } {
  return { path: `${root(account)}/out-trade-no/${encodeURIComponent(outTradeNo)}/reverse`, body: whose(account, true) };
}

/** Source: 申请退款, channels.md 3. One path for both modes; a service provider adds sub_mchid. */
export function refundRequest(account: ChannelAccount, refund: RefundOrder): { path: string; body: object } {
  const body = {
    ...(partner(account) ? { sub_mchid: account.subMchId } : {}),
    out_trade_no: refund.outTradeNo,
    out_refund_no: refund.outRefundNo,
    reason: refund.reason,
    notify_url: refund.notifyUrl,
    amount: { refund: refund.amount_cents, total: refund.total_cents, currency: "CNY" },
  };
  return { path: "/v3/refund/domestic/refunds", body };
}

export function refundQueryPath(account: ChannelAccount, outRefundNo: string): string {
  const query = partner(account) ? `?${new URLSearchParams({ sub_mchid: account.subMchId ?? "" }).toString()}` : "";
  return `/v3/refund/domestic/refunds/${encodeURIComponent(outRefundNo)}${query}`;
}
