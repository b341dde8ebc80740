import { expect, test } from "vitest";
import { addDays, dayStart, daysBetween, shanghaiDay, shanghaiTime, weekdayName } from "./time.ts";

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
test("days count over months and leap years", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(daysBetween("2026-01-01", "2026-12-31")).toBe(364);
});
test("weekday names are in Chinese (spec 9)", () => {
  expect(weekdayName("2026-11-20")).toBe("周五");
  expect(weekdayName("2026-11-22")).toBe("周日");
});
