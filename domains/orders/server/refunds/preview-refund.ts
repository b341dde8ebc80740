import type { z } from "zod";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { previewRefund, previewRefundRequest, previewRefundRetry } from "../../contract/refunds.ts";
import { clawbackOf } from "../../../commissions/server/index.ts";
import { previewReturns, previewReturnsAgain, returnsOf } from "../../../profit-sharing/server/index.ts";
import { seesReceivers } from "../trace/sharing-part.ts";
import { DECIDE } from "./asker.ts";
import { needsRefundPassword, overDailyLimit } from "./refund-guards.ts";
import { planVouchers, refundHoldOf, refundSaidOf, voucherDoorOf } from "./refund-hold.ts";
import { type Ask, type Back, previewBack } from "../../../pricing/server/index.ts";
import type { Both, OrderRow } from "../rows.ts";
import { cutOf, waitsForSomebody } from "./hold-amount.ts";
import { planRefund, refusalOf } from "./refund-rules.ts";
import { askOf, mayReverse } from "./refund-routes.ts";

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** What came with an order and goes or stays where so much more of it goes back, in words. */
    readonly giftsBack?: (
      tx: Transaction,
      services: Services,
      order: Pick<OrderRow, "service_provider_id" | "id">,
      value_cents: number,
    ) => Promise<readonly string[]>;
  }
}
type Preview = z.input<(typeof previewRefund)["output"]>;

/** What a refund of an order would do, by the same rules that reserve, without reserving. @throws 400 at `units` where they are more than is left */
export async function previewParties(ctx: Ctx, order: OrderRow, ask: Ask, named?: readonly string[]): Promise<Preview> {
  const { tx, services, now_ms } = ctx;
  const nothing = (named?.length ?? 0) > 0;
  const sold = order.purpose === 0 ? undefined : "这是预付的订单，请在对应的退卡处办理";
  const first =
    sold ?? refusalOf(order, now_ms) ?? ("cents" in ask ? planRefund(order, ask.cents, now_ms, ask.cents, nothing).refusal : undefined);
  const cut = first === undefined ? await cutOf(tx, order, ask, nothing) : undefined;
  const value_cents = cut?.value_cents ?? ("cents" in ask ? ask.cents : 0);
  const money_cents = cut?.money_cents ?? value_cents;
  const plan = planRefund(order, value_cents, now_ms, money_cents, nothing);
  const vouchers = (await voucherDoorOf(services, order)?.of(tx, services, order)) ?? [];
  const refusal =
    first ??
    plan.refusal ??
    (cut && (await voucherRefusal(planVouchers(tx, services, order, cut, { vouchers: named, mayReverse: mayReverse(ctx) })))) ??
    (await overDailyLimit(tx, order, value_cents, now_ms));
  const back =
    plan.refusal === undefined
      ? await previewReturns(tx, order, { amount_cents: money_cents, fee_back_cents: plan.fee_cents }, now_ms)
      : { shares: [], refusal: undefined };
  const clawback = plan.refusal === undefined ? await clawbackOf(tx, order, money_cents) : [];
  return {
    refundType: plan.refund_type,
    valueCents: value_cents as never,
    moneyCents: money_cents as never,
    ...(await memberOf(ctx, order, cut)),
    vouchers: vouchers.filter(({ status }) => status !== 6),
    ...partiesOf(ctx, { amount_cents: money_cents, fee_cents: plan.fee_cents }, back.shares, clawback),
    refundableAfterCents: plan.left_cents as never,
    needsApproval: await waitsForSomebody(tx, order, value_cents, ctx.principal.holds([DECIDE])),
    needsPassword: await needsRefundPassword(tx, order),
    refusal: refusal ?? back.refusal ?? null,
    holds: (await refundHoldOf(tx, services, order, { amount_cents: money_cents, reserved: false }))?.words ?? null,
    invoices: (await refundSaidOf(tx, services, order, money_cents)) ?? null,
  };
}
/**
 * What a refund that is cut so gives back to the order's member and takes back of them; nothing where it would be refused.
 * @param except the refund, where it is set aside already
 */
async function memberOf({ tx, services }: Ctx, order: OrderRow, cut: Back | undefined, except?: string) {
  const besides = cut ? await previewBack(tx, services, order, cut, except) : [];
  const gifts = besides.flatMap(({ gifts: some = [] }) => some);
  if (cut) for (const { giftsBack } of tiedTo(services)) gifts.push(...((await giftsBack?.(tx, services, order, cut.value_cents)) ?? []));
  return {
    principalCents: (cut?.principal_cents ?? 0) as never,
    giftCents: (cut?.gift_cents ?? 0) as never,
    pointsBack: Object.values(cut?.points ?? {}).reduce((sum, points) => sum + points, 0),
    pointsClawed: besides.reduce((sum, { points_clawed = 0 }) => sum + points_clawed, 0),
    coupons: besides.flatMap(({ coupons = [] }) => coupons),
    gifts,
  };
}
/** Why a plan for vouchers would be refused; undefined where it would not. */
async function voucherRefusal(plan: Promise<unknown>): Promise<string | undefined> {
  try {
    await plan;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.fields?.["vouchers"] ?? error.message;
  }
  return undefined;
}
/** The same for an order in sight, by its id. @throws 404 */
export async function previewOf(ctx: Ctx, orderId: string, ask: Ask, vouchers?: readonly string[]): Promise<Preview> {
  const found = ctx.tx.selectFrom("pay_orders as o").selectAll("o").where("o.id", "=", orderId).where(inScope(ctx.scope, "o"));
  const order = await found.executeTakeFirst();
  if (!order) throw notFound("订单");
  return previewParties(ctx, order, ask, vouchers);
}

