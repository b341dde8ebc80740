import { shanghaiTime } from "@zhangfang/contract/time.ts";

/** 11-23 12:20 */
export const minuteOf = (at: string): string => shanghaiTime(at).slice(5, 16);
/** 12:20:09, and with its day where that is another one. */
export function clockOf(at: string, beside?: string): string {
  const text = shanghaiTime(at);
  return beside !== undefined && text.slice(0, 10) === shanghaiTime(beside).slice(0, 10) ? text.slice(11) : text.slice(5);
}
/** 18 分钟后, 5 小时后, 马上 */
export function inWords(at: string, now_ms: number): string {
  const s = Math.round((Date.parse(at) - now_ms) / 1000);
  if (s <= 0) return "马上";
  if (s < 60) return `${s} 秒后`;
  return s < 3_600 ? `${Math.round(s / 60)} 分钟后` : `${Math.round(s / 3_600)} 小时后`;
}
/** R…847723: enough to tell it from its neighbours. */
export const shortOf = (about: string): string => (about.length > 16 ? `${about.slice(0, 1)}…${about.slice(-6)}` : about);
/** 98.9 % */
export const share = (part: number, whole: number): string => `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
