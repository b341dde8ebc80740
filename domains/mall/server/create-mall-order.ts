import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Beside, forFriend, type OrderRow, placeOrder, storeOf } from "../../orders/server/index.ts";
import { createMallOrder } from "../contract/index.ts";
import { answerOf, tillNoOf } from "./mall-answer.ts";
import { sealReceiver } from "./receiver.ts";

type Given = ParsedOf<typeof createMallOrder>;

/** 商城下单: goods and pay order in one transaction; then the channel is asked as for a till. */
export const createMallOrderRoute = implement(createMallOrder, async (ctx, input) => {
  const { lines, deliveryCents, buyer, inApp, friend } = input;
  for (const [n, { quantity, unitCents, discountCents }] of lines.entries())
    if (quantity * unitCents < discountCents) throw invalid(`lines.${n}.discountCents`, "优惠不能超过商品金额");
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
    lifetime_ms: minutes * 60_000,
    write: (tx, order) => writeMallOrder(tx, services, order, input),
  };
  if (!friend) return [goods];
  return [goods, forFriend(services, { orderer: buyer, minutes, ordererName: friend.ordererName, message: friend.message })];
}

async function writeMallOrder(tx: Transaction, services: Services, order: OrderRow, input: Given): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id: order_id, created_at } = order;
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
  const goods = lines.map(({ goodsNo: goods_no, name, quantity, unitCents: unit_cents, discountCents: discount_cents }, n) => ({
    place: n + 1,
    goods_no,
    name,
    quantity,
    unit_cents,
    discount_cents,
  }));
  const delivery =
    deliveryCents > 0 ? [{ place: 0, goods_no: "", name: "运费", quantity: 1, unit_cents: deliveryCents, discount_cents: 0 }] : [];
  await tx
    .insertInto("mall_order_lines")
    .values([...goods, ...delivery].map((line) => ({ ...owner, ...line, id: services.ids.uuid(at_ms), mall_order_id: id })))
    .execute();
}
