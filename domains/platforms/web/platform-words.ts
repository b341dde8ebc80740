import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { type AttemptView, voucherPlatform } from "../contract/index.ts";

/** Month, day and minute of a moment. @example minute(at) // "11-26 12:38" */
export const minute = (at: string): string => shanghaiTime(at).slice(5, 16);
/** The minute of the day alone. */
export const clock = (at: string): string => shanghaiTime(at).slice(11, 16);
const two = (n: number): string => String(n).padStart(2, "0");
/** What is left, in minutes and seconds. @example left(3_372_000) // "56:12" */
export const left = (ms: number): string => `${two(Math.floor(ms / 60_000))}:${two(Math.floor(ms / 1_000) % 60)}`;

/** The order to the clerk, in large type, and what lies behind it. */
export function orderOf(attempt: AttemptView): { readonly order: string; readonly bad: boolean; readonly why: string } {
  const name = voucherPlatform.label(attempt.platform);
  if (attempt.needsPerson) return { order: "要人核对", bad: true, why: `${name}问不到结果。请到${name}商家端看这张券核了没有，要两个人。` };
  if (attempt.status === 4) return { order: "请勿交付", bad: true, why: `${name}在核实这张券，最长 48 小时。请顾客先付款，或换一张。` };
  if (attempt.status === 5) return { order: "撤销中", bad: false, why: `还不知道${name}撤销了没有，正在查。` };
  if (attempt.status === 3) return { order: "等结果", bad: false, why: `${name}没有回音，还不知道有没有核掉，正在查。别再扫。` };
  return { order: "核销中", bad: false, why: `正在问${name}。` };
}
/** The last minute before the end is closed. */
export const LAST_MS = 60_000;
/** How long a use may still be taken back; 0 where it may not. */
export const cancelLeft = ({ cancelUntil }: AttemptView, now_ms: number): number =>
  cancelUntil === null ? 0 : Math.max(0, Date.parse(cancelUntil) - LAST_MS - now_ms);
