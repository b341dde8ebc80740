import { expect, test } from "vitest";
import { FEW, tellingOf } from "./found-by.ts";

const common = {
  rows: 100_000,
  shares: new Map([1, 0.9, 2, 0.5, 3, 0.1, 4, 0.04].flatMap((n, at, all) => (at % 2 === 0 ? [[n, all[at + 1]!] as const] : []))),
};

test("a keyword is looked up by the numbers that the fewest rows hold, or not at all where too many hold them", () => {
  expect(tellingOf([1, 2, 3], undefined)).toEqual([1, 2, 3]);
  // Rare ones alone: what most rows hold tells nothing beside them.
  expect(tellingOf([1, 7, 2, 8], common)).toEqual([7, 8]);
  expect(tellingOf([10, 11, 12, 13, 14, 15, 16], common)).toHaveLength(6);
  // One rare one, and the least common beside it.
  expect(tellingOf([1, 2, 4, 9], common)).toEqual([9, 4]);
  // 90 % of 100,000, and 5 %.
  expect(tellingOf([1], common)).toBe("many");
  expect(tellingOf([2, 3], common)).toBe("many");
  // 2,000 of them at most by their shares: counted.
  expect(common.rows * 0.5 * 0.04).toBe(FEW);
  expect(tellingOf([2, 4], common)).toEqual([4, 2]);
  expect(tellingOf([9], common)).toEqual([9]);
});
