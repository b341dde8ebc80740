import { expect, test } from "vitest";
import { checkDigit, readScale, whyNotBarcode, whyNotPattern } from "./barcode.ts";

test.each([
  ["96385074", undefined],
  ["96385075", "第 8 位校验码应为 4"],
  ["036000291452", undefined],
  ["6901234567892", undefined],
  ["6901234567893", "第 13 位校验码应为 2"],
  ["16901234567899", undefined],
  ["2012345012501", "20 至 29 开头的 13 位是秤码，请只填其中的商品段"],
  ["BOX-24", undefined],
  ["12345", undefined],
  ["ABC", "条码为 8、12、13、14 位数字，或 4 至 32 位大写字母、数字、短横线的店内码"],
  ["ABC_1", "条码为 8、12、13、14 位数字，或 4 至 32 位大写字母、数字、短横线的店内码"],
])("%s: %s", (text, why) => {
  expect(whyNotBarcode(text)).toBe(why);
});

test.each([
  ["FFIIIIIPPPPPC", undefined],
  ["FFWWWWWIIIIIC", undefined],
  ["FFIIPIIPPPPPC", "同一种字母要连在一起"],
  ["FFIIIPPPPPPPC", "商品段（I）至少 4 位"],
  ["FFIIIIIIIIIIC", "需要商品段（I），以及价格（P）或重量（W）中的一种"],
  ["IIIIIPPPPPC", "格式为 FF + 10 位 I、P 或 W + C，如 FFIIIIIPPPPPC"],
])("pattern %s: %s", (pattern, why) => {
  expect(whyNotPattern(pattern)).toBe(why);
});

test("a scale code tells item and price or weight by the pattern, and nothing where it was misread", () => {
  const code = `201234501250`;
  const whole = `${code}${checkDigit(code)}`;
  expect(readScale("FFIIIIIPPPPPC", whole)).toEqual({ item: "12345", cents: 1250 });
  expect(readScale("FFWWWWWIIIIIC", whole)).toEqual({ item: "01250", grams: 12345 });
  expect(readScale("FFIIIIIPPPPPC", `${code}${(checkDigit(code) + 1) % 10}`)).toBeUndefined();
  expect(readScale("FFIIIIIPPPPPC", "6901234567892")).toBeUndefined();
});