/** 退款试算. */
export const previewRefundRoute = implement(previewRefund, (ctx, { orderId, amountCents, units, vouchers }) =>
  previewOf(
    ctx,
    orderId,
    askOf({ amountCents: amountCents as never, units: units === undefined ? undefined : unitsIn(units) }),
    vouchers?.split(",").filter((id) => id !== ""),
  ),
);
/** @example unitsIn("1:2,3:1") // [{ place: 1, units: 2 }, { place: 3, units: 1 }] */
const unitsIn = (text: string) =>
  text.split(",").map((one) => {
    const [place = 0, units = 0] = one.split(":").map(Number);
    return { place, units };
  });

/** A refund in sight, and its order. @throws 404, 409 where it stands elsewhere than asked */
async function bothOf({ tx, scope }: Ctx, id: string, status: number, elsewhere: string): Promise<Both> {
  const found = tx.selectFrom("refunds as r").selectAll("r").where("r.id", "=", id).where(inScope(scope, "r"));
  const refund = await found.executeTakeFirst();
  if (!refund) throw notFound("退款");
  if (refund.status !== status) throw conflict(elsewhere);
  const order = await tx
    .selectFrom("pay_orders")
    .selectAll()
    .where("service_provider_id", "=", refund.service_provider_id)
    .where("id", "=", refund.order_id)
    .executeTakeFirstOrThrow();
  return { order, refund };
}
/** 退款申请试算: what is set aside with the request, and what the parts of the fee give back of it. */
export const previewRefundRequestRoute = implement(previewRefundRequest, async (ctx, { id }) => {
  const { order, refund } = await bothOf(ctx, id, 0, "此申请已被处理，请刷新后查看");
  const shares = await returnsOf(ctx.tx, refund.service_provider_id, id);
  const clawback = await clawbackOf(ctx.tx, order, refund.amount_cents, refund);
  const cut = await cutOf(ctx.tx, order, { again: refund }, true);
  return { ...(await memberOf(ctx, order, cut, id)), ...partiesOf(ctx, refund, shares, clawback) };
});

/** 重新退款试算: by the same rules that reserve it again; what came back with an earlier try stays with the merchant and counts. */
export const previewRefundRetryRoute = implement(previewRefundRetry, async (ctx, { id, bear = false }) => {
  const { tx, now_ms } = ctx;
  const { order, refund } = await bothOf(ctx, id, 3, "只有退款失败的记录可以重新退款");
  const { amount_cents } = refund;
  // It is counted already, so that the fiftieth is no reason.
  const plan = planRefund({ ...order, refund_count: order.refund_count - 1 }, refund.value_cents, now_ms, amount_cents);
  const back = await previewReturnsAgain(tx, order, { id, amount_cents, fee_back_cents: plan.fee_cents }, bear, now_ms);
  const clawback = plan.refusal === undefined ? await clawbackOf(tx, order, amount_cents) : [];
  const parties = partiesOf(ctx, { amount_cents, fee_cents: plan.fee_cents }, back.shares, clawback);
  const refusal = plan.refusal ?? back.refusal ?? (await overDailyLimit(tx, order, refund.value_cents, now_ms)) ?? null;
  return { ...parties, needsPassword: await needsRefundPassword(tx, order), refusal };
});

type Parties = Pick<
  Preview,
  "payerCents" | "feeBackCents" | "merchantPaysCents" | "shares" | "sharesBackCents" | "clawback" | "borneCents"
>;
/** Who gets and gives back what by a refund whose parts are known. */
function partiesOf(
  { scope }: Ctx,
  { amount_cents, fee_cents }: { readonly amount_cents: number; readonly fee_cents: number },
  shares: Shares,
  clawback: readonly { readonly name: string; readonly cents: number }[],
): Parties {
  const borneCents = sumOf(shares.filter(({ refusal }) => refusal !== null));
  const sharesBackCents = sumOf(shares) - borneCents;
  return {
    payerCents: amount_cents,
    feeBackCents: fee_cents,
    merchantPaysCents: amount_cents - fee_cents - sharesBackCents,
    shares: seesReceivers(scope) ? shares : asSums(shares),
    sharesBackCents,
    clawback: clawback.map(({ name, cents }) => ({ name, cents: cents as never })),
    borneCents,
  };
}

type Shares = Awaited<ReturnType<typeof returnsOf>>;
const sumOf = (shares: Shares): number => shares.reduce((sum, { returnCents }) => sum + returnCents, 0);
/** For those who know what was shared, and not with whom. */
const asSums = (shares: Shares): Shares =>
  [null, "不能回退"].flatMap((refusal) => {
    const some = shares.filter((one) => (one.refusal === null) === (refusal === null));
    const sharedCents = some.reduce((total, one) => total + one.sharedCents, 0) as never;
    return some.length === 0 ? [] : [{ alias: "分账接收方", account: "", sharedCents, returnCents: sumOf(some) as never, refusal }];
  });
