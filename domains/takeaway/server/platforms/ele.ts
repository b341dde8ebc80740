import { createHash } from "node:crypto";
import type { OutboundAnswer, OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PlatformAccount } from "../../../platforms/server/index.ts";
import { type OrderAnswer, type TakeawayDoor, type TakeawayOrder, Unreadable } from "./door.ts";
import { amountOf, centsOf, countOf, listOf, readJson, size, textOf, type Told, toldOf } from "./read-json.ts";
import { partsOf, UNVERIFIED } from "./unverified.ts";

type Tools = Pick<Services, "clock" | "ids">;
type Send = (request: OutboundRequest) => Promise<OutboundAnswer>;
const TIMEOUT_MS = 8_000;
/** 饿了么's words for an order that it does not know, and for keys that it does not take. */
const NONE = /ORDER_NOT_FOUND|BIZ_.*NOT_EXIST/;
const BUSY = /SERVER_ERROR|EXCEED_LIMIT|TIMEOUT/;

/**
 * 饿了么's open interface (NOP 1.0.0): POST /api/v1/ with a signed envelope. Signature [S]: MD5 of action, token, the sorted `name=value` of
 * app_key, timestamp and parameters, and the secret. No call was ever taken from the real service.
 */
export function eleDoor(baseUrl: string, tools: Tools, send: Send): TakeawayDoor {
  return {
    boundTo: "shop",
    async order(account, platformOrderId) {
      const answer = await send({
        method: "POST",
        url: `${baseUrl}/api/v1/`,
        headers: { "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify(signed(account, tools, "eleme.order.getOrder", { orderId: platformOrderId })),
        timeout_ms: TIMEOUT_MS,
      });
      if (answer.status !== 200) throw new Error(`ele answered ${answer.status}`);
      return read(toldOf(readJson(answer.body.toString("utf8"))), platformOrderId);
    },
  };
}

function signed(
  { appKey, secret, accountNo }: PlatformAccount,
  { clock, ids }: Tools,
  action: string,
  params: Readonly<Record<string, string>>,
) {
  const metas = { app_key: appKey, timestamp: Math.floor(clock.now_ms() / 1000) };
  const parts = Object.entries({ ...metas, ...params })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const signature = createHash("md5")
    .update(`${action}${accountNo}${parts.join("")}${secret}`)
    .digest("hex")
    .toUpperCase();
  return { nop: "1.0.0", id: ids.uuid(clock.now_ms()), action, token: accountNo, metas, params, signature };
}

function read(told: Told, asked: string): OrderAnswer {
  const error = toldOf(told["error"]);
  const code = textOf(error["code"]);
  if (code !== "") {
    const why = textOf(error["message"], 120) || code;
    if (BUSY.test(code)) throw new Error(`ele answered ${code}`);
    return NONE.test(code) ? { outcome: "none", why } : { outcome: "refused", why };
  }
  const order = eleOrder(toldOf(told["result"]));
  if (order.platform_order_id !== asked) throw new Unreadable("ele answered another order");
  return { outcome: "ok", order };
}

const STATUS: Readonly<Record<string, 1 | 2 | 3>> = { pending: 1, unprocessed: 1, refunding: 1, valid: 1, settled: 2, invalid: 3 };
/** 饿了么 writes Shanghai time without saying so. */
const moment = (given: unknown): string | null => {
  const text = textOf(given);
  if (text === "") return null;
  const at_ms = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text.replace(" ", "T")}+08:00`);
  if (Number.isNaN(at_ms)) throw new Unreadable("a moment cannot be read");
  return new Date(at_ms).toISOString();
};
/** An order of 饿了么's in our words. Consignee, phones, address, place and remarks are not looked at. @throws where it cannot be read */
export function eleOrder(told: Told): TakeawayOrder {
  const status = STATUS[textOf(told["status"])];
  const placed_at = moment(told["createdAt"]);
  if (!status || !placed_at) throw new Unreadable("an order of ele cannot be read");
  const cents = (name: string): number => centsOf(told[name]);
  const money = {
    original_cents: amountOf(told["originalPrice"]),
    package_cents: amountOf(told["packageFee"]),
    delivery_cents: amountOf(told["deliverFee"]),
    shop_off_cents: size(cents("shopPart")),
    platform_off_cents: size(cents("elemePart")),
    paid_cents: amountOf(told["totalPrice"]),
    fee_cents: size(cents("serviceFee")),
    income_cents: cents("income"),
  };
  const refund_cents = size(cents(UNVERIFIED.eleRefund));
  return {
    platform_order_id: textOf(told["id"]) || textOf(told["orderId"]),
    platform_store_id: textOf(told["shopId"]),
    platform_store_name: textOf(told["shopName"]),
    day_no: textOf(told["daySn"], 16),
    status,
    placed_at,
    completed_at: status === 2 ? (moment(told["settledAt"]) ?? moment(told["activeAt"]) ?? placed_at) : null,
    changed_at: moment(told["updatedAt"]) ?? moment(told["activeAt"]) ?? placed_at,
    lines: listOf(told["groups"])
      .flatMap((group) => listOf(group["items"]))
      .slice(0, 200)
      .map((item) => ({ name: textOf(item["name"]), count: countOf(item["quantity"], 1), cents: centsOf(item["total"]) })),
    ...money,
    parts_cents: partsOf({
      original: money.original_cents,
      packaging: money.package_cents,
      delivery: money.delivery_cents,
      shopOff: money.shop_off_cents,
      fee: money.fee_cents,
      income: money.income_cents,
    }),
    refund_cents,
    shop_refund_cents: Math.min(refund_cents, size(cents(UNVERIFIED.eleShopRefund))),
  };
}
