import { z } from "zod";
import type { AlipayAccount, Notification, NotificationRefusal } from "../channel.ts";
import { ourSettleNumber } from "./read-sharing.ts";
import { readTrade } from "./read-trade.ts";
import { isAmbiguous, readForm, textToSign, verifyRsa2 } from "../signed-form.ts";

const envelope = z.object({
  notify_id: z.string().min(1).max(128),
  notify_type: z.string().min(1).max(64),
  app_id: z.string(),
  seller_id: z.string().optional(),
});

/**
 * 异步通知: a form whose signature covers every field but sign, with sign_type or without it (rsaCheckV2 and V1). Its moment is not checked: whether a repeated
 * notification carries a new one is not verified, and the number of the notification tells copies.
 * Source: channels.md 6.1; opendocs.alipay.com, 异步通知说明.
 */
export function readNotification(
  candidates: readonly AlipayAccount[],
  _headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  keysOf: (account: AlipayAccount) => readonly string[],
): Notification {
  const fields = readForm(rawBody.toString("utf8"));
  if (!fields || isAmbiguous(fields)) return refused("BODY", "通知内容无法识别");
  const { sign, sign_type } = fields;
  if (!sign || sign_type !== "RSA2") return refused("HEADERS", "通知没有 RSA2 签名");
  // Which of the two a message is signed over differs from interface to interface and is not told; the official SDK tries both.
  const texts = [textToSign(fields, ["sign", "sign_type"]), textToSign(fields, ["sign"])];
  const genuine = candidates.filter((account) => keysOf(account).some((key) => texts.some((text) => verifyRsa2(key, text, sign))));
  if (genuine.length === 0) return refused("SIGNATURE", "通知验签不通过");
  if (fields["msg_method"] !== undefined) return readMessage(genuine, fields);
  const outer = envelope.safeParse(fields);
  if (!outer.success) return refused("BODY", "通知内容无法识别");
  const { notify_id: eventId, notify_type, app_id, seller_id } = outer.data;
  const account = genuine.find((one) => one.appId === app_id && one.sellerId === seller_id);
  if (!account) return refused("MERCHANT", "通知不属于这个商户");
  const status = fields["trade_status"];
  // A refund's notification carries the sum of all refunds, not this one's amount (refund_fee): the answer and the query
  // tell of refunds. That the order was paid stands in it all the same, and may be the first we hear of it.
  if (notify_type !== "trade_status_sync" || (status !== "TRADE_SUCCESS" && status !== "TRADE_FINISHED"))
    return { kind: "other", eventId, account, eventType: `${notify_type}.${status ?? ""}`.slice(0, 64) };
  const transaction = readTrade(fields, false);
  return transaction ? { kind: "paid", eventId, account, transaction } : refused("BODY", "支付通知内容无法识别");
}

const message = z.object({
  notify_id: z.string().min(1).max(128),
  msg_method: z.string().min(1).max(64),
  app_id: z.string(),
  biz_content: z.string(),
});
const settlement = z.object({ out_request_no: z.string().min(1).max(64) });
/**
 * 消息服务, whose address is the application's: a share or a return has come to its end (alipay.trade.order.settle.notify). It names no
 * merchant; the number does, and it only says that it is time to ask.
 */
function readMessage(genuine: readonly AlipayAccount[], fields: Readonly<Record<string, string>>): Notification {
  const outer = message.safeParse(fields);
  if (!outer.success) return refused("BODY", "通知内容无法识别");
  const { notify_id: eventId, msg_method, app_id, biz_content } = outer.data;
  const account = genuine.find((one) => one.appId === app_id);
  if (!account) return refused("MERCHANT", "通知不属于这个应用");
  if (msg_method !== "alipay.trade.order.settle.notify") return { kind: "other", eventId, account, eventType: msg_method };
  const found = settlement.safeParse(parsed(biz_content));
  if (!found.success) return refused("BODY", "分账通知内容无法识别");
  return { kind: "share", eventId, account, number: ourSettleNumber(found.data.out_request_no) };
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const refused = (code: NotificationRefusal, message: string) => ({ kind: "refused", code, message }) as const;
