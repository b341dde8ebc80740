import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { refundRow } from "../../../contract/refunds.ts";
import { DECIDE, isSelf, REFUND, RETRY } from "../asker.ts";
import { canGoAgain } from "./refund-filter.ts";

type Shown = z.input<typeof refundRow>;
/** A row as the query gives it; what it allows is added by `withRefundAbilities`. */
export type RefundFound = Omit<Shown, "retryable" | "decidable" | "cancellable"> & {
  readonly requestedBy: string | null;
  /** A platform's voucher was taken back for it: what is left of it does not go back. */
  readonly voucherBack: 0 | 1;
  readonly canGoAgain: 0 | 1;
};

/** The row of the list from refunds `r` and their orders `o`, with names. */
export const refundColumns = sql`
  r.id, r.refund_no as "refundNo", r.order_id as "orderId", o.order_no as "orderNo", r.merchant_id as "merchantId", r.store_id as "storeId",
  coalesce(m.short_name, app.past_name('merchant', r.service_provider_id, r.merchant_id), '') as "merchantName",
  coalesce(s.short_name, app.past_name('store', r.service_provider_id, r.store_id), '') as "storeName",
  o.channel, o.tool, o.pay_method as "payMethod", r.amount_cents as "amountCents", r.value_cents as "valueCents", r.principal_cents as "principalCents",
  r.gift_cents as "giftCents", r.points_back as "pointsBack", r.fee_cents as "feeCents", o.paid_cents as "orderPaidCents", r.refund_type as "refundType", r.status, r.reason,
  r.requested_by as "requestedBy", r.requested_by_name as "requestedByName", r.decided_by_name as "decidedByName", r.decided_at as "decidedAt", r.decision_note as "decisionNote",
  r.channel_refund_no as "channelRefundNo", r.channel_status as "channelStatus", r.failure, replace(r.waits_for, '-audit', '') as "waitsFor", exists (select from voucher_backs b
    where b.service_provider_id = r.service_provider_id and b.refund_id = r.id and b.state = 1 and b.message = '')::int as "voucherBack", r.attempts, r.created_at as "createdAt", r.finished_at as "finishedAt",
  ${canGoAgain}::int as "canGoAgain"`;

/** The order and the names beside a refund `r`. */
export const refundJoins = sql`
  join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
  left join merchants m on m.service_provider_id = r.service_provider_id and m.id = r.merchant_id
  left join stores s on s.service_provider_id = r.service_provider_id and s.id = r.store_id`;

/** Adds what the caller may do with each row now. */
export function withRefundAbilities(ctx: Ctx, rows: readonly RefundFound[]): Shown[] {
  const mayRetry = ctx.principal.holds([RETRY]);
  const mayAsk = ctx.principal.holds([REFUND]);
  const mayDecide = ctx.principal.holds([DECIDE]);
  return rows.map(({ voucherBack, canGoAgain: again, ...row }) => ({
    ...row,
    retryable: mayRetry && again === 1,
    cancellable:
      mayAsk &&
      row.status === 0 &&
      row.waitsFor !== "voucher" &&
      (voucherBack === 0 || row.waitsFor === "red-failed") &&
      isSelf(ctx, row.requestedBy),
    decidable: mayDecide && row.status === 0 && row.waitsFor !== "voucher" && !isSelf(ctx, row.requestedBy),
  }));
}
