import { z } from "zod";
import type { ShareAsked, Shared, ShareReturned, ShareReturnOrder } from "../types/sharing.ts";
import { mayBe, namedAsAsked } from "./match-receivers.ts";
import { momentOf, yuanAmount } from "./read-trade.ts";

/** Letters, digits and underscores alone (alipay.trade.order.settle, out_request_no): our later tries end in -2, -3 …. */
export const settleNumber = (number: string): string => number.replaceAll("-", "_");
/** Ours again. */
export const ourSettleNumber = (number: string): string => number.replaceAll("_", "-");

const text = z.string().max(128).optional();
/** RoyaltyDetail of alipay-sdk-java; a share names trans_in, a return (transfer_refund) trans_out. */
const detail = z.object({
  operation_type: z.string(),
  state: z.enum(["SUCCESS", "FAIL", "PROCESSING"]),
  amount: yuanAmount,
  execute_dt: text,
  trans_in: text,
  trans_in_type: text,
  trans_out: text,
  trans_out_type: text,
  detail_id: text,
  error_code: text,
});
const shape = z.object({ out_request_no: z.string().optional(), royalty_detail_list: z.array(detail).optional() });
const STATES = { SUCCESS: "success", FAIL: "closed", PROCESSING: "pending" } as const;
const typeOf = (type: string | undefined) => (type === "loginName" ? "ALIPAY_LOGIN_NAME" : "ALIPAY_USER_ID");

/** A share as alipay.trade.order.settle.query tells it; letting go names nobody. 'none' where nothing of the number is said. */
export function readShared(node: unknown, { outOrderNo, transactionId, lines: asked }: ShareAsked): Shared | "none" | undefined {
  const found = shape.safeParse(node).data;
  if (!found) return undefined;
  if (found.out_request_no === undefined && found.royalty_detail_list === undefined) return "none";
  if (found.out_request_no !== settleNumber(outOrderNo)) return undefined;
  const details = (found.royalty_detail_list ?? []).filter((one) => one.operation_type === "transfer");
  if (details.some((one) => momentOf(one.execute_dt) === undefined)) return undefined;
  const said = details.map(({ state, amount, execute_dt, trans_in, trans_in_type, detail_id, error_code }) => ({
    type: typeOf(trans_in_type),
    account: trans_in ?? "",
    amount_cents: amount,
    result: STATES[state],
    failReason: error_code || null,
    detailId: detail_id || null,
    finishedAt: state === "PROCESSING" ? null : (momentOf(execute_dt) ?? null),
  }));
  const finished = said.every((line) => line.result !== "pending");
  return { outOrderNo, transactionId, orderId: null, finished, lines: namedAsAsked(asked, said) };
}

/** A return, of which the same call tells. */
export function readReturned(node: unknown, order: ShareReturnOrder): ShareReturned | "none" | undefined {
  const found = shape.safeParse(node).data;
  if (!found) return undefined;
  if (found.out_request_no === undefined && found.royalty_detail_list === undefined) return "none";
  const backs = (found.royalty_detail_list ?? []).filter(({ operation_type }) => operation_type === "transfer_refund");
  const exact = backs.find(({ trans_out, trans_out_type }) => trans_out === order.account && typeOf(trans_out_type) === order.type);
  // One request is one receiver's return: whoever is named under its number alone, and may be it, is it.
  const [only] = backs.length === 1 ? backs : [];
  const shown = only && { type: typeOf(only.trans_out_type), account: only.trans_out ?? "", amount_cents: only.amount };
  const one = exact ?? (shown && mayBe(order, shown) ? only : undefined);
  if (found.out_request_no !== settleNumber(order.outReturnNo) || !one) return undefined;
  const finishedAt = momentOf(one.execute_dt);
  if (finishedAt === undefined) return undefined;
  const { outOrderNo, outReturnNo } = order;
  const result = one.state === "SUCCESS" ? "success" : one.state === "FAIL" ? "failed" : "processing";
  return {
    outOrderNo,
    outReturnNo,
    returnId: one.detail_id || null,
    amount_cents: one.amount,
    result,
    failReason: one.error_code || null,
    finishedAt: result === "success" ? finishedAt : null,
  };
}
