import { addDays } from "@zhangfang/contract/time.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { FURTHEST_DAYS } from "../../contract/index.ts";

const RANK: Readonly<Record<Scope["level"], number>> = { PLATFORM: 5, ADMIN: 4, SP: 3, AG: 2, GP: 2, TM: 1, SM: 0, MCH: 0, AE: 0 };

/** Whether one level may undo what another decided: its own decisions and those of levels below. */
export const mayUndo = (level: Scope["level"], decidedBy: Scope["level"]): boolean => RANK[level] >= RANK[decidedBy];
/** The levels whose decisions a level may not undo. */
export const levelsAbove = (level: Scope["level"]): Scope["level"][] =>
  (Object.keys(RANK) as Scope["level"][]).filter((other) => !mayUndo(level, other));

/** The day from which a hand-over holds; nothing said is today. @throws 400 at a day that is past or too far away */
export function effectiveDay(from: string | undefined, today: string): string {
  if (from === undefined) return today;
  if (from < today) throw invalid("from", "生效日期不能早于今天");
  if (from > addDays(today, FURTHEST_DAYS)) throw invalid("from", "最多提前一年预约");
  return from;
}
