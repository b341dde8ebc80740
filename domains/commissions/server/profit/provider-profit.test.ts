import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { listProviderProfit, summariseProviderProfit } from "../../contract/index.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { providerProfitExport } from "./provider-profit.ts";

let world: CommissionWorld;
beforeAll(async () => void (world = await openCommissionWorld()));
afterAll(() => world.close());

test("what came in is what the statistics say of the days that are posted, also where it brought no fee", async () => {
  const store = world.till.tree.merchants.mch01.stores[0]!;
  const order = await world.pay(store, 100_000);
  // 1.00 at 0.38 % is less than half a cent of fee.
  await world.pay(store, 100);
  world.nextDay();
  await world.post();
  await world.refund(order, 33_333);
  world.nextDay();
  await world.post();
  // Today is not posted yet.
  await world.pay(store, 5_000);
  const { items } = await world.as("sp01", listProviderProfit, { pageSize: 10, withTotal: true });
  expect(
    items.map((row) => [row.span, row.payCount, row.paidCents, row.refundCents, row.feeCents, row.costCents, row.sharedCents]),
  ).toEqual([
    ["2026-11-21", 0, 0, 33_333, -127, -70, -23],
    ["2026-11-20", 2, 100_100, 0, 380, 210, 68],
  ]);
  for (const row of items) expect(row.feeCents).toBe(row.costCents + row.sharedCents + row.netCents);
  expect(await world.as("sp02", listProviderProfit, { pageSize: 10 })).toMatchObject({ items: [] });
  expect(await world.as("admin", summariseProviderProfit, {})).toMatchObject({ paidCents: 100_100, refundCents: 33_333, feeCents: 253 });

  // A month is cut by the days that are asked for, and so is what its row leads to.
  const month = { by: "month", from: "2026-11-21", to: "2026-12-05" } as const;
  const { items: months } = await world.as("sp01", listProviderProfit, { ...month, pageSize: 10 });
  expect(months.map((row) => [row.span, row.from, row.to, row.refundCents])).toEqual([["2026-11", "2026-11-21", "2026-11-30", 33_333]]);
  const scope = parseScope(`SP|${world.till.tree.providers.sp01}|||||||`);
  const filed: unknown[] = [];
  await withScope(world.till.services.pool, scope, async (tx) => {
    for await (const rows of providerProfitExport.rows(tx, scope, { by: "day" })) filed.push(...rows);
  });
  expect(filed).toMatchObject(items.map(({ span, paidCents, netCents }) => ({ span, paidCents, netCents })));
});
