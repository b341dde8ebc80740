import { domain } from "@zhangfang/server/calls/domain.ts";
import { addCouponRoute } from "./add-coupon.ts";
import { couponExport } from "./export-coupons.ts";
import { listCouponsRoute } from "./list-coupons.ts";

export const coupons = domain({
  routes: [listCouponsRoute, addCouponRoute],
  exports: [couponExport],
});
