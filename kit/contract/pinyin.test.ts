import { expect, test } from "vitest";
import { initials } from "./pinyin.ts";

test.each([
  ["蜀味川菜", "swcc"],
  ["重庆麦香", "cqmx zqmx"],
  ["7-11 便利", "711bl"],
  ["KFC锦里店", "kfcjld"],
  ["—", ""],
])("%s is found by %s", (name, found) => {
  expect(initials(name)).toBe(found);
});
test("a name of many readings keeps to a few", () => {
  expect(initials("行重会长乐参单调").split(" ").length).toBeLessThanOrEqual(8);
});
