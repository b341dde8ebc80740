import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tell } from "../../messages/server/index.ts";
import { sharingWallet } from "../contract/index.ts";
import { type OrderRow, type SharingRow, walletOf } from "./rows.ts";

/** Channels end shares within minutes; a person has to look at one that has no end after a day. */
const LONG_MS = 86_400_000;
export const isLong = (since: string, now_ms: number): boolean => now_ms - Date.parse(since) >= LONG_MS;
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
  if (!isLong(since, now_ms)) return;
  const channel = sharingWallet.label(walletOf(order));
  const body = `（¥${yuan(of.amount_cents)}）${channel}还没有给出结果。系统会继续查询，不会换号重发；请到${channel}商家平台核对，查到结果可以人工登记`;
  await tellBoth(tx, order, of, { kind: "sharingWaiting", title: "超过一天没有结果", body, now_ms });
}

/** Tells both that a share went on without receivers whom the channel never answered for: its days with the money are nearly over. */
export async function tellNotAwaited(
  tx: Transaction,
  order: OrderRow,
  { id, share_no }: SharingRow,
  { names, days }: { readonly names: readonly string[]; readonly days: number },
  now_ms: number,
): Promise<void> {
  const body = `：接收方 ${names.join("、")} 的登记一直没有结果，资金冻结快满 ${days} 天，不再等待，已按登记好的接收方处理`;
  const said = { kind: "sharingWaiting" as const, title: "没有等齐接收方", body, now_ms, once: `sharingNotAwaited:${share_no}` };
  await tellBoth(tx, order, { kind: "share", id, number: share_no }, said);
}

/** Tells both that the channel says something else of a share or a return than people recorded; the book stays as it was recorded. */
export async function tellDifference(
  tx: Transaction,
  order: OrderRow,
  of: { readonly kind: "share" | "return"; readonly id: string; readonly number: string; readonly difference: string },
  now_ms: number,
): Promise<void> {
  const body = `：${of.difference}。账上仍按登记，请与${sharingWallet.label(walletOf(order))}核对`;
  await tellBoth(tx, order, of, { kind: "sharingDiffers", title: "的人工登记与通道不一致", body, now_ms });
}

/** The merchant and its provider, once for each number. */
async function tellBoth(
  tx: Transaction,
  order: OrderRow,
  of: { readonly kind: "share" | "return"; readonly id: string; readonly number: string },
  {
    kind,
    title,
    body,
    now_ms,
    once = `${kind}:${of.number}`,
  }: { kind: "sharingWaiting" | "sharingDiffers"; title: string; body: string; now_ms: number; once?: string },
): Promise<void> {
  const { name, item } = WHAT[of.kind];
  const message = {
    kind,
    title: `${name}${title}`,
    body: `订单 ${order.order_no} 的${name} ${of.number}${body}`,
    href: `${item}?id=${of.id}`,
    item,
    once,
    at: new Date(now_ms).toISOString(),
  };
  const provider = order.service_provider_id;
  await tell(tx, { level: "MCH", provider, node: order.merchant_id }, message);
  await tell(tx, { level: "SP", provider }, message);
}
