import { expect, test } from "vitest";
import { dayShortcuts } from "./day-shortcuts.ts";

const at = (moment: string) => Object.fromEntries(dayShortcuts(Date.parse(moment)).map(({ label, days }) => [label, days.join(" ")]));

test("the shortcuts are days of Shanghai", () => {
  // 16:30 UTC on Friday the 20th is half past midnight on Saturday in Shanghai.
  expect(at("2026-11-20T16:30:00Z")).toEqual({
    今天: "2026-11-21 2026-11-21",
    昨天: "2026-11-20 2026-11-20",
    近7天: "2026-11-15 2026-11-21",
    近30天: "2026-10-23 2026-11-21",
    本周: "2026-11-16 2026-11-21",
    上周: "2026-11-09 2026-11-15",
    本月: "2026-11-01 2026-11-21",
    上月: "2026-10-01 2026-10-31",
  });
});
test("a week begins on Monday, also on a Sunday, and months cross the year", () => {
  expect(at("2027-01-03T04:00:00Z")).toMatchObject({
    本周: "2026-12-28 2027-01-03",
    上月: "2026-12-01 2026-12-31",
    上周: "2026-12-21 2026-12-27",
  });
});
test("over figures of whole days the last so many days end with yesterday", () => {
  const whole = Object.fromEntries(
    dayShortcuts(Date.parse("2026-11-20T16:30:00Z"), true).map(({ label, days }) => [label, days.join(" ")]),
  );
  expect([whole["近7天"], whole["近30天"], whole["今天"]]).toEqual([
    "2026-11-14 2026-11-20",
    "2026-10-22 2026-11-20",
    "2026-11-21 2026-11-21",
  ]);
});
