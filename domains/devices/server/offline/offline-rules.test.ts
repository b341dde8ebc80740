import { expect, test } from "vitest";
import { everyDay } from "../../../stores/contract/index.ts";
import { openSince, silentTooLong } from "./offline-rules.ts";

/** A moment in Shanghai; 2026-11-20 is a Friday. */
const at = (text: string): number => Date.parse(`${text}:00+08:00`);
const day = everyDay("09:00", "22:00");
const closedOn = (weekday: number) => day.map((hours, n) => (n === weekday ? null : hours));

test.each([
  ["in the middle of the day", day, "2026-11-20T12:00", "2026-11-20T09:00"],
  ["at the opening", day, "2026-11-20T09:00", "2026-11-20T09:00"],
  ["before it", day, "2026-11-20T08:59", undefined],
  ["at the closing", day, "2026-11-20T22:00", undefined],
  ["on a day off", closedOn(4), "2026-11-20T12:00", undefined],
  ["past midnight, from the evening before", everyDay("18:00", "02:00"), "2026-11-20T01:00", "2026-11-19T18:00"],
  [
    "past midnight, before a day off",
    everyDay("18:00", "02:00").map((hours, n) => (n === 4 ? null : hours)),
    "2026-11-20T01:00",
    "2026-11-19T18:00",
  ],
  [
    "all day, after a day off",
    everyDay("00:00", "00:00").map((hours, n) => (n === 2 ? null : hours)),
    "2026-11-20T12:00",
    "2026-11-19T00:00",
  ],
  ["all day, until a day off", everyDay("00:00", "00:00").map((hours, n) => (n === 4 ? null : hours)), "2026-11-20T12:00", undefined],
] as const)("%s", (_what, opening, now, since) => {
  expect(openSince(opening, at(now))).toBe(since && at(since));
});

test("a store that never closes, or never said when, is open for as long as anybody asks", () => {
  expect(openSince(null, at("2026-11-20T03:00"))).toBe(Number.NEGATIVE_INFINITY);
  expect(openSince(everyDay("00:00", "00:00"), at("2026-11-20T03:00"))).toBe(at("2026-11-12T00:00"));
});

test("silence counts from the opening: a device that was switched off at night is missed only when the day has begun for so long", () => {
  const off = { lastSeen_ms: at("2026-11-19T22:05"), opening: day, minutes: 60 };
  expect(silentTooLong(off, at("2026-11-20T03:00"))).toBe(false);
  expect(silentTooLong(off, at("2026-11-20T09:59"))).toBe(false);
  expect(silentTooLong(off, at("2026-11-20T10:00"))).toBe(true);
  expect(silentTooLong({ ...off, lastSeen_ms: at("2026-11-20T09:30") }, at("2026-11-20T10:29"))).toBe(false);
  expect(silentTooLong({ ...off, lastSeen_ms: at("2026-11-20T09:30") }, at("2026-11-20T10:30"))).toBe(true);
});
