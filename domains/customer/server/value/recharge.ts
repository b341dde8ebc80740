import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { findTillOrder, placingAt, type TillStore, viewOf } from "../../../orders/server/index.ts";
import { openPayer, payerUrlOf, sealPayer } from "../../../pay-codes/server/index.ts";
import { offerRecharge, placeRecharge } from "../../../stored-value/server/index.ts";
import { MOST_CENTS } from "../../../stored-value/contract/index.ts";
import { pointsOf } from "../../../value-book/server/index.ts";
import { followCustomerRecharge, getCustomerRecharge, nameCustomerPayer, rechargeAsCustomer } from "../../contract/index.ts";
import { balancesOf } from "../self/home.ts";
import { storeOfPage } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";

/** The order's number at its store, as a till would give one; a till's own may not begin like it by chance. */
export const tillNoOf = (requestId: string): string => `MEMBER-${requestId}`;
const holderOf = ({ service_provider_id, merchant_id, id }: Self) => ({ service_provider_id, merchant_id, member_id: id });

/** 会员页充值档位. */
export const getCustomerRechargeRoute = implement(getCustomerRecharge, async (ctx) => {
  const self = selfOf(ctx);
  const offered = await ctx.transaction(async (tx) => {
    const of = await balancesOf(tx, self);
    const { usable } = await pointsOf(tx, holderOf(self), shanghaiDay(ctx.now_ms));
    return { ...(await offerRecharge(tx, holderOf(self), ctx.now_ms)), principal: of("principal"), gift: of("gift"), points: usable };
  });
  const { rule, bar, tiers, idCardAbove } = offered;
  return {
    ruleId: rule?.id ?? null,
    anyAmount: rule?.any_amount ?? false,
    mostCents: MOST_CENTS as never,
    principalCents: offered.principal as never,
    giftCents: offered.gift as never,
    points: offered.points,
    idCardAboveCents: (idCardAbove ?? null) as never,
    bar: bar ?? null,
    tiers: tiers.map(({ amount_cents, gift_cents, points, coupons, why }) => ({
      amountCents: amount_cents as never,
      giftCents: gift_cents as never,
      points,
      coupons,
      why: why ?? null,
    })),
    rule: "7 天内没用过，本金全退；用过的按规则扣除后退。赠送不退、不折现。都不过期。",
    wechatUrl: rule ? await payerUrlOf(ctx, self, `/m/${self.merchant_id}`) : null,
  };
});

/** 会员页识别付款人. */
export const nameCustomerPayerRoute = implement(nameCustomerPayer, async (ctx, { wechatCode }) =>
  sealPayer(ctx, payingAt(selfOf(ctx)), wechatCode),
);
/** What a payer is sealed for: this member's own page. */
export const payingAt = ({ service_provider_id, merchant_id, id }: Self) => ({ service_provider_id, merchant_id, id });

/** The recharge of a member under their own number, with what it brings; at whatever store it was placed. */
async function findOwn(tx: Transaction, { service_provider_id, merchant_id, id }: Self, requestId: string) {
  return tx
    .selectFrom("recharges as r")
    .innerJoin("pay_orders as o", (on) => on.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"))
    .select(["o.service_provider_id", "o.merchant_id", "o.store_id", "r.gift_cents", "r.points", "r.principal_cents"])
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.merchant_id", "=", merchant_id)
    .where("r.member_id", "=", id)
    .where("o.member_id", "=", id)
    .where("o.till_no", "=", tillNoOf(requestId))
    .executeTakeFirst();
}

/** How an order of the page's own is paid: the code, or what the wallet inside asks for. */
export function payShown(ctx: Ctx, order: ReturnType<typeof viewOf>) {
  const { demo, simulator_port } = ctx.services.config;
  const { status, orderNo, message, codeUrl, clientParams } = order;
  return {
    status,
    orderNo,
    message,
    codeUrl,
    clientParams,
    qr: codeUrl === null ? null : qrPath(codeUrl),
    payUrl: demo && codeUrl ? `http://127.0.0.1:${simulator_port}/?scan=${encodeURIComponent(codeUrl)}` : null,
  };
}

/** 会员页充值: a real order of the member's own store. */
export const rechargeAsCustomerRoute = implement(
  rechargeAsCustomer,
  async (ctx, { requestId, amountCents, ruleId, coupons, wallet, payer }) => {
    const self = selfOf(ctx);
    const openId = payer === undefined || wallet !== "wechat" ? undefined : openPayer(ctx, payingAt(self), payer);
    // The same request goes to the store where it was placed, whatever became of that since.
    const store: TillStore = await ctx.transaction(
      async (tx) => (await findOwn(tx, self, requestId)) ?? storeOfPage(tx, self, { member: self.id }),
      { readOnly: true },
    );
    const order = await placeRecharge(placingAt(ctx, rechargeAsCustomer, store, "会员页"), {
      tillNo: tillNoOf(requestId),
      memberId: self.id,
      amountCents,
      ruleId,
      coupons,
      ...(openId === undefined ? { tradeType: "NATIVE" as const } : { tradeType: "JSAPI" as const, openId }),
      ...(wallet !== "wechat" && { wallet }),
    });
    return { ...payShown(ctx, order as never), amountCents, giftCents: order.giftCents, points: order.points };
  },
);

/** 会员页充值结果: only of what this member began. */
export const followCustomerRechargeRoute = implement(followCustomerRecharge, async (ctx, { requestId }) => {
  const self = selfOf(ctx);
  const own = await findOwn(ctx.tx, self, requestId);
  const order = own && (await findTillOrder(ctx.tx, own, tillNoOf(requestId)));
  if (!own || !order || order.member_id !== self.id) throw notFound("充值");
  return {
    ...payShown(ctx, viewOf(order)),
    amountCents: own.principal_cents as never,
    giftCents: own.gift_cents as never,
    points: own.points,
  };
});
