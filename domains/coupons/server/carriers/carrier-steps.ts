import type { CouponCarrier, CouponState } from "../../contract/index.ts";

export type CopyThere = "NONE" | "SENDED" | "USED" | "DEACTIVATED";
export type CopyOp = "codes" | "use" | "return" | "deactivate";
/**
 * What WeChat is to be told of one coupon, so that nobody can use there what they can't use here, and the other way round. What is over is
 * told no more: it can be used on neither side.
 */
export function copyStep(
  { state, there, valid_to }: { readonly state: CouponState; readonly there: CopyThere; readonly valid_to: string },
  now: string,
): CopyOp | undefined {
  const good = Date.parse(valid_to) > Date.parse(now);
  const held = state === "SENDED" || state === "LOCKED";
  if (there === "NONE") return state === "USED" || (held && good) ? "codes" : undefined;
  if (there === "SENDED" && state === "USED") return "use";
  if (there === "USED" && held && good) return "return";
  return there === "SENDED" && (state === "DEACTIVATED" || state === "DELETED") && good ? "deactivate" : undefined;
}
/** Where a coupon stands at WeChat after a step. */
export const THERE: Readonly<Record<CopyOp, CopyThere>> = { codes: "SENDED", use: "USED", return: "SENDED", deactivate: "DEACTIVATED" };

export type MirrorOp = "create" | "budget" | "start" | "pause" | "restart";
export interface MirrorNow {
  readonly carrier: CouponCarrier;
  readonly state: string;
  /** Ours. */
  readonly total: number;
  readonly stock_id: string | null;
  readonly there: "waiting" | "running" | "paused" | "stopped" | null;
  readonly there_total: number | null;
}
/** What WeChat is to be told of a campaign. 商家券 has no call that stops it: nothing is sent there any more, which is all there is. */
export function mirrorStep({ carrier, state, total, stock_id, there, there_total }: MirrorNow): MirrorOp | undefined {
  const going = state === "RUNNING" || state === "PAUSED";
  if (stock_id === null) return going ? "create" : undefined;
  if (carrier === "busifavor") return going && total !== there_total ? "budget" : undefined;
  if (there === "waiting") return state === "RUNNING" ? "start" : undefined;
  if (there === "running") return state === "RUNNING" ? undefined : "pause";
  return there === "paused" && state === "RUNNING" ? "restart" : undefined;
}
