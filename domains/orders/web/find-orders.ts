import { yuan } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { Finder } from "@zhangfang/web/slots.ts";
import { may, type Need, user } from "@zhangfang/web/api/user.ts";
import { findOrder } from "../contract/index.ts";

/** Finds an order or a refund by any of its numbers, pasted whole, or by the last digits of an order number. */
export const orderFinder: Finder = {
  title: "支付订单",
  match: (text) => /^[\w-]{4,64}$/.test(text.trim()) && /\d{4}/.test(text) && may(user(), findOrder.access as readonly Need[]),
  find: async (text, signal) => {
    const { items } = await call(findOrder, { no: text.trim() }, { signal, quiet: true });
    return items.map((item) => ({
      title: item.no,
      hint: `${item.kind === "refund" ? "退款" : "订单"} · ${item.storeName} · ¥${yuan(item.amountCents)}`,
      to: item.refundId === null ? `/dataCentre/payOrder?id=${item.orderId}` : `/dataCentre/payRefund?id=${item.refundId}`,
    }));
  },
};
