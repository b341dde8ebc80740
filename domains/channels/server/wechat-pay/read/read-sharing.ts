import { z } from "zod";
import type { Shared, ShareReturned } from "../../types/sharing.ts";
import { instantOf } from "./read-transaction.ts";

const cents = z.int().min(0);
const reason = z.string().max(64).optional();
const when = z.string().optional();

/** 请求分账, 查询分账结果 and 解冻剩余资金 answer in one shape (pay.weixin.qq.com/doc/v3/partner/4012690683). */
const order = z.object({
  transaction_id: z.string(),
  out_order_no: z.string(),
  order_id: z.string().min(1),
  state: z.enum(["PROCESSING", "FINISHED"]),
  receivers: z
    .array(
      z.object({
        type: z.string(),
        account: z.string(),
        amount: cents,
        result: z.enum(["PENDING", "SUCCESS", "CLOSED"]),
        fail_reason: reason,
        detail_id: z.string().max(64).optional(),
        finish_time: when,
      }),
    )
    .default([]),
});
/** 请求分账回退 and its query. */
const back = z.object({
  out_order_no: z.string(),
  out_return_no: z.string(),
  return_id: z.string().min(1),
  amount: cents,
  result: z.enum(["PROCESSING", "SUCCESS", "FAILED"]),
  fail_reason: reason,
  finish_time: when,
});
const RESULT = { PENDING: "pending", SUCCESS: "success", CLOSED: "closed" } as const;
const RETURNED = { PROCESSING: "processing", SUCCESS: "success", FAILED: "failed" } as const;

/** A share, or undefined where the body is not one. */
export function readShared(body: unknown): Shared | undefined {
  const found = order.safeParse(body);
  if (!found.success) return undefined;
  const { data } = found;
  const lines = data.receivers.map(({ type, account, amount, result, fail_reason, detail_id, finish_time }) => ({
    type,
    account,
    amount_cents: amount,
    result: RESULT[result],
    failReason: fail_reason || null,
    detailId: detail_id || null,
    finishedAt: instantOf(finish_time) ?? null,
  }));
  return {
    outOrderNo: data.out_order_no,
    transactionId: data.transaction_id,
    orderId: data.order_id,
    finished: data.state === "FINISHED",
    lines,
  };
}

/** A return, or undefined where the body is not one. */
export function readReturned(body: unknown): ShareReturned | undefined {
  const found = back.safeParse(body);
  if (!found.success) return undefined;
  const { data } = found;
  return {
    outOrderNo: data.out_order_no,
    outReturnNo: data.out_return_no,
    returnId: data.return_id,
    amount_cents: data.amount,
    result: RETURNED[data.result],
    failReason: data.fail_reason || null,
    finishedAt: instantOf(data.finish_time) ?? null,
  };
}
