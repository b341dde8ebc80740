import { expect, test } from "vitest";
import { costLines } from "./show-cost.ts";

const FILES = {
  "domains/orders/server/a.test.ts": 200_000,
  "domains/members/server/a.test.ts": 30_000,
  "domains/members/web/B.test.tsx": 10_000,
  "apps/server/matrix.test.ts": 100_000,
  "apps/server/notify.test.ts": 5_000,
};

test("a room's part of the matrix is its own, and a room that is past its budget says so", () => {
  const lines = costLines(FILES, { orders: 1_000, members: 2_600, server: 400 });
  expect(lines.map((line) => line.replace(/\s+/g, " ").trim())).toEqual([
    "225 of 240 s orders domains/orders/server/a.test.ts 200 s",
    "105 of 90 s members apps/server/matrix.test.ts 65 s ← past its budget",
    "15 of 480 s apps/server apps/server/matrix.test.ts 10 s",
  ]);
});

test("where the matrix left no shares, it counts where it stands", () => {
  expect(costLines(FILES, {})[1]).toMatch(/^ 105 of 480 s {2}apps\/server /);
});
