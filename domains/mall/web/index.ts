import { screen } from "@zhangfang/web/screen.ts";

/** The screens of the mall, each loaded when somebody first opens it. */
export const screens = {
  "mall-pay-order": screen(() => import("./MallOrderList.tsx"), "MallOrderList"),
  "mall-refund-order": screen(() => import("./MallRefundList.tsx"), "MallRefundList"),
};

export { ProductFilter } from "./ProductFilter.tsx";
