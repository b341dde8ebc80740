import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, instant } from "@zhangfang/contract/fields.ts";

/** 优惠设置: how much may come off one order, and what a new coupon begins with. */
export const discountSettings = z.object({
  /** 不同享 that a new coupon begins with. */
  without: z
    .array(z.enum(["member", "auto", "points"]))
    .max(3)
    .default([]),
  mostWhole: z.int("张数须为整数").min(0, "整单券为 0 或 1 张").max(1, "一单最多用 1 张整单券").default(1),
  mostItem: z.int("张数须为整数").min(0, "单品券为 0 到 2 张").max(2, "一单最多用 2 张单品券").default(2),
  /** 手工优惠 of one order; null: as much as the cashier may. */
  manualPercent: z.int("比例须为整数").min(0, "比例不能小于 0").max(100, "比例不能超过 100%").nullable().default(null),
  manualCents: z.int("金额须为整数分").min(0, "金额不能小于 0").max(99_999_999, "金额过大").nullable().default(null),
});
export type DiscountSettings = z.output<typeof discountSettings>;
export const getDiscountSettings = read({
  path: "/api/discounts/settings",
  title: "优惠设置",
  access: "/ticket/discountSet",
  input: z.object({}),
  output: z.object({
    version: z.int(),
    settings: discountSettings,
    versions: z.array(z.object({ version: z.int(), by: z.string(), at: instant })),
  }),
});
export const saveDiscountSettings = write({
  path: "/api/discounts/settings/save",
  title: "修改优惠设置",
  access: "/ticket/discountSet/edit",
  input: z.object({ version: z.int().min(0), settings: discountSettings }),
  output: done,
});
