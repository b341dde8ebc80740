import type { ApplymentState } from "../../contract/codes.ts";

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** Nothing moved for so long: a person looks at it. */
export const ALARM_S = 60 * 86_400;
/** Somebody who looks may ask so often. */
export const LOOK_S = 60;
/** A code to sign is shown for so long after the answer that brought it; one is asked for each hour. */
export const SIGN_S = 2 * HOUR_S;
/** A sending that WeChat Pay has never heard of, or a rejection that it still shows, is not believed before. */
export const SETTLED_S = 10 * MINUTE_S;
const SLOWEST_S = 6 * HOUR_S;

/**
 * Seconds until WeChat Pay is asked again (platforms.md 5); null: it is over, or somebody has to act first.
 * @param asked how often since the state came @param age_s since the state came
 */
export function askAfter(state: ApplymentState, asked: number, age_s: number): number | null {
  switch (state) {
    case "AUDITING":
      return asked < 6 ? 10 * MINUTE_S : age_s < 24 * HOUR_S ? HOUR_S : SLOWEST_S;
    case "TO_BE_CONFIRMED":
    case "TO_BE_SIGNED":
      return HOUR_S;
    case "SIGNING":
      return 2 * MINUTE_S;
    default:
      return null;
  }
}
/** After an answer that said nothing: each time twice as long, six hours at most. */
export const slower = (slow_s: number): number => Math.min(SLOWEST_S, Math.max(MINUTE_S, slow_s * 2));
