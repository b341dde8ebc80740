import { expect, test } from "vitest";
import { searchWords } from "./pinyin.ts";

test.each([
  ["蜀味川菜", "swcc shuweichuancai"],
  // Of what is often misread both readings find; the whole is as the word is read.
  ["重庆麦香", "cqmx zqmx chongqingmaixiang"],
  ["7-11 便利", "711bl 711bianli"],
  ["KFC锦里店", "kfcjld kfcjinlidian"],
  ["吕记绿豆糕", "ljldg lvjilvdougao"],
  ["𠮷野家", "yj yejia"],
  ["Tea", "tea"],
  ["—", ""],
])("%s is found by %s", (name, found) => {
  expect(searchWords(name)).toBe(found);
});
test("words are read as they are spoken", () => {
  expect(searchWords("重庆银行行长").split(" ").at(-1)).toBe("chongqingyinhanghangzhang");
});
test("a name of many readings keeps to a few", () => {
  expect(searchWords("行重会长乐参单调").split(" ").length).toBeLessThanOrEqual(9);
});
test("what two names have alike stands once", () => {
  expect(searchWords("麦香", "麦香")).toBe("mx maixiang");
});
