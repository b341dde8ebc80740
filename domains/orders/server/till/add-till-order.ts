import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { tradeType } from "../../contract/codes.ts";
import type { createTillOrder } from "../../contract/till.ts";
import { lifetime_ms, nextLook_ms, REST_MS } from "../payments/payment-rules.ts";
import { walletOfCode } from "../../../channels/server/index.ts";
import { cashierToPay } from "../../../cashiers/server/index.ts";
import {
  type Customer,
  customersOf,
  linesOf,
  offColumns,
  placeParts,
  priceOrder,
  priceWished,
  type Where,
} from "../../../pricing/server/index.ts";
import { chooseFor } from "../channel/choose-for.ts";
import { wantsSharing } from "../../../profit-sharing/server/index.ts";
import { addEvent, newNumber, type OrderRow } from "../rows.ts";
import type { Beside, Placing } from "./placing.ts";
import type { readSeller, TillStore } from "./till-order.ts";
import { paymentWay } from "./till-rules.ts";

interface Given {
  readonly input: ParsedOf<typeof createTillOrder>;
  readonly hash: Buffer;
  readonly store: TillStore;
  readonly seller: Awaited<ReturnType<typeof readSeller>>;
  /** How long it may be paid, where that is not what its kind of payment says. */
  readonly lifetime_ms?: number | undefined;
  readonly purpose?: number | undefined;
  readonly goods?: boolean | undefined;
  readonly member_id?: string | undefined;
  readonly customer?: Customer | undefined;
  readonly price?: Beside["price"];
  readonly free?: Beside["free"];
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
  const where = { ...store, at: now };
  const customer = input.ticket === undefined ? given.customer : await customersOf(services).open(tx, services, where, input.ticket);
  const pricing = given.price
    ? await priceWished(tx, services, { ...where, lines: given.price.lines, customer: mustBeKnown(customer) }, given.price)
    : await pricingOf(ctx, tx, input, store, customer);
  const paid_cents = pricing?.priced.money_cents ?? input.grossCents - input.couponCents;
  const byVouchers = pricing?.priced.parts.some(({ source }) => source === "voucher") ?? false;
  // A use can be taken back for an hour only, and its order would wait longer.
  if (byVouchers && given.free === "refuse") throw invalid("quote", "平台券不能用于好友代付，请在收银台收款");
  const trade_type = tradeTypeOf(input, paid_cents, pricing !== undefined, given.free);
  if (!seller.open) throw conflict("门店或商户已停用，不能收款", "store.disabled");
  const wallet = trade_type === "MICROPAY" ? (walletOfCode(input.authCode ?? "") ?? "wechat") : (input.wallet ?? "wechat");
  const expires_at = new Date(now_ms + (given.lifetime_ms ?? lifetime_ms(trade_type))).toISOString();
  const trade = { trade_type, created_at: now, expires_at };
  const device_id = ctx.principal.kind === "device" ? ctx.principal.id : null;
  const [channel, cashier_id] = await Promise.all([
    trade_type === "MEMBER" ? MEMBERS : chooseFor(tx, store, wallet),
    cashierToPay(tx, { ...store, device_id }, input.cashierCode, { paid_cents, off_cents: pricing?.hand_cents ?? 0 }),
  ]);
  const order = await tx
    .insertInto("pay_orders")
    .values({
      ...store,
      ...trade,
      ...takenOver(seller),
      id: services.ids.uuid(now_ms),
      device_id,
      cashier_id,
      order_no: newNumber(services, "P", now_ms),
      till_no: input.tillNo,
      till_hash: hash,
      order_type: byVouchers ? VOUCHERS : input.orderType,
      channel,
      ...paymentWay(trade_type, input.face, wallet),
      member_id: customer?.member_id ?? given.member_id ?? null,
      purpose: given.purpose ?? 0,
      goods: given.goods ?? false,
      subject: input.subject,
      gross_cents: input.grossCents,
      coupon_cents: input.couponCents,
      ...(pricing && { priced: true, ...offColumns(pricing.priced.parts) }),
      paid_cents,
      // Only what the direct channel itself holds can be shared through it; and what may be owed back is not shared.
      profit_sharing: given.purpose === undefined && channel === 0 && wallet !== "unionpay" && (await wantsSharing(tx, store, wallet)),
      ask_after: new Date(now_ms + REST_MS).toISOString(),
      next_query_at: new Date(now_ms + nextLook_ms(trade, now_ms)).toISOString(),
    })
    .onConflict((conflicting) =>
      conflicting.columns(["service_provider_id", "till_no", "store_id"]).where("till_no", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!order) return undefined;
  if (customer) await letSpend(tx, services, where, order, customer, input);
  if (pricing) await placeParts(tx, services, order, pricing);
  await addEvent(tx, services, order, { kind: "created", note: `应付 ${yuan(paid_cents)} 元`, at: now, by: ctx.principal.name });
  await ctx.audit(tx, {
    targetKind: "pay_order",
    targetId: order.id,
    after: { orderNo: order.order_no, tillNo: input.tillNo, paidCents: paid_cents, tradeType: trade_type },
  });
  return order;
}

/** Attribution and rate as they are now. */
const takenOver = ({ agent_id, business_group_id, business_team_id, salesman_id, fee_rate }: Given["seller"]) => ({
  agent_id,
  business_group_id,
  business_team_id,
  salesman_id,
  fee_rate,
});

/** The customer's ticket is used up, or their session stands for it; and what the order spends of theirs is allowed. @throws 400, 409 */
async function letSpend(
  tx: Transaction,
  services: Services,
  where: Where,
  { id, points_used: points, stored_value_cents: stored_cents }: OrderRow,
  customer: Customer,
  { ticket, pin }: Given["input"],
): Promise<void> {
  const door = customersOf(services);
  const spends = { points, stored_cents };
  if (ticket === undefined) await door.admit(tx, services, where, { id }, customer, spends, pin);
  else await door.use(tx, services, where, { id, member_id: customer.member_id }, ticket, spends, pin);
}

/** 团购: vouchers stand in it. */
const VOUCHERS = 1;
/** 会员账户: nobody carries a payment of nothing. */
const MEMBERS = 99;
/** How it is paid; by nobody where the price leaves nothing. @throws 400 at the field that is missing or too much */
function tradeTypeOf(input: Given["input"], paid_cents: number, priced: boolean, free: Given["free"]): CodeOf<typeof tradeType> {
  const { tradeType: asked, authCode, openId } = input;
  if (paid_cents === 0 && priced) {
    if (free === "refuse") throw invalid("quote", "优惠和储值已经付清，不需要好友代付");
    if (free === "settle") return "MEMBER";
    if (asked !== undefined || authCode !== undefined) throw invalid("tradeType", "无需付款，请不要填写收款方式和付款码");
    return "MEMBER";
  }
  if (paid_cents < 1) throw invalid("grossCents", "优惠后应付金额须大于 0");
  if (asked === undefined) throw invalid("tradeType", "请选择收款方式");
  if (asked === "MICROPAY" && authCode === undefined) throw invalid("authCode", "请扫描顾客的付款码");
  if (asked === "JSAPI" && openId === undefined) throw invalid("openId", "缺少付款人");
  return asked;
}

/** The book would not know whose points and stored value they are. @throws 400 */
function mustBeKnown(customer: Customer | undefined): Customer {
  if (!customer) throw new Refusal(400, "member.required", "使用积分或储值须先识别会员并报价");
  return customer;
}

/**
 * The price of an order that comes with a quote, from what holds now; without one nothing comes off but what the till typed.
 * @throws 400 at the field, 409 where the price is another by now
 */
async function pricingOf(ctx: Placing, tx: Transaction, input: Given["input"], store: TillStore, customer: Customer | undefined) {
  const { quote, lines, grossCents, couponCents, pointsCents, storedValueCents, platformVouchers: vouchers } = input;
  if (pointsCents + storedValueCents > 0) mustBeKnown(undefined);
  if (couponCents > 0 && customer) throw invalid("couponCents", "已识别会员，优惠请通过报价使用");
  if (quote === undefined) {
    if (lines) throw invalid("quote", "商品须先报价");
    if (vouchers?.length) throw invalid("quote", "平台券须先报价");
    return undefined;
  }
  if (couponCents > 0) throw invalid("couponCents", "已使用报价，不能再填写优惠金额");
  const rung = linesOf({ lines, grossCents });
  if (rung.reduce((sum, { units, unit_cents }) => sum + units * unit_cents, 0) !== grossCents)
    throw invalid("grossCents", "订单金额与商品合计不一致");
  return priceOrder(tx, ctx.services, {
    ...store,
    at: ctx.now,
    now_ms: ctx.now_ms,
    lines: rung,
    quote,
    customer,
    vouchers,
    till_no: input.tillNo,
  });
}
