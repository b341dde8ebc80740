import { expect, test } from "vitest";
import { tellingOf } from "./found-by.ts";

/** Of 100,000 rows 90 % hold the number 1, and so on; what is not named hardly any row holds. */
const common = {
  rows: 100_000,
  shares: new Map([
    [1, 0.9],
    [2, 0.5],
    [3, 0.1],
    [4, 0.04],
    [5, 0.03],
    [6, 0.03],
    [7, 0.035],
  ]),
};

test("a keyword is looked up by the numbers that tell most, or not at all where far too many rows hold them", () => {
  expect(tellingOf([1, 2, 3], undefined)).toEqual([1, 2, 3]);
  // Rare ones: two of them are enough.
  expect(tellingOf([1, 70, 2, 80], common)).toEqual([70, 80]);
  expect(tellingOf([90], common)).toEqual([90]);
  // Neighbours stand in the same word: of 5 and 6 one tells as much as both, and 7 more.
  expect(tellingOf([1, 5, 6, 2, 7, 1], common)).toEqual([5, 7]);
  // Nothing else is there than neighbours.
  expect(tellingOf([5, 6], common)).toEqual([5, 6]);
  // One alone, held by 4,000; and two that by their shares 45,000 hold.
  expect(tellingOf([4], common)).toBe("many");
  expect(tellingOf([1, 2], common)).toBe("many");
  // By their shares 5,000 would hold both, but perhaps they never stand together: that is looked up.
  expect(tellingOf([2, 3], common)).toEqual([3, 2]);
  // What many rows of a table of several kinds hold may be in none of one kind.
  expect(tellingOf([1], common, true)).toEqual([1]);
});
