import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { tell } from "../../messages/server/index.ts";
import { sharingWallet } from "../contract/index.ts";
import { type OrderRow, walletOf } from "./rows.ts";

/** Channels end shares within minutes; a person has to look at one that has no end after a day. */
const LONG_MS = 86_400_000;
const WHAT = {
  share: { name: "分账", item: "/dataCentre/sharing" },
  return: { name: "分账回退", item: "/dataCentre/sharingReturn" },
} as const;

/**
 * Tells the merchant and its provider, once for each number of the channel's, that a share or a return has had no answer for a day. It
 * stays on its way, with its amount set aside, and is asked about as before: only the channel knows whether the money moved.
 */
export async function tellLongWait(
  tx: Transaction,
  order: OrderRow,
  of: { readonly kind: "share" | "return"; readonly id: string; readonly number: string; readonly amount_cents: number },
  since: string,
  now_ms: number,
): Promise<void> {
  if (now_ms - Date.parse(since) < LONG_MS) return;
  const { name, item } = WHAT[of.kind];
  const channel = sharingWallet.label(walletOf(order));
  const message = {
    kind: "sharingWaiting",
    title: `${name}超过一天没有结果`,
    body: `订单 ${order.order_no} 的${name} ${of.number}（¥${yuan(of.amount_cents)}）${channel}还没有给出结果。系统会继续查询，不会换号重发；请到${channel}商家平台核对`,
    href: `${item}?id=${of.id}`,
    item,
    once: `sharing-waiting:${of.number}`,
    at: new Date(now_ms).toISOString(),
  } as const;
  const provider = order.service_provider_id;
  await tell(tx, { level: "MCH", provider, node: order.merchant_id }, message);
  await tell(tx, { level: "SP", provider }, message);
}
