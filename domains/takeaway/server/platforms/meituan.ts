import { createHash } from "node:crypto";
import type { Clock } from "@zhangfang/server/clock.ts";
import type { OutboundAnswer, OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import { type OrderAnswer, type TakeawayDoor, type TakeawayOrder, Unreadable } from "./door.ts";
import { amountOf, centsOf, countOf, listOf, readJson, size, textOf, type Told, toldOf, wholeOf } from "./read-json.ts";
import { partsOf, UNVERIFIED } from "./unverified.ts";

type Send = (request: OutboundRequest) => Promise<OutboundAnswer>;
const TIMEOUT_MS = 8_000;
// 美团外卖's codes: no such order; the service is busy.
const [NONE, BUSY] = ["808", "701"];

/**
 * 美团外卖's open interface: GET /api/v1/order/getOrderDetail with `sig`, the MD5 of the address, the sorted parameters and the secret [T]. No call
 * was ever taken from the real service.
 */
export function meituanDoor(baseUrl: string, clock: Clock, send: Send): TakeawayDoor {
  return {
    boundTo: "application",
    async order(account, platformOrderId) {
      const path = `${baseUrl}/api/v1/order/getOrderDetail`;
      const given = { app_id: account.appKey, order_id: platformOrderId, timestamp: String(Math.floor(clock.now_ms() / 1000)) };
      const query = Object.entries(given)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name}=${value}`)
        .join("&");
      const sig = createHash("md5").update(`${path}?${query}${account.secret}`).digest("hex");
      const answer = await send({ method: "GET", url: `${path}?${query}&sig=${sig}`, headers: {}, timeout_ms: TIMEOUT_MS });
      if (answer.status !== 200) throw new Error(`meituan answered ${answer.status}`);
      return read(toldOf(readJson(answer.body.toString("utf8"))), platformOrderId);
    },
  };
}

function read(told: Told, asked: string): OrderAnswer {
  if (told["data"] === "ng") {
    const error = toldOf(told["error"]);
    const [code, why] = [textOf(error["code"]), textOf(error["msg"], 120)];
    if (code === BUSY) throw new Error("meituan is busy");
    return code === NONE ? { outcome: "none", why } : { outcome: "refused", why: why || code };
  }
  const order = meituanOrder(toldOf(told["data"]));
  if (order.platform_order_id !== asked) throw new Unreadable("meituan answered another order");
  return { outcome: "ok", order };
}

const STATUS: Readonly<Record<string, 1 | 2 | 3>> = { 1: 1, 2: 1, 3: 1, 4: 1, 8: 2, 9: 3 };
const moment = (given: unknown): string | null => {
  const text = textOf(given);
  if (text === "" || text === "0") return null;
  if (!/^\d{9,10}$/.test(text)) throw new Unreadable("a moment cannot be read");
  return new Date(Number(text) * 1000).toISOString();
};
/** Some of its fields are JSON in a text. */
const inner = (given: unknown): unknown => (typeof given === "string" && given !== "" ? readJson(given) : given);

/** An order of 美团外卖's in our words. Recipient, phones, address and remarks are not looked at. @throws where it cannot be read */
export function meituanOrder(told: Told): TakeawayOrder {
  const status = STATUS[textOf(told["status"])];
  const placed_at = moment(told["ctime"]);
  if (!status || !placed_at) throw new Unreadable("an order of meituan cannot be read");
  const items = listOf(inner(told["detail"]));
  const offers = listOf(inner(told["extras"]));
  const earns = toldOf(inner(told["poi_receive_detail"]));
  const sum = (name: string): number => offers.reduce((all, offer) => all + size(centsOf(offer[name])), 0);
  const money = {
    original_cents: amountOf(told["original_price"]),
    package_cents: items.reduce((all, item) => all + countOf(item["box_num"], 0) * amountOf(item["box_price"]), 0),
    delivery_cents: amountOf(told["shipping_fee"]),
    shop_off_cents: sum("poi_charge"),
    platform_off_cents: sum("mt_charge"),
    paid_cents: amountOf(told["total"]),
    fee_cents: size(wholeOf(earns["foodShareFeeChargeByPoi"])),
    income_cents: wholeOf(earns["wmPoiReceiveCent"]),
  };
  const refund_cents = size(wholeOf(told[UNVERIFIED.meituanRefund]));
  return {
    platform_order_id: textOf(told["order_id"]),
    platform_store_id: textOf(told["app_poi_code"]),
    platform_store_name: textOf(told["wm_poi_name"]),
    day_no: textOf(told["day_seq"], 16),
    status,
    placed_at,
    completed_at: status === 2 ? (moment(told["order_completed_time"]) ?? moment(told["utime"]) ?? placed_at) : null,
    changed_at: moment(told["utime"]) ?? placed_at,
    lines: items.slice(0, 200).map((item) => {
      const count = countOf(item["quantity"], 1);
      return { name: textOf(item["food_name"]), count, cents: count * centsOf(item["price"]) };
    }),
    ...money,
    // A running order may not say yet what the shop receives; a completed one that does not is odd.
    parts_cents:
      earns["wmPoiReceiveCent"] === undefined && status !== 2
        ? null
        : partsOf({
            original: money.original_cents,
            packaging: money.package_cents,
            delivery: money.delivery_cents,
            shopOff: money.shop_off_cents,
            fee: money.fee_cents,
            income: money.income_cents,
          }),
    refund_cents,
    shop_refund_cents: Math.min(refund_cents, size(wholeOf(told[UNVERIFIED.meituanShopRefund]))),
  };
}
