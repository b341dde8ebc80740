import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { openShareWorld } from "./share-world.ts";

/** The world for a file of tests: each begins with nothing sent and the automatic rule, and after each the book holds. */
export async function shareTests() {
  const world = await openShareWorld();
  beforeEach(async () => {
    await world.forget();
    await world.rule("auto");
  });
  afterEach(async () => {
    expect(await world.verify()).toEqual([]);
  });
  afterAll(() => world.close());
  return {
    world,
    refund: (orderId: string, amountCents: number) =>
      world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents, reason: "退菜" }),
    /** The book's accounts by kind. */
    balances: async () =>
      Object.fromEntries(
        (await world.owner<{ kind: string; cents: number }>("select kind, balance_cents::int as cents from ledger_accounts")).map(
          ({ kind, cents }) => [kind, cents],
        ),
      ),
  };
}
