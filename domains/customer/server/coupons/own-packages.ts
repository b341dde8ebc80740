import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { packagesFor, receivePackage, sellPackage } from "../../../coupons/server/index.ts";
import { findTillOrder, placingAt, type TillStore, viewOf } from "../../../orders/server/index.ts";
import { openPayer, payerUrlOf } from "../../../pay-codes/server/index.ts";
import { buyOwnPackage, followOwnPackage, listOwnPackages, receiveOwnPackage } from "../../contract/index.ts";
import { storeOfPage } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";
import { payingAt, payShown, tillNoOf } from "../value/recharge.ts";

/** 会员页券包. */
export const listOwnPackagesRoute = implement(listOwnPackages, async (ctx) => {
  const self = selfOf(ctx);
  const items = await packagesFor(ctx.tx, ctx.services, self);
  const priced = items.some(({ priceCents }) => priceCents !== null);
  return { items: items as never, wechatUrl: priced ? await payerUrlOf(ctx, self, `/m/${self.merchant_id}`) : null };
});
/** 会员页领券包. */
export const receiveOwnPackageRoute = implement(receiveOwnPackage, async (ctx, { packageId, requestId }) => {
  const { id, coupons } = await receivePackage(ctx.tx, ctx.services, selfOf(ctx), { package_id: packageId, request_id: requestId });
  ctx.note({ targetKind: "package", targetId: packageId, after: { get: id } });
  return { packageGetId: id, coupons };
});

/** What a member began to buy by their own number, at whatever store it was placed. */
function findOwn(tx: Transaction, { service_provider_id, merchant_id, id }: Self, requestId: string) {
  return tx
    .selectFrom("package_gets as g")
    .innerJoin("pay_orders as o", (on) => on.onRef("o.service_provider_id", "=", "g.service_provider_id").onRef("o.id", "=", "g.order_id"))
    .select(["o.service_provider_id", "o.merchant_id", "o.store_id", "o.till_no", "g.price_cents", "g.status"])
    .where("g.service_provider_id", "=", service_provider_id)
    .where("g.merchant_id", "=", merchant_id)
    .where("o.member_id", "=", id)
    .where("g.request_id", "=", requestId)
    .executeTakeFirst();
}
/** 会员页买券包: a real order of the member's own store. */
export const buyOwnPackageRoute = implement(buyOwnPackage, async (ctx, { requestId, packageId, priceCents, wallet, payer }) => {
  const self = selfOf(ctx);
  const openId = payer === undefined || wallet !== "wechat" ? undefined : openPayer(ctx, payingAt(self), payer);
  // The same request goes to the store where it was placed, whatever became of that since.
  const store: TillStore = await ctx.transaction(
    async (tx) => (await findOwn(tx, self, requestId)) ?? storeOfPage(tx, self, { member: self.id }),
    { readOnly: true },
  );
  const order = await sellPackage(
    placingAt(ctx, buyOwnPackage, store, "会员页"),
    self,
    {
      tillNo: tillNoOf(requestId),
      ...(openId === undefined ? { tradeType: "NATIVE" } : { tradeType: "JSAPI", openId }),
      ...(wallet !== "wechat" && { wallet }),
    },
    { packageId, requestId, priceCents, memberId: self.id },
  );
  return { ...payShown(ctx, order as never), amountCents: priceCents };
});
/** 会员页券包付款结果: only of what this member began. */
export const followOwnPackageRoute = implement(followOwnPackage, async (ctx, { requestId }) => {
  const own = await findOwn(ctx.tx, selfOf(ctx), requestId);
  const order = own && (await findTillOrder(ctx.tx, own, own.till_no ?? ""));
  if (!own || !order) throw notFound("券包订单");
  return { ...payShown(ctx, viewOf(order)), amountCents: own.price_cents as never, returned: own.status === 5 };
});
