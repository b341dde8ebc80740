import { expect, test } from "vitest";
import { barsOf } from "./bars-of.ts";

test("what is far above nearly all orders is one bar at the end, and the threshold is never in it", () => {
  const steps = [90, 6, 0, 0, 2, 0, 0, 0, 1, 1];
  expect(barsOf({ steps, mostCents: 100_000 }, 0)).toEqual({ bars: [90, 6, 4], endCents: 20_000 });
  expect(barsOf({ steps, mostCents: 100_000 }, 35_000)).toEqual({ bars: [90, 6, 0, 0, 4], endCents: 40_000 });
  expect(barsOf({ steps, mostCents: 100_000 }, 999_999)).toEqual({ bars: steps, endCents: 100_000 });
  expect(barsOf({ steps: [0, 0], mostCents: 0 }, 0)).toEqual({ bars: [0, 0], endCents: 0 });
});
