import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getApplyment } from "../../contract/index.ts";
import type { ApplymentState } from "../../contract/codes.ts";

export type Applyment = OutputOf<typeof getApplyment>;
/** A moment as a person says it. @example minute("2026-11-26T04:40:00Z") // "11-26 12:40" */
export const minute = (at: string): string => shanghaiTime(at).slice(5, 16);
const clock = (at: string): string => shanghaiTime(at).slice(11, 16);
const DAY_MS = 86_400_000;

/** The states that somebody scans in: the super admin, with the days that WeChat Pay gives. */
export const SCANNED: Readonly<Partial<Record<ApplymentState, number>>> = { TO_BE_CONFIRMED: 10, TO_BE_SIGNED: 30 };
/** Until when, in words: 12-19 前没签，申请单作废，要重来。还剩 26 天. */
export function untilWords(state: ApplymentState, since: string, now_ms: number): string | undefined {
  const days = SCANNED[state];
  if (days === undefined) return undefined;
  const end_ms = Date.parse(since) + days * DAY_MS;
  const left = Math.max(0, Math.floor((end_ms - now_ms) / DAY_MS));
  const what = state === "TO_BE_CONFIRMED" ? "没有验证，微信支付会驳回" : "没签，申请单作废，要重来";
  return `${minute(new Date(end_ms).toISOString())} 前${what}。还剩 ${left} 天。`;
}
/** How often it is asked: 每 5 分钟. */
const paceWords = (every_s: number): string =>
  every_s < 3_600 ? `每 ${Math.max(1, Math.round(every_s / 60))} 分钟` : `每 ${Math.round(every_s / 3_600)} 小时`;
/** While WeChat Pay does not answer: 微信 12:40 起查不到，每 5 分钟再问，状态是 12:31 的. */
export function silenceWords({ silentAt, heardAt, everyS }: Pick<Applyment, "silentAt" | "heardAt" | "everyS">): string | undefined {
  if (silentAt === null) return undefined;
  const same = heardAt !== null && shanghaiTime(heardAt).slice(0, 10) === shanghaiTime(silentAt).slice(0, 10);
  const heard = heardAt === null ? "还没有得到过状态" : `状态是 ${same ? clock(heardAt) : minute(heardAt)} 的`;
  return `微信 ${same ? clock(silentAt) : minute(silentAt)} 起查不到，${paceWords(everyS)}再问，${heard}`;
}

export interface LineStep {
  readonly label: string;
  readonly how: "done" | "now" | "bad" | "ahead" | "skipped";
  readonly note: string;
}
const STEPS = [
  ["AUDITING", "审核", "通常 1 到 3 个工作日"],
  ["TO_BE_CONFIRMED", "账户验证", "要验证的才有"],
  ["TO_BE_SIGNED", "签约", "超级管理员扫码"],
  ["SIGNING", "开通权限", "通常 30 分钟"],
] as const;
/** The way of an application, each step with its time: handed in, audited, confirmed, signed, opened, finished. */
export function lineOf({ state, stateAt, sending, submittedAt, events, rejected, byName, subMchId }: Applyment): readonly LineStep[] {
  const round = Math.max(...events.map((event) => event.round));
  const seen = events.filter((event) => event.kind === "state" && event.round === round).toReversed();
  const at = (wanted: string): number => seen.findIndex((event) => event.state === wanted);
  const handed = state !== "EDITTING" || sending;
  const first: LineStep = handed
    ? { label: "提交", how: sending ? "now" : "done", note: sending ? "正在送到微信支付" : `${minute(submittedAt)} · ${byName}` }
    : { label: "提交", how: "bad", note: "没有收下" };
  const reached = state === "FINISHED" ? STEPS.length : STEPS.findIndex(([one]) => one === state);
  const rest = STEPS.map(([one, label, ahead], index): LineStep => {
    const place = at(one);
    const left = place >= 0 ? seen[place + 1] : undefined;
    if (state === "REJECTED" && !sending && index === 0)
      return { label, how: "bad", note: `${minute(stateAt)} 驳回 ${rejected.length} 处` };
    if (state === "CANCELED" && left?.state === "CANCELED") return { label, how: "bad", note: `${minute(stateAt)} 作废` };
    // Voided after a rejection: it ended there.
    if (state === "CANCELED" && left?.state === "REJECTED") return { label, how: "bad", note: `${minute(left.at)} 驳回` };
    if (one === state && !sending) return { label, how: "now", note: `${minute(stateAt)} 开始` };
    if (left || index < reached) {
      const end = left?.at ?? (place >= 0 ? stateAt : undefined);
      return end ? { label, how: "done", note: minute(end) } : { label, how: "skipped", note: "已过" };
    }
    return { label, how: "ahead", note: state === "CANCELED" ? "没有走到" : ahead };
  });
  const last: LineStep =
    state === "FINISHED"
      ? { label: "完成", how: "done", note: `${minute(stateAt)} · ${subMchId}` }
      : { label: "完成", how: "ahead", note: state === "CANCELED" ? "已作废" : "拿到子商户号" };
  return [first, ...rest, last];
}
