import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { goodsKind, voucherCheck, voucherPlatform, voucherStatus } from "./codes.ts";
import { attemptView } from "./desk.ts";

const access = ["/plat-dy/coupon", "/plat-ks/coupon"] as const;
const platform = oneOf(voucherPlatform);
/** What the list is narrowed by, also for its file. */
export const voucherFilters = {
  platform,
  merchantId: id.optional(),
  storeId: id.optional(),
  /** The last four digits, or a part of the goods' name. */
  keyword: line(40).optional(),
  status: oneOf(voucherStatus).optional(),
  kind: oneOf(goodsKind).optional(),
  check: oneOf(voucherCheck).optional(),
  ...dateRange,
};
const row = z.object({
  id,
  platform,
  title: z.string(),
  kind: oneOf(goodsKind),
  tail: z.string(),
  status: oneOf(voucherStatus),
  times: z.int(),
  used: z.int(),
  faceCents: cents,
  payCents: cents,
  merchantName: z.string(),
  storeName: z.string(),
  /** Of the last try. */
  byName: z.string(),
  endsAt: instant.nullable(),
  updatedAt: instant,
});
/** 平台券: vouchers that were brought here. */
export const listVouchers = read({
  path: "/api/platforms/vouchers",
  title: "平台券",
  access,
  input: listInput(voucherFilters, ["-updatedAt"]),
  output: listOutput(row),
});
export const summariseVouchers = read({
  path: "/api/platforms/vouchers/summary",
  title: "平台券合计",
  access,
  input: z.object(voucherFilters),
  output: z.object({ count: z.int(), byStatus: z.record(z.string(), z.int()), payCents: cents, faceCents: cents }),
});
/** One voucher and each try. */
export const getVoucher = read({
  path: "/api/platforms/vouchers/one",
  title: "平台券详情",
  access: ["/plat-dy/coupon", "/plat-ks/coupon", "/plat-dy/coupon/detail", "/plat-ks/coupon/detail"],
  input: z.object({ id }),
  output: row.extend({
    certificateId: z.string(),
    orderNo: z.string(),
    merchantTicketCents: cents,
    platformTicketCents: cents,
    expectedFeeCents: cents,
    attempts: z.array(
      attemptView.extend({
        verifyId: z.string(),
        calls: z.array(z.object({ operation: z.string(), at: instant, outcome: z.string(), message: z.string() })),
      }),
    ),
  }),
});
