import { expect, test } from "vitest";
import { addDays, addMonths, dayStart, daysBetween, shanghaiDay, shanghaiTime, sundayFirst, weekdayName, weekdayOf } from "./time.ts";

test("times are shown in Asia/Shanghai as YYYY-MM-DD HH:mm:ss (spec 9)", () => {
  expect(shanghaiTime("2026-11-19T16:00:00.000Z")).toBe("2026-11-20 00:00:00");
  expect(shanghaiTime(new Date("2026-11-19T15:59:59.999Z"))).toBe("2026-11-19 23:59:59");
});
test("a 10-digit number is seconds (spec 9)", () => {
  expect(shanghaiTime(1_700_000_000)).toBe("2023-11-15 06:13:20");
  expect(shanghaiTime("1700000000")).toBe("2023-11-15 06:13:20");
  expect(shanghaiTime(1_700_000_000_000)).toBe("2023-11-15 06:13:20");
});
test("a Shanghai day begins at 16:00 UTC the day before", () => {
  expect(dayStart("2026-11-20")).toBe("2026-11-19T16:00:00.000Z");
  expect(shanghaiDay(dayStart("2026-11-20"))).toBe("2026-11-20");
});
test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2028-01-31", 1, "2028-02-29"],
  ["2026-11-30", 3, "2027-02-28"],
  ["2026-12-15", 12, "2027-12-15"],
  ["2028-02-29", 12, "2029-02-28"],
])("%s and %i months: %s, a month ending with the same day, at most its last", (day, months, end) =>
  expect(addMonths(day, months)).toBe(end),
);
test("days count over months and leap years", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(daysBetween("2026-01-01", "2026-12-31")).toBe(364);
});
test("weekday names are in Chinese (spec 9)", () => {
  expect(weekdayName("2026-11-20")).toBe("周五");
  expect(weekdayName("2026-11-22")).toBe("周日");
});

test("weekdays are 1 Monday to 7 Sunday in one table and 0 Sunday to 6 in the other (spec 3)", () => {
  const days = ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"];
  expect(days.map(weekdayOf)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(days.map((day) => sundayFirst(weekdayOf(day)))).toEqual([1, 2, 3, 4, 5, 6, 0]);
  expect(days.map(weekdayName)).toEqual(["周一", "周二", "周三", "周四", "周五", "周六", "周日"]);
});
