import { implement } from "@zhangfang/server/calls/call.ts";
import { type Dimension, getPayStatisticsSeries, type Span } from "../../contract/index.ts";
import { mondayOf, stepsOf } from "../spans.ts";
import { drillsOf, narrowTo, questionOf } from "./ask.ts";
import { nameOf } from "./dimensions.ts";
import { type Group, groupsOf, NO_GROUP, shownOf } from "./groups.ts";
import { runs } from "./value-pieces.ts";

const upTo = (first: number, last: number): string[] => Array.from({ length: last - first + 1 }, (_none, at) => String(first + at));
const HOURS = upTo(0, 23);
const WEEKDAYS = upTo(1, 7);

/** 走势: each step of the span once, oldest first, also where nothing happened. */
export const getPayStatisticsSeriesRoute = implement(getPayStatisticsSeries, async (ctx, { step, ...asked }) => {
  const by: readonly Dimension[] = step === "heat" ? ["weekday", "hour"] : [step];
  const question = { ...questionOf(ctx.scope, asked), by };
  const { rows } = await groupsOf(question).execute(ctx.tx);
  const found = new Map(rows.map((row) => [`${row.key}/${row.split_key ?? ""}`, row]));
  // Along the days a step owes what the one before owed and what it added.
  let owed = { owed_cents: 0, b_owed_cents: 0 };
  const withOwed = (row: Group | undefined): Group | undefined => {
    if (!runs(question)) return row;
    owed = { owed_cents: owed.owed_cents + (row?.owed_cents ?? 0), b_owed_cents: owed.b_owed_cents + (row?.b_owed_cents ?? 0) };
    return { ...NO_GROUP, ...row, ...owed };
  };
  return {
    points: keysOf(step, question.span).map((keys) => {
      const row = withOwed(found.get(`${keys[0]}/${keys[1] ?? ""}`));
      const filter = narrowTo(
        question,
        keys.map((key, at) => [by[at] ?? "day", key]),
      );
      return {
        key: keys.join("/"),
        name: keys.map((key, at) => nameOf(by[at] ?? "day", key, null, question.span)).join(" "),
        ...shownOf(question, row),
        filter,
        drill: drillsOf(filter).pay,
      };
    }),
  };
});

function keysOf(step: "day" | "week" | "month" | "hour" | "weekday" | "heat", span: Span): readonly (readonly string[])[] {
  if (step === "hour") return HOURS.map((hour) => [hour]);
  if (step === "weekday") return WEEKDAYS.map((day) => [day]);
  if (step === "heat") return WEEKDAYS.flatMap((day) => HOURS.map((hour) => [day, hour]));
  return stepsOf(span, step).map(({ from }) => [firstOf(from, step)]);
}
/** The day by which a step is known: the Monday of a week, the first of a month. */
function firstOf(day: string, step: "day" | "week" | "month"): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 7)}-01`;
  return mondayOf(day);
}
