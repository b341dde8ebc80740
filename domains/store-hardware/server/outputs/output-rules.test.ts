import { expect, test } from "vitest";
import { ok, refused, unknown } from "../vendors/vendor.ts";
import { judge } from "./output-rules.ts";

const forever = Number.POSITIVE_INFINITY;
test.each([
  ["a yes is sent", ok("1"), 1, 0, 0, 2, undefined],
  ["a no is tried again", refused("离线"), 1, 0, 0, 0, 15],
  ["ever later", refused("离线"), 5, 600_000, 0, 0, 300],
  ["and in the end given up", refused("离线"), 6, 900_000, 0, 3, undefined],
  ["a no for good is not", refused("没有账号", false), 1, 0, 0, 3, undefined],
  ["silence is left alone", unknown("没有应答"), 1, 6_000, 0, 4, undefined],
  ["unless the maker drops the second", unknown("没有应答"), 1, 6_000, forever, 0, 15],
  ["as long as it remembers the first", unknown("没有应答"), 3, 120_000, 150_000, 4, undefined],
] as const)("%s", (_what, outcome, tries, age_ms, repeatable_ms, status, after_s) => {
  const verdict = judge(outcome, { tries, age_ms, repeatable_ms });
  expect([verdict.status, verdict.after_s]).toEqual([status, after_s]);
});
