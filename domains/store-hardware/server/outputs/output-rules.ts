import type { OutputStatus } from "../../contract/index.ts";
import type { Outcome } from "../vendors/vendor.ts";

/** Seconds before each further try. */
const WAITS_S = [15, 30, 60, 120, 300];
/** An announcement that comes later than this would be taken for another customer's. */
export const STALE_MS = 10 * 60_000;

/** What follows from a maker's answer. `after_s` is when it is tried again. */
export type Verdict = { readonly status: OutputStatus; readonly message: string | null; readonly after_s?: number };

/**
 * Decides after a call. It is sent again only where the maker said that it did nothing, or where it drops a second request
 * with the same number for long enough; everything else is left to a person.
 * @param tries how often it has been sent, this time included
 * @param age_ms since it was sent the first time
 */
export function judge(
  outcome: Outcome<unknown>,
  { tries, age_ms, repeatable_ms }: { tries: number; age_ms: number; repeatable_ms: number },
): Verdict {
  if (outcome.kind === "ok") return { status: 2, message: null };
  const { message } = outcome;
  const after_s = WAITS_S[tries - 1];
  if (outcome.kind === "refused") return outcome.again && after_s !== undefined ? { status: 0, message, after_s } : { status: 3, message };
  return after_s !== undefined && age_ms + after_s * 1000 < repeatable_ms ? { status: 0, message, after_s } : { status: 4, message };
}
