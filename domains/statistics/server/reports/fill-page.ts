import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { MOST_COUNTED, readCursor } from "@zhangfang/server/lists/keyset.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import type { Dimension, Span, Step } from "../../contract/index.ts";
import { mondayOf, stepsOf } from "../spans.ts";
import { isNode } from "./dimensions.ts";
import { groupsOf, type Question } from "./groups.ts";

/** Of so many steps or nodes the groups are formed at once; where they do not fill the page, of eight times as many. */
const FIRST = 4;
const GROWTH = 8;

/**
 * Parts of a question that come one after the other in the order of its rows: days, weeks or months, or nodes by what they
 * took. A page of two dimensions forms the groups of the first parts alone. Undefined where the order follows from all groups.
 */
export interface Parts {
  readonly count: number;
  /** The question of the parts from one up to another. */
  of(from: number, to: number): Question;
  /** The part in which a page begins. */
  begin(cursor: string): number;
}
export async function partsOf(tx: Transaction, question: Question, sort: string): Promise<Parts | undefined> {
  const [first, splitBy] = question.by;
  if (first === undefined || splitBy === undefined) return undefined;
  if (isStep(first) && (sort === "usual" || sort === "key" || sort === "-key")) return stepParts(question, first, sort === "key");
  return isNode(first) && sort === "usual" ? nodeParts(tx, question, first) : undefined;
}
const isStep = (by: Dimension): by is Step => by === "day" || by === "week" || by === "month";

function stepParts(question: Question, by: Step, ascending: boolean): Parts {
  const { span, before } = question;
  const moved = before && { from: span.from, to: addDays(before.span.to, before.shift_days) };
  const steps = stepsOf({ from: span.from, to: moved && moved.to > span.to ? moved.to : span.to }, by);
  if (!ascending) steps.reverse();
  return {
    count: steps.length,
    of(from, to) {
      const [one, other] = [steps[from] ?? span, steps[to - 1] ?? span];
      const window = one.from < other.from ? { from: one.from, to: other.to } : { from: other.from, to: one.to };
      const back = (day: string) => addDays(day, -(before?.shift_days ?? 0));
      return {
        ...question,
        span: cut(span, window),
        before: before && { ...before, span: cut(before.span, { from: back(window.from), to: back(window.to) }) },
      };
    },
    begin(cursor) {
      const key = cursor.slice(0, 10);
      return Math.max(
        0,
        steps.findIndex((step) => (ascending ? keyOf(step.from, by) >= key : keyOf(step.from, by) <= key)),
      );
    },
  };
}
/** The day by which a step is known in the rows' order. */
function keyOf(day: string, by: Step): string {
  if (by === "day") return day;
  return by === "week" ? mondayOf(day) : `${day.slice(0, 7)}-01`;
}
/** What of a span lies in a window; nothing where it begins after its end. */
const cut = (span: Span, window: Span): Span => ({
  from: span.from > window.from ? span.from : window.from,
  to: span.to < window.to ? span.to : window.to,
});

async function nodeParts(tx: Transaction, question: Question, by: Dimension): Promise<Parts> {
  const { rows } = await sql<{ key: string; place: string }>`
    select g.key, g.place from (select g.key, lpad((sum(g.paid_cents) + 9000000000000000)::bigint::text, 17, '0') || g.key as place
      from (${groupsOf({ ...question, by: [by] }, RANKED)}) g group by g.key) g order by g.place collate "C" desc`.execute(tx);
  return {
    count: rows.length,
    of: (from, to) => ({ ...question, only: { by, keys: rows.slice(from, to).map(({ key }) => key) } }),
    begin: (cursor) =>
      Math.max(
        0,
        rows.findIndex(({ place }) => place <= cursor.slice(0, place.length)),
      ),
  };
}

/** The question of the first parts that fill a page. @param find the rows of a part, at most one more than the page has */
export async function fillPage<R>(
  parts: Parts,
  cursor: string | undefined,
  pageSize: number,
  find: (question: Question) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const begin = cursor ? parts.begin(String(readCursor(cursor).value)) : 0;
  for (let take = FIRST; ; take *= GROWTH) {
    const to = Math.min(begin + take, parts.count);
    const rows = await find(parts.of(begin, to));
    if (rows.length > pageSize || to === parts.count) return rows;
  }
}

/** How many groups there are, counted no further than a list says. */
export async function countGroups(tx: Transaction, parts: Parts): Promise<number> {
  for (let take = FIRST * FIRST; ; take *= FIRST) {
    const to = Math.min(take, parts.count);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${groupsOf(parts.of(0, to), COUNTED)}) g`.execute(tx);
    const n = rows[0]?.n ?? 0;
    if (n > MOST_COUNTED || to === parts.count) return n;
  }
}
const COUNTED = ["pay_count", "refund_count", "used_cents", "times_used_cents"] as const;
/** What places a node among the others, and says whether there is anything of it. */
const RANKED = [...COUNTED, "owed_cents", "paid_cents"] as const;
