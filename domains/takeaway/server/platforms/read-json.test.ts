import { describe, expect, test } from "vitest";
import { amountOf, centsOf, countOf, readJson, STRING_OR_NUMBER } from "./read-json.ts";
import { meituanOrder } from "./meituan.ts";

describe("a platform's JSON", () => {
  test("is read with its numbers as they stood there", () => {
    expect(readJson(String.raw`{"id":8001234567890123456,"a":"\"1","b":[-2.50,true]}`)).toEqual({
      id: "8001234567890123456",
      a: '"1',
      b: ["-2.50", true],
    });
  });
  test("with a string that has no end is gone through once, not once from each of its quotes", () => {
    const hostile = `"${String.raw`\"`.repeat(100_000)}`;
    expect(hostile.match(STRING_OR_NUMBER)).toHaveLength(1);
    expect(`${hostile}\\`.match(STRING_OR_NUMBER)).toHaveLength(1);
    expect(() => readJson(hostile)).toThrow("no JSON");
    expect(() => readJson(" ".repeat(256_001))).toThrow("too long");
  });
  test("that is broken is told of without a word of it: it holds people's phones", () => {
    expect(() => readJson('{"phone":13800001234,oops}')).toThrow(/^no JSON$/);
  });
  test("tells numbers of things and amounts, and nothing is guessed", () => {
    expect([countOf("2", 1), countOf("2.0", 1), countOf(undefined, 0), countOf("", 1)]).toEqual([2, 2, 0, 1]);
    for (const wrong of ["two", "2.5", "-1"]) expect(() => countOf(wrong, 1)).toThrow();
    expect([centsOf("-2.50"), amountOf("2.5")]).toEqual([-250, 250]);
    expect(() => amountOf("-0.01")).toThrow();
  });
});

describe("an order of 美团外卖", () => {
  const TOLD = { order_id: "1", status: "8", ctime: "1763438400", utime: "1763442000", original_price: "37.0", total: "37.0" };
  test("that is completed and does not say what the shop receives is odd", () => {
    expect(meituanOrder(TOLD)).toMatchObject({ income_cents: 0, parts_cents: 3_700 });
    expect(meituanOrder({ ...TOLD, status: "4" })).toMatchObject({ parts_cents: null });
  });
  test("counts its boxes, also where they are written as 2.0", () => {
    const detail = '[{"food_name":"饭","quantity":1,"price":10.0,"box_num":2.0,"box_price":1.5}]';
    expect(meituanOrder({ ...TOLD, detail })).toMatchObject({ package_cents: 300 });
  });
});
