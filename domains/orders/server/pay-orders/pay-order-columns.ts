import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { payOrderRow } from "../../contract/pay-orders.ts";
import { REFUND } from "../refunds/asker.ts";
import { refundableCents, type RefundFacts } from "../refunds/refund-rules.ts";

export const SYNC = "/dataCentre/payOrder/sync";
type Shown = z.input<typeof payOrderRow>;
/** A row as the query gives it; what it allows is added by `withAbilities`. */
export type PayOrderFound = Omit<Shown, "refundable" | "refundableCents" | "syncable"> & RefundFacts;

/** The row of the list from pay_orders `o`, with names; unpaid amounts are zero, the payer leaves the database masked. */
export const payOrderColumns = sql`
  o.id, o.order_no as "orderNo", o.till_no as "tillNo", o.channel_no as "channelNo", o.order_type as "orderType", o.trade_type as "tradeType", o.subject,
  o.service_provider_id as "serviceProviderId", o.merchant_id as "merchantId", o.store_id as "storeId",
  coalesce(m.short_name, app.past_name('merchant', o.service_provider_id, o.merchant_id), '') as "merchantName",
  coalesce(s.short_name, app.past_name('store', o.service_provider_id, o.store_id), '') as "storeName",
  d.name as "deviceName", c.name as "cashierName", v.id as "memberId", v.no as "memberNo",
  case when length(o.payer) > 8 then left(o.payer, 4) || '****' || right(o.payer, 4) else left(o.payer, 1) || '****' end as payer,
  o.gross_cents as "grossCents", o.discount_cents as "discountCents", o.voucher_cents as "voucherCents", o.coupon_cents as "couponCents", o.points_cents as "pointsCents",
  o.stored_value_cents as "storedValueCents", case when o.paid_at is null then 0 else o.paid_cents end as "paidCents", o.fee_cents as "feeCents",
  o.refunded_cents as "refundedCents", o.refunding_cents as "refundingCents", o.channel, o.tool, o.pay_method as "payMethod", o.status,
  o.created_at as "createdAt", o.paid_at as "paidAt",
  o.purpose, o.principal_cents, o.gift_cents, o.value_refunding_cents, o.value_refunded_cents,
  o.paid_cents, o.fee_cents, o.refunding_cents, o.refunded_cents, o.refunding_fee_cents, o.refunded_fee_cents, o.refund_count, o.paid_at`;

/** The names beside an order `o`. */
export const payOrderNames = sql`
  left join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
  left join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
  left join devices d on d.service_provider_id = o.service_provider_id and d.id = o.device_id
  left join cashiers c on c.service_provider_id = o.service_provider_id and c.id = o.cashier_id
  left join members v on v.service_provider_id = o.service_provider_id and v.id = o.member_id`;

/** Adds what the caller may do with each row now. */
export function withAbilities({ principal, now_ms }: Ctx, rows: readonly PayOrderFound[]): Shown[] {
  const mayRefund = principal.holds([REFUND]);
  const maySync = principal.holds([SYNC]);
  return rows.map((row) => {
    const cents = refundableCents(row, now_ms);
    return {
      ...row,
      refundableCents: cents ?? 0,
      refundable: mayRefund && cents !== undefined,
      syncable: maySync && (row.status === 0 || row.status === 1),
    };
  });
}
