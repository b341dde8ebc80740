import type { Fault } from "../faults.ts";
import type { PlatformKey } from "../keys.ts";
import type { Merchant, Notice, Trade } from "../state.ts";
import { rsa2 } from "./sign.ts";
import { moment, ownOf, statusOf, yuan } from "./trades.ts";

/** What has to be told about a trade; the amounts of a refund are the sum of all of them. */
export interface TradeNews {
  readonly trade: Trade;
  readonly refunded: number;
  readonly outRefundNo?: string;
  readonly at?: number;
}

/** The form of an async notification, signed over everything but sign and sign_type. */
export async function alipayForm(
  merchant: Merchant,
  key: PlatformKey,
  notice: Notice,
  { trade, refunded, outRefundNo, at }: TradeNews,
  fault: Fault | undefined,
  now: number,
): Promise<string> {
  const seller = trade.subMchId ?? merchant.alipay?.sellerId ?? "";
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  const fields: Record<string, string> = {
    notify_time: moment(now),
    notify_type: "trade_status_sync",
    notify_id: notice.key.replaceAll("-", ""),
    charset: "utf-8",
    version: "1.0",
    app_id: merchant.mchId,
    auth_app_id: merchant.mchId,
    trade_no: trade.transactionId ?? "",
    out_trade_no: trade.outTradeNo,
    trade_status: statusOf(trade, refunded),
    total_amount: yuan(trade.total + (fault?.kind === "wrong-amount" ? 1 : 0)),
    receipt_amount: yuan(trade.total - ownOf(trade)),
    buyer_pay_amount: yuan(trade.total - off),
    seller_id: fault?.kind === "wrong-merchant" ? "2088000000000000" : seller,
    buyer_id: trade.openId ?? "",
    subject: trade.description,
    gmt_create: moment(trade.createdAt),
    gmt_payment: moment(trade.paidAt ?? now),
    fund_bill_list: JSON.stringify([{ amount: yuan(trade.total - off), fundChannel: "ALIPAYACCOUNT" }]),
    ...(outRefundNo && { refund_fee: yuan(refunded), out_biz_no: outRefundNo, gmt_refund: `${moment(at ?? now)}.123` }),
  };
  return signedForm(fields, key);
}

/** A message of the application, which names no merchant; its signature covers sign_type too (rsaCheckV2). */
export function alipayMessage(merchant: Merchant, key: PlatformKey, notice: Notice, content: object, now: number): Promise<string> {
  const fields = {
    notify_id: notice.key.replaceAll("-", ""),
    utc_timestamp: String(now),
    msg_method: notice.eventType,
    app_id: merchant.mchId,
    version: "1.1",
    charset: "UTF-8",
    biz_content: JSON.stringify(content),
  };
  return signedForm({ ...fields, sign_type: "RSA2" }, key);
}

async function signedForm(fields: Readonly<Record<string, string>>, key: PlatformKey): Promise<string> {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return new URLSearchParams({ ...fields, sign: await rsa2(key.privateKeyPem, text), sign_type: "RSA2" }).toString();
}
