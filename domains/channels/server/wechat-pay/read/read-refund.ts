import { z } from "zod";
import type { Refund, RefundStatus } from "../../channel.ts";
import { instantOf } from "./read-transaction.ts";

const cents = z.int().min(0);
const STATUS = { PROCESSING: "processing", SUCCESS: "success", CLOSED: "closed", ABNORMAL: "abnormal" } as const satisfies Record<
  string,
  RefundStatus
>;
const status = z.enum(["PROCESSING", "SUCCESS", "CLOSED", "ABNORMAL"]);

/** The notification says `refund_status`, the answers say `status`. Source: 申请退款, 查询单笔退款, 退款结果通知. */
const shape = z.object({
  out_refund_no: z.string(),
  out_trade_no: z.string(),
  refund_id: z.string().min(1),
  transaction_id: z.string().optional(),
  status: status.optional(),
  refund_status: status.optional(),
  success_time: z.string().optional(),
  user_received_account: z.string().max(512).optional(),
  amount: z.object({ total: cents, refund: cents, currency: z.literal("CNY").optional() }),
});

/** A refund, or undefined where the body is not one. */
export function readRefund(body: unknown): Refund | undefined {
  const found = shape.safeParse(body);
  if (!found.success) return undefined;
  const given = found.data;
  const state = given.status ?? given.refund_status;
  const successAt = instantOf(given.success_time);
  if (!state || successAt === undefined) return undefined;
  return {
    outRefundNo: given.out_refund_no,
    outTradeNo: given.out_trade_no,
    transactionId: given.transaction_id ?? null,
    refundId: given.refund_id,
    status: STATUS[state],
    amount_cents: given.amount.refund,
    total_cents: given.amount.total,
    successAt,
    userReceivedAccount: given.user_received_account ?? null,
  };
}
