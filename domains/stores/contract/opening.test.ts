import { expect, test } from "vitest";
import { everyDay, openingWords } from "./opening.ts";

test("a week is told in spans of the same hours", () => {
  const week = everyDay("09:00", "22:00");
  expect(openingWords(week)).toBe("每天 09:00–22:00");
  expect(openingWords(week.map((day, n) => (n > 4 ? null : day)))).toBe("周一至周五 09:00–22:00，周六至周日 休息");
  expect(openingWords(week.map((day, n) => (n === 2 ? { from: "18:00", to: "02:00" } : day)))).toBe(
    "周一至周二 09:00–22:00，周三 18:00–次日 02:00，周四至周日 09:00–22:00",
  );
  expect(openingWords(everyDay("00:00", "00:00"))).toBe("每天 全天");
  expect(openingWords(null)).toBeNull();
});
