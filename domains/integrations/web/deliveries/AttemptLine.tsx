import type { ReactNode } from "react";
import { PUSH_TRIES, type PushDelivery, pushFault } from "../../contract/index.ts";
import { clockOf, inWords, minuteOf } from "../push-words.ts";

/** The tries as a line: when each was and what came of it, when the next is, and when the last would be. */
export function AttemptLine({ of, now_ms }: { of: PushDelivery; now_ms: number }): ReactNode {
  const { attempts, tries, nextAt, lastAt, inFlight, state } = of;
  const waits = state === "waiting" || state === "retrying";
  return (
    <ol className="push-line" aria-label="每次尝试">
      {attempts.map((one) => (
        <li key={one.n} className={one.outcome === "ok" ? "push-good" : one.outcome === null ? "push-now" : "push-bad"}>
          <span className="num">{clockOf(one.startedAt, of.createdAt)}</span>
          <small>{saidOf(one)}</small>
        </li>
      ))}
      {waits && !inFlight && (
        <li className="push-next">
          <b className="num">{nextAt ? `${minuteOf(nextAt)} 第 ${tries + 1} 次` : `第 ${tries + 1} 次`}</b>
          <small>{nextAt ? inWords(nextAt, now_ms) : "排着，马上发"}</small>
        </li>
      )}
      {waits && lastAt && tries + 1 < PUSH_TRIES && (
        <li className="push-later">
          <span className="num">…</span>
          <small>
            共 {PUSH_TRIES} 次，到 {minuteOf(lastAt)}
          </small>
        </li>
      )}
    </ol>
  );
}
function saidOf({ outcome, status, fault, ms }: PushDelivery["attempts"][number]): string {
  if (outcome === null) return "正在发";
  if (outcome === "lost") return "没记下结果，会再发";
  return status === null ? pushFault.label(fault) : `${status}，${(ms ?? 0).toLocaleString("en-US")} 毫秒`;
}
