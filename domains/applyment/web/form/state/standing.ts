import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { NO_REASON } from "../../../contract/codes.ts";
import type { getDossier } from "../../../contract/index.ts";
import { FIELDS } from "../../../contract/rules/fields.ts";
import type { Finding } from "../../../contract/rules/finding.ts";

type Told = OutputOf<typeof getDossier>;
/** Why WeChat Pay sent a field back. */
interface Reason {
  readonly text: string;
  /** It still holds what was sent back. */
  readonly untouched: boolean;
}
/** What the application on its way means for the form. */
export interface Standing {
  /** WeChat Pay has it, or it is on its way there: nothing can be changed. */
  readonly readOnly: boolean;
  readonly rejected: boolean;
  /** By path. */
  readonly reasons: ReadonlyMap<string, Reason>;
  /** Reasons that name no field that is known here. */
  readonly elsewhere: readonly string[];
  /** It was rejected without a word. */
  readonly silent: boolean;
  /** Rejected fields that nobody has changed, in the order of the form. */
  readonly untouched: readonly string[];
}

/** @param typed paths that are being written here */
export function standingOf({ applyment }: Pick<Told, "applyment">, typed: readonly string[]): Standing {
  const rejected = applyment?.state === "REJECTED" && !applyment.sending;
  const reasons = new Map<string, Reason>();
  const list = rejected ? applyment.rejected : [];
  for (const { paths, reason } of list)
    for (const path of paths) {
      const before = reasons.get(path);
      const untouched = applyment!.untouched.includes(path) && !typed.includes(path);
      reasons.set(path, { text: before ? `${before.text}；${reason}` : reason, untouched });
    }
  return {
    readOnly: applyment !== null && (applyment.sending || !["EDITTING", "REJECTED"].includes(applyment.state)),
    rejected,
    reasons,
    elsewhere: list.filter(({ paths }) => paths.length === 0).map(({ name, reason }) => (name ? `${name}：${reason}` : reason)),
    silent: rejected && list.every(({ reason }) => reason === NO_REASON),
    untouched: FIELDS.map(({ path }) => path).filter((path) => reasons.get(path)?.untouched),
  };
}

/** Where F8 stops: what holds it up, in the order of the form; where nothing does, the reminders. */
export function stopsOf(standing: Standing, findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === "error").map(({ path }) => path);
  const held = [...standing.untouched, ...errors];
  const found = new Set(held.length > 0 ? held : findings.map(({ path }) => path));
  return FIELDS.map(({ path }) => path).filter((path) => found.has(path));
}
/** The stop after a field; the first one where there is none. */
export function nextStop(stops: readonly string[], from: string | undefined): string | undefined {
  const order = FIELDS.map(({ path }) => path);
  const at = from === undefined ? -1 : order.indexOf(from);
  return stops.find((path) => order.indexOf(path) > at) ?? stops[0];
}
/** What stands in the way, in words; empty where nothing does. */
export function hindrance(standing: Standing, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error");
  const missing = errors.filter(({ rule }) => rule === "missing").length;
  const parts = [
    standing.untouched.length > 0 && `${standing.untouched.length} 处驳回没改`,
    missing > 0 && `${missing} 项没填`,
    errors.length > missing && `${errors.length - missing} 处错误`,
  ].filter(Boolean);
  return parts.length > 0 ? `还有 ${parts.join("，")}` : "";
}
