import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import type { createTillOrder } from "../../contract/till.ts";
import { lifetime_ms, nextLook_ms, REST_MS } from "../payments/payment-rules.ts";
import { walletOfCode } from "../../../channels/server/index.ts";
import { cashierToPay } from "../../../cashiers/server/index.ts";
import { linesOf, offColumns, placeParts, priceOrder } from "../../../pricing/server/index.ts";
import { chooseFor } from "../channel/choose-for.ts";
import { wantsSharing } from "../../../profit-sharing/server/index.ts";
import { addEvent, newNumber, type OrderRow } from "../rows.ts";
import type { Placing } from "./placing.ts";
import type { readSeller, TillStore } from "./till-order.ts";
import { paymentWay } from "./till-rules.ts";

interface Given {
  readonly input: ParsedOf<typeof createTillOrder>;
  readonly hash: Buffer;
  readonly store: TillStore;
  readonly seller: Awaited<ReturnType<typeof readSeller>>;
  /** How long it may be paid, where that is not what its kind of payment says. */
  readonly lifetime_ms?: number | undefined;
}

/** Writes a new order down, 待支付, with attribution and rate as they are now. @returns nothing where a rival took the till number */
export async function addTillOrder(
  ctx: Placing,
  tx: Transaction,
  { input, hash, store, seller, ...given }: Given,
): Promise<OrderRow | undefined> {
  const { services, now, now_ms } = ctx;
  // Whoever is to be asked of the price and told of the money has to be known before there is any.
  tiedTo(services);
  const pricing = await pricingOf(ctx, tx, input, store);
  const off_cents = input.couponCents + input.pointsCents + input.storedValueCents;
  const paid_cents = pricing?.priced.money_cents ?? input.grossCents - off_cents;
  if (paid_cents < 1) throw invalid("grossCents", "优惠后应付金额须大于 0");
  if (input.tradeType === "MICROPAY" && input.authCode === undefined) throw invalid("authCode", "请扫描顾客的付款码");
  if (input.tradeType === "JSAPI" && input.openId === undefined) throw invalid("openId", "缺少付款人");
  if (!seller.open) throw conflict("门店或商户已停用，不能收款", "store.disabled");
  const wallet = input.tradeType === "MICROPAY" ? (walletOfCode(input.authCode ?? "") ?? "wechat") : (input.wallet ?? "wechat");
  const { agent_id, business_group_id, business_team_id, salesman_id, fee_rate } = seller;
  const expires_at = new Date(now_ms + (given.lifetime_ms ?? lifetime_ms(input.tradeType))).toISOString();
  const trade = { trade_type: input.tradeType, created_at: now, expires_at };
  const channel = await chooseFor(tx, store, wallet);
  const device_id = ctx.principal.kind === "device" ? ctx.principal.id : null;
  const order = await tx
    .insertInto("pay_orders")
    .values({
      ...store,
      ...trade,
      agent_id,
      business_group_id,
      business_team_id,
      salesman_id,
      fee_rate,
      id: services.ids.uuid(now_ms),
      device_id,
      cashier_id: await cashierToPay(tx, { ...store, device_id }, input.cashierCode, paid_cents),
      order_no: newNumber(services, "P", now_ms),
      till_no: input.tillNo,
      till_hash: hash,
      order_type: input.orderType,
      channel,
      ...paymentWay(input.tradeType, input.face, wallet),
      subject: input.subject,
      gross_cents: input.grossCents,
      coupon_cents: input.couponCents,
      points_cents: input.pointsCents,
      stored_value_cents: input.storedValueCents,
      ...(pricing && { priced: true, ...offColumns(pricing.priced.parts) }),
      paid_cents,
      // Only what the direct channel itself holds can be shared through it.
      profit_sharing: channel === 0 && wallet !== "unionpay" && (await wantsSharing(tx, store, wallet)),
      ask_after: new Date(now_ms + REST_MS).toISOString(),
      next_query_at: new Date(now_ms + nextLook_ms(trade, now_ms)).toISOString(),
    })
    .onConflict((conflicting) =>
      conflicting.columns(["service_provider_id", "till_no", "store_id"]).where("till_no", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!order) return undefined;
  if (pricing) await placeParts(tx, services, order, pricing);
  await addEvent(tx, services, order, { kind: "created", note: `应付 ${yuan(paid_cents)} 元`, at: now, by: ctx.principal.name });
  await ctx.audit(tx, {
    targetKind: "pay_order",
    targetId: order.id,
    after: { orderNo: order.order_no, tillNo: input.tillNo, paidCents: paid_cents, tradeType: input.tradeType },
  });
  return order;
}

/**
 * The price of an order that comes with a quote, from what holds now; without one nothing comes off but what the till typed.
 * @throws 400 at the field, 409 where the price is another by now
 */
async function pricingOf(ctx: Placing, tx: Transaction, input: Given["input"], store: TillStore) {
  const { quote, lines, grossCents, couponCents, pointsCents, storedValueCents } = input;
  if (quote === undefined) {
    if (lines) throw invalid("quote", "商品须先报价");
    return undefined;
  }
  if (couponCents + pointsCents + storedValueCents > 0) throw invalid("couponCents", "已使用报价，不能再填写优惠金额");
  const rung = linesOf({ lines, grossCents });
  if (rung.reduce((sum, { units, unit_cents }) => sum + units * unit_cents, 0) !== grossCents)
    throw invalid("grossCents", "订单金额与商品合计不一致");
  return priceOrder(tx, ctx.services, { ...store, at: ctx.now, now_ms: ctx.now_ms, lines: rung, quote });
}
