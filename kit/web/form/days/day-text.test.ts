import { expect, test } from "vitest";
import { clockOf, dayOf, minuteOf } from "./day-text.ts";

test.each([
  ["2026-11-20", "2026-11-20"],
  ["20261120", "2026-11-20"],
  ["2026/11/20", "2026-11-20"],
  [" 2026.11.20 ", "2026-11-20"],
  ["2026年11月20日", "2026-11-20"],
  ["2026-1-5", undefined],
  ["2026-02-29", undefined],
  ["2024-02-29", "2024-02-29"],
  ["2026-13-01", undefined],
  ["2026-11", undefined],
  ["明天", undefined],
  ["", undefined],
])("while it is typed %j is the day %j", (text, day) => expect(dayOf(text, false)).toBe(day));
test("once nobody types on short months and hours are enough", () => {
  expect(dayOf("2026-1-5", true)).toBe("2026-01-05");
  expect(["9", "930", "9:05", "２", "24:00", "12:60", "9点"].map((text) => clockOf(text, true))).toEqual([
    "09:00",
    "09:30",
    "09:05",
    ...Array.from({ length: 4 }, () => undefined),
  ]);
});
test.each([
  ["2026-12-01 10:00", "2026-12-01 10:00"],
  ["2026-12-01T10:00", "2026-12-01 10:00"],
  ["202612011000", "2026-12-01 10:00"],
  ["20261201 10：00", "2026-12-01 10:00"],
  ["2026年12月01日 23:59", "2026-12-01 23:59"],
  ["2026-12-01 1", undefined],
  ["2026-12-01", undefined],
  ["2026-12-01 24:00", undefined],
])("%j is the minute %j", (text, minute) => expect(minuteOf(text, false)).toBe(minute));
