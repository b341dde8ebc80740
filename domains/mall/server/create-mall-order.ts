import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Beside, forFriend, type OrderRow, placeOrder, storeOf } from "../../orders/server/index.ts";
import type { Line } from "../../pricing/server/index.ts";
import { reserveStock } from "../../products/server/index.ts";
import { createMallOrder } from "../contract/index.ts";
import { answerOf, tillNoOf } from "./mall-answer.ts";
import { sealReceiver } from "./receiver.ts";

type Given = ParsedOf<typeof createMallOrder>;

/** 商城下单: goods and pay order in one transaction; then the channel is asked as for a till. */
export const createMallOrderRoute = implement(createMallOrder, async (ctx, input) => {
  const { lines, deliveryCents, buyer, inApp, friend, ticket, pin } = input;
  for (const [n, { quantity, unitCents, discountCents }] of lines.entries()) {
    if (quantity * unitCents < discountCents) throw invalid(`lines.${n}.discountCents`, "优惠不能超过商品金额");
    if (discountCents > 0 && ticket !== undefined) throw invalid(`lines.${n}.discountCents`, "已识别会员，优惠由系统计算，请不要填写");
  }
  if (friend && inApp) throw invalid("friend", "好友代付请使用扫码支付");
  const gross = lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, deliveryCents);
  if (gross > 999_999_999) throw invalid("lines", "订单金额不能超过 9,999,999.99 元");
  await placeOrder(
    ctx,
    {
      tillNo: tillNoOf(input.mallNo),
      tradeType: inApp ? "JSAPI" : "NATIVE",
      orderType: 0,
      subject: subjectOf(lines),
      grossCents: gross as never,
      couponCents: lines.reduce((sum, { discountCents }) => sum + discountCents, 0),
      pointsCents: 0,
      storedValueCents: 0,
      face: false,
      ...(inApp && { openId: buyer }),
      ...(ticket !== undefined && { ticket }),
      ...(pin !== undefined && { pin }),
    },
    ...besidesOf(ctx.services, input),
  );
  return ctx.transaction((tx) => answerOf(tx, ctx.services, storeOf(ctx.scope), input.mallNo), { readOnly: true });
});

/** The first of the goods, and how many kinds there are. */
const subjectOf = ([first, ...more]: Given["lines"]): string => `${first!.name}${more.length > 0 ? `等 ${more.length + 1} 种商品` : ""}`;

/** What is written beside the pay order: the mall order with its lines, and a friend's link where one was asked for. */
function besidesOf(services: Services, input: Given): Beside[] {
  const { friend, minutes, buyer } = input;
  const goods: Beside = {
    // Whoever asks again with the same number must mean the same goods, receiver and friend.
    asked: input,
    goods: true,
    lifetime_ms: minutes * 60_000,
    write: (tx, order) => writeMallOrder(tx, services, order, input),
    ...priceOf(input),
  };
  if (!friend) return [goods];
  return [goods, forFriend(services, { orderer: buyer, minutes, ordererName: friend.ordererName, message: friend.message })];
}

/** How a member's order is priced; a wish alone is told that somebody has to be known. */
function priceOf({ ticket, pointsCents, storedValueCents, lines, deliveryCents }: Given): Pick<Beside, "price" | "free"> {
  const [points_cents, stored_cents] = [centsOf(pointsCents), centsOf(storedValueCents)];
  if (ticket === undefined && points_cents + stored_cents === 0) return {};
  const goods = lines.map(({ goodsNo: goods_no, name, quantity: units, unitCents: unit_cents }, n): Line => ({
    place: n + 1,
    goods_no,
    name,
    units,
    unit_cents,
  }));
  const delivery: Line = {
    place: deliveryPlace(lines),
    name: DELIVERY,
    units: 1,
    unit_cents: deliveryCents,
    no_discount: true,
    freight: true,
  };
  return { price: { lines: deliveryCents > 0 ? [...goods, delivery] : goods, points_cents, stored_cents }, free: "settle" };
}
const centsOf = (wish: Given["pointsCents"]): number => (wish === "most" ? 999_999_999 : (wish ?? 0));
const DELIVERY = "运费";
/** Where the delivery stands among the lines that are priced: behind the goods. */
const deliveryPlace = (lines: Given["lines"]): number => lines.length + 1;
/** What each line comes to by the price, by its place; nothing of an order that nobody priced. */
async function netsOf(tx: Transaction, { service_provider_id, id, priced }: OrderRow): Promise<ReadonlyMap<number, number>> {
  if (!priced) return new Map();
  const rows = await tx
    .selectFrom("order_lines")
    .select(["place", "net_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", id)
    .execute();
  return new Map(rows.map(({ place, net_cents }) => [place, net_cents]));
}

async function writeMallOrder(tx: Transaction, services: Services, order: OrderRow, input: Given): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id: order_id, created_at } = order;
  // Whoever hears of the money looks at this alone.
  if (!order.goods) throw new Error("an order with goods says so");
  const at_ms = Date.parse(created_at);
  const id = services.ids.uuid(at_ms);
  const { lines, deliveryCents } = input;
  const owner = { service_provider_id, merchant_id, store_id };
  await tx
    .insertInto("mall_orders")
    .values({
      ...owner,
      ...sealReceiver(services, service_provider_id, id, input.receiver),
      id,
      order_id,
      mall_no: input.mallNo,
      goods_cents: lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0),
      delivery_cents: deliveryCents,
      buyer: input.buyer,
      note: input.note ?? null,
      created_at,
    })
    .execute();
  const nets = await netsOf(tx, order);
  const off = (place: number, gross: number, typed = 0) => (order.priced ? gross - (nets.get(place) ?? 0) : typed);
  const goods = lines.map(({ goodsNo: goods_no, name, quantity, unitCents: unit_cents, discountCents }, n) => ({
    place: n + 1,
    goods_no,
    name,
    quantity,
    unit_cents,
    discount_cents: off(n + 1, quantity * unit_cents, discountCents),
  }));
  const sent = { goods_no: "", name: DELIVERY, quantity: 1, unit_cents: deliveryCents };
  const delivery = deliveryCents > 0 ? [{ place: 0, ...sent, discount_cents: off(deliveryPlace(lines), deliveryCents) }] : [];
  await tx
    .insertInto("mall_order_lines")
    .values([...goods, ...delivery].map((line) => ({ ...owner, ...line, id: services.ids.uuid(at_ms), mall_order_id: id })))
    .execute();
  await reserveStock(
    tx,
    order,
    goods.map(({ place, goods_no, name, quantity: units }) => ({ place, goods_no, name, units })),
  );
}
