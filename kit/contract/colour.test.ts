import { expect, test } from "vitest";
import { accentContrast, contrast, LEAST_CONTRAST, mix } from "./colour.ts";

test("contrast is that of WCAG, and the same both ways", () => {
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#FFFFFF")).toBeCloseTo(4.48, 2);
  expect(contrast("#FFFFFF", "#777777")).toBe(contrast("#777777", "#FFFFFF"));
  expect(contrast("#2B57C4", "#2B57C4")).toBe(1);
});

test("a mix lies between its two colours", () => {
  expect([mix("#FFFFFF", "#000000", 0), mix("#FFFFFF", "#000000", 1), mix("#FFFFFF", "#000000", 0.5)]).toEqual([
    "#FFFFFF",
    "#000000",
    "#808080",
  ]);
});

test("a colour that is read in one theme need not be in the other", () => {
  expect(accentContrast("#1F6B4A", "light")).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  expect(accentContrast("#1F6B4A", "dark")).toBeLessThan(LEAST_CONTRAST);
  expect(accentContrast("#7FD1A8", "dark")).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  for (const pale of ["#FFD54F", "#07C160", "#FFFFFF", "#1677FF"]) expect(accentContrast(pale, "light"), pale).toBeLessThan(LEAST_CONTRAST);
});
