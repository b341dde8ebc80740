import { expect, test } from "vitest";
import { checkInput } from "./edge.ts";

test("NUL and unpaired surrogates are refused at their field", () => {
  expect(() => checkInput({ reason: "a\u0000b" })).toThrowError(/不允许的字符/);
  expect(() => checkInput({ reason: "\ud800" })).toThrowError(/不允许的字符/);
  try {
    checkInput({ reason: "\u0000" });
  } catch (error) {
    expect((error as { fields: unknown }).fields).toEqual({ reason: "含有不允许的字符" });
  }
});
test("nesting deeper than 32 and more than 1,000 keys are refused", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 40; level++) deep = { deep };
  expect(() => checkInput(deep)).toThrowError(/嵌套过深/);
  expect(() => checkInput(Array.from({ length: 1001 }, () => 0))).toThrowError(/内容过多/);
});
test("text is normalised to NFC and the rest is left alone", () => {
  expect(checkInput({ name: "e\u0301", amount: 5, list: [true, null] })).toEqual({ name: "é", amount: 5, list: [true, null] });
});
