import { type Answer, NO_CALL, ok, type PlatformApi, unknown, type UsesAsk, type UseThere } from "../platform/answers.ts";
import type { Attempt } from "./settle.ts";

/** The platform's clock and ours. */
export const SKEW_S = 60;
const PAGES = 20;
export const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1_000);

/** Uses that a platform has on record in a span of time: all of them, or unknown. */
export async function usesThere(api: PlatformApi, ask: Omit<UsesAsk, "cursor">): Promise<Answer<readonly UseThere[]>> {
  const all: UseThere[] = [];
  let cursor = "";
  for (let page = 0; page < PAGES; page++) {
    const uses = await api.verifications({ ...ask, cursor });
    if (uses.kind !== "ok") return uses.kind === "refused" && uses.code === NO_CALL ? uses : unknown("平台没有给核销记录");
    all.push(...uses.value.items);
    if (uses.value.next === null) return ok(all);
    cursor = uses.value.next;
  }
  return unknown("平台的核销记录太多，没有翻到");
}
/** Whether a use of ours stands at the platform or was taken back, by its record; unknown where that does not show it. */
export async function standsThere(api: PlatformApi, attempt: Attempt): Promise<Answer<Pick<UseThere, "reversed" | "reversedAt">>> {
  const [from_s, to_s] = [secondsOf(attempt.started_at) - SKEW_S, secondsOf(attempt.settled_at ?? attempt.verified_at!) + 2 * SKEW_S];
  const uses = await usesThere(api, { from_s, to_s, poiId: attempt.poi_id });
  if (uses.kind !== "ok") return uses;
  const use = uses.value.find(({ verifyId }) => verifyId === attempt.verify_id);
  if (!use) return unknown("平台的记录里没有这次核销");
  return ok(use);
}
