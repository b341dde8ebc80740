import { expect, test } from "vitest";
import { againstWords, asOfWords, changeOf, spanName, spanOf, spanWords } from "./spans.ts";

test("every range but 今日 ends with the last whole day", () => {
  expect(spanOf("yesterday", "2026-11-20")).toEqual({ from: "2026-11-19", to: "2026-11-19" });
  expect(spanOf("today", "2026-11-20")).toEqual({ from: "2026-11-20", to: "2026-11-20" });
  expect(spanOf("week", "2026-11-20")).toEqual({ from: "2026-11-13", to: "2026-11-19" });
  expect(spanOf("month", "2026-11-20")).toEqual({ from: "2026-11-01", to: "2026-11-19" });
});
test("on the first of a month 本月 is that day, and the spans cross the month's end", () => {
  expect(spanOf("month", "2026-12-01")).toEqual({ from: "2026-12-01", to: "2026-12-01" });
  expect(spanOf("yesterday", "2026-03-01")).toEqual({ from: "2026-02-28", to: "2026-02-28" });
  expect(spanOf("week", "2026-01-03")).toEqual({ from: "2025-12-27", to: "2026-01-02" });
});
test("a span is called as people call it", () => {
  expect(spanName({ from: "2026-11-19", to: "2026-11-19" }, "2026-11-20")).toBe("昨日");
  expect(spanName({ from: "2026-11-20", to: "2026-11-20" }, "2026-11-20")).toBe("今日");
  expect(spanName({ from: "2026-11-13", to: "2026-11-19" }, "2026-11-20")).toBe("11-13 至 11-19");
  expect(spanWords({ from: "2026-11-19", to: "2026-11-19" })).toBe("2026-11-19 周四");
  expect(againstWords({ from: "2026-11-19", to: "2026-11-19" })).toBe("较前一日");
  expect(againstWords({ from: "2026-11-13", to: "2026-11-19" })).toBe("较前 7 天");
});
test("the moment of the figures is Shanghai's, with its day where it is not today", () => {
  expect(asOfWords("2026-11-19T18:10:00Z", "2026-11-20")).toBe("02:10");
  expect(asOfWords("2026-11-19T15:59:00Z", "2026-11-20")).toBe("11-19 23:59");
});
test("a change against nothing is not known, and a loss that shrinks is a rise", () => {
  expect(changeOf(1124, 1000)).toBeCloseTo(12.4);
  expect(changeOf(5, 0)).toBeNull();
  expect(changeOf(-50, -100)).toBe(50);
});
