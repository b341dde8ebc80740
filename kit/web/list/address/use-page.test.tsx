import { expect, test } from "vitest";
import { followed } from "./use-page.ts";

const paid = { id: "1", status: 2 };
const waiting = { id: "2", status: 0 };

test("rows that are shown become what they are by now, where they stand", () => {
  const settled = { id: "2", status: 2 };
  expect(followed([paid, waiting], [{ id: "3", status: 0 }, settled, paid])).toEqual([paid, settled]);
});
test("rows that did not change stay the very same, so that nothing is drawn again", () => {
  expect(followed([paid, waiting], [{ ...waiting }, { ...paid }])).toBeUndefined();
  expect(followed([paid], [{ id: "9", status: 2 }])).toBeUndefined();
});
