import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, positiveCents } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** Whose: a merchant's people mean their own and leave it out. */
const ofMerchant = { merchantId: id.optional() };
const switches = { memberAtPay: z.boolean(), printReceipt: z.boolean(), speaker: z.boolean(), profitSharing: z.boolean() };

export const getMerchantSettings = read({
  path: "/api/organisation/merchant-settings",
  title: "商户配置",
  access: "/merchants/config",
  input: z.object(ofMerchant),
  output: z.object({
    merchantId: id,
    merchantName: z.string(),
    ...switches,
    /** Above it a refund waits for approval; null is never. */
    refundApprovalAbove: cents.nullable(),
    /** What may be refunded on one day; null is no limit. */
    refundDailyLimit: cents.nullable(),
    refundPasswordAt: instant.nullable(),
    /** 0 until something was set. */
    version: z.int(),
  }),
});
export const updateMerchantSettings = write({
  path: "/api/organisation/merchant-settings/update",
  title: "修改商户配置",
  access: "/merchants/config/edit",
  input: z.object({
    ...ofMerchant,
    version: z.int().min(0),
    ...switches,
    refundApprovalAbove: positiveCents.nullable(),
    refundDailyLimit: positiveCents.nullable(),
  }),
  output: done,
});
/** Asked for at every refund from the back-office; null takes it away. Kept as its hash alone. */
export const setRefundPassword = write({
  path: "/api/organisation/merchant-settings/refund-password",
  title: "设置退款密码",
  access: "/merchants/config/edit",
  closedToActing: true,
  outside: true,
  input: z.object({
    ...ofMerchant,
    password: z
      .string()
      .regex(/^[\x21-\x7e]{6,32}$/, "退款密码为 6 到 32 位字母、数字或符号")
      .nullable(),
  }),
  output: done,
});
