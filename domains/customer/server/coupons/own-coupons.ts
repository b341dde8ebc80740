import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import {
  claimCoupon,
  consumeCoupon,
  couponCentre,
  dropCoupon,
  mustGive,
  ownCouponCode,
  ownCoupons,
} from "../../../coupons/server/index.ts";
import {
  claimOwnCoupon,
  consumeOwnCoupon,
  deleteOwnCoupon,
  getCouponCentre,
  getOwnCouponCode,
  listOwnCoupons,
} from "../../contract/index.ts";
import { selfOf } from "../session/member-session.ts";

/** 会员页领券中心. */
export const getCouponCentreRoute = implement(getCouponCentre, async (ctx) => ({
  items: (await couponCentre(ctx.tx, ctx.services, selfOf(ctx))) as never,
}));
/** 会员页领券: of this merchant's campaigns alone. */
export const claimOwnCouponRoute = implement(claimOwnCoupon, async (ctx, { campaignId, requestId }) => {
  const self = selfOf(ctx);
  const { service_provider_id, id } = self;
  await mustGive(ctx, self, campaignId, requestId);
  const claimed = await claimCoupon(
    ctx.services,
    { service_provider_id, campaign_id: campaignId },
    { member_id: id, request_id: requestId, hurried: true },
    ({ coupon_id }) => ctx.auditRow({ targetKind: "coupon", targetId: coupon_id, after: { campaignId } }),
  );
  return { couponId: claimed.coupon_id, validFrom: claimed.valid_from as never, validTo: claimed.valid_to as never };
});
/** 会员页我的券. */
export const listOwnCouponsRoute = implement(
  listOwnCoupons,
  async (ctx, { tab }) => (await ownCoupons(ctx.tx, ctx.services, selfOf(ctx), tab)) as never,
);
/** 会员页券码. */
export const getOwnCouponCodeRoute = implement(getOwnCouponCode, async (ctx, { couponId }) => {
  const found = await ownCouponCode(ctx.tx, ctx.services, selfOf(ctx), couponId);
  return { ...found, qr: found.code === null ? null : qrPath(found.code) };
});
/** 会员页自助核销. */
export const consumeOwnCouponRoute = implement(consumeOwnCoupon, async (ctx, { couponId, storeId }) => {
  const self = selfOf(ctx);
  const used = await consumeCoupon(ctx.tx, ctx.services, self, `会员 ${self.no}`, { coupon_id: couponId, store_id: storeId, again: true });
  ctx.note({ targetKind: "coupon", targetId: couponId, after: { state: "USED", storeId } });
  return used as never;
});
/** 会员页删除券. */
export const deleteOwnCouponRoute = implement(deleteOwnCoupon, async (ctx, { couponId }) => {
  const self = selfOf(ctx);
  await dropCoupon(ctx.tx, ctx.services, self, `会员 ${self.no}`, couponId);
  ctx.note({ targetKind: "coupon", targetId: couponId, after: { state: "DELETED" } });
  return { ok: true as const };
});
