import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { friendPayDaysExport, friendPayStoresExport } from "./friend-statistics.ts";

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
  await liveFourDays();
});
afterAll(() => world.close());

const DAYS = ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"];
const stores = () => [...world.tree.merchants.mch01.stores, ...world.tree.merchants.mch03.stores].slice(0, 4);
const FIGURES = ["madeCount", "madeCents", "openedCount", "paidCount", "paidCents", "ownCount", "expiredCount", "waitingCount"] as const;
type Figures = Record<(typeof FIGURES)[number], number>;
const added = (rows: readonly object[]): number[] => FIGURES.map((name) => rows.reduce((sum, row) => sum + (row as Figures)[name], 0));

/** Links of four days in several stores: paid by friends, by the orderers, left to expire, and waiting still. */
async function liveFourDays(): Promise<void> {
  for (const [at, day] of DAYS.entries()) {
    // A minute before midnight in Shanghai and a minute after it are two days.
    for (const moment of [`${day}T15:59:00.000Z`, `${day}T16:01:00.000Z`, `${day}T04:00:00.000Z`].slice(0, at === 3 ? 1 : 3)) {
      world.services.clock.set(moment);
      for (const [n, store] of stores().entries()) {
        const tillNo = `S-${Date.parse(moment)}-${n}`;
        const made = await world.till(store, "createFriendOrder", {
          tillNo,
          subject: "蛋糕",
          grossCents: 1_009 * (n + 1) + at,
          orderer: "o-orderer-000000001",
        });
        if ((n + at) % 3 === 2) continue;
        const openId = (n + at) % 3 === 0 ? "o-friend-9999999999" : "o-orderer-000000001";
        const transaction = { ...world.channel.customerPays(made.orderNo), openId };
        const { mchId } = world.settings.get(store.merchantId)!.account;
        await world.notify(store.merchantId, world.channel.notice(`E-${made.orderNo}`, mchId, { transaction }));
      }
    }
  }
}
async function filed(source: ExportSource, login: "sp01" | "mch01", filter: object): Promise<object[]> {
  const { providers, merchants } = world.tree;
  const scope = parseScope(login === "sp01" ? `SP|${providers.sp01}|||||||` : `MCH|${providers.sp01}|||||${merchants.mch01.id}||`);
  const rows: object[] = [];
  await withScope(world.services.pool, scope, async (tx) => {
    const given = source.input.parse(filter);
    for await (const batch of source.rows(tx, scope, given)) rows.push(...batch);
    expect(await source.count(tx, scope, given)).toBe(rows.length);
  });
  return rows;
}

test("50 filters: totals, rows by day, rows by store and both files are equal to the cent", async () => {
  // What has expired is as of the moment of the file, which is the database's own.
  world.services.clock.set(new Date().toISOString());
  const given = fc.record(
    {
      from: fc.constantFrom(...DAYS),
      to: fc.constantFrom(...DAYS),
      storeId: fc.nat(3).map((n) => stores()[n]!.id),
      merchantId: fc.constantFrom("mch01" as const, "mch03" as const).map((name) => world.tree.merchants[name].id),
    },
    { requiredKeys: [] },
  );
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom("sp01" as const, "mch01" as const), async (filter, login) => {
      const sums = added([await world.as(login, "summariseFriendPays", filter)]);
      for (const [view, source] of [
        ["day", friendPayDaysExport],
        ["store", friendPayStoresExport],
      ] as const) {
        const { items } = await world.as(login, "statFriendPays", { ...filter, view });
        expect(added(items)).toEqual(sums);
        const file = await filed(source, login, { ...filter, view });
        expect(file).toMatchObject(items.map(({ day, madeCents, paidCents }) => ({ day, madeCents, paidCents })));
        expect(added(file)).toEqual(sums);
      }
      seen += sums[0]!;
    }),
    { numRuns: 50, seed: 26 },
  );
  expect(seen).toBeGreaterThan(0);
});
