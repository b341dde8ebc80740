import { expect, it } from "vitest";
import { lifetime_ms, nextLook_ms } from "./payment-rules.ts";

const START = Date.parse("2026-11-20T04:00:00Z");
const order = (trade_type: string, lifetime_s: number) => ({
  trade_type,
  created_at: new Date(START).toISOString(),
  expires_at: new Date(START + lifetime_s * 1000).toISOString(),
});
it.each([
  ["a code-pay is asked about at once", "MICROPAY", 60, 0, 2],
  ["for ten seconds", "MICROPAY", 60, 10, 5],
  ["and every few seconds", "MICROPAY", 60, 20, 5],
  ["and at its end", "MICROPAY", 60, 58, 2],
  ["a code on the counter is asked about soon, its notification may be lost", "NATIVE", 900, 0, 5],
  ["again", "NATIVE", 900, 5, 5],
  ["and again", "JSAPI", 900, 12, 18],
  ["at a minute", "NATIVE", 900, 30, 30],
  ["then each minute", "NATIVE", 900, 60, 55],
  ["to its end", "NATIVE", 900, 880, 20],
  ["after the end soon again", "NATIVE", 900, 900, 15],
  ["then less often", "NATIVE", 900, 1_500, 300],
  ["but every hour", "NATIVE", 900, 90_000, 3_600],
])("%s", (_what, trade_type, lifetime_s, age_s, next_s) =>
  expect(nextLook_ms(order(trade_type, lifetime_s), START + age_s * 1000) / 1000).toBe(next_s),
);

it("a code that the till read is good for a minute, one on the counter for a quarter of an hour", () =>
  expect(["MICROPAY", "NATIVE", "JSAPI"].map((kind) => lifetime_ms(kind) / 1000)).toEqual([60, 900, 900]));
