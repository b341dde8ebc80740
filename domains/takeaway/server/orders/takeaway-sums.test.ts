import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { verifyTakeaway } from "../verify-takeaway.ts";
import { foldTakeaway } from "./fold-takeaway.ts";
import { keepOrder } from "./keep-order.ts";

let world: World;
const ALL = platformScope("test sums");
const check = () => withScope(world.services.pool, ALL, verifyTakeaway);
const fold = () => foldTakeaway.run(world.services, {});
beforeAll(async () => void (world = await openWorld()));
beforeEach(() => emptyTables(world.truth, "takeaway_orders"));
afterEach(async () => expect(await check()).toEqual([]));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const ORDER = {
  platform_order_id: "1",
  platform_store_id: "P1",
  platform_store_name: "",
  day_no: "1",
  status: 1 as const,
  placed_at: "2026-11-18T15:50:00.000Z",
  completed_at: null,
  changed_at: "2026-11-18T15:50:00.000Z",
  lines: [],
  original_cents: 4_200,
  package_cents: 200,
  delivery_cents: 400,
  shop_off_cents: 300,
  platform_off_cents: 200,
  paid_cents: 3_700,
  fee_cents: 500,
  income_cents: 3_000,
  parts_cents: 3_000,
  refund_cents: 0,
  shop_refund_cents: 0,
  source: "platform" as const,
};
type Told = Omit<Partial<typeof ORDER>, "status" | "completed_at"> & {
  readonly status?: 1 | 2 | 3;
  readonly completed_at?: string | null;
  readonly store_id?: string | null;
};
const keep = (more: Told = {}, merchant = shop()) =>
  withScope(world.services.pool, ALL, (tx) =>
    keepOrder(
      tx,
      world.services,
      { service_provider_id: merchant.serviceProviderId, merchant_id: merchant.id, platform: "ele" },
      { ...ORDER, store_id: null, ...more },
    ),
  );
/** By day and what day it is, of those who see `scope`. */
const sums = async (scope = "PLATFORM||||||||", table = "takeaway_sums") =>
  withScope(world.services.pool, parseScope(scope), async (tx) => {
    const { rows } = await sql<
      Record<string, unknown>
    >`select day_of || ' ' || day as of, sum(orders)::int as orders, sum(cancelled)::int as cancelled, sum(odd)::int as odd,
      sum(refunded)::int as refunded, sum(net_cents)::int as net from ${sql.table(table)} group by 1 having sum(orders + cancelled) <> 0 order by 1`.execute(
      tx,
    );
    return rows.map(({ of, ...figures }) => [of, ...Object.values(figures)]);
  });

test("sums follow an order to its end, folded or not", async () => {
  await keep();
  expect(await sums()).toEqual([["placed 2026-11-18", 1, 0, 0, 0, 3_000]]);
  await fold();
  // Told again the same moves nothing.
  await keep();
  expect(await world.truth("select 1 from takeaway_fresh")).toEqual([]);
  const done = { status: 2 as const, completed_at: "2026-11-18T16:20:00.000Z", changed_at: "2026-11-18T16:20:00.000Z" };
  await keep(done);
  await keep({ ...done, income_cents: 2_900, refund_cents: 500, shop_refund_cents: 100, changed_at: "2026-11-18T17:00:00.000Z" });
  const both = [
    ["completed 2026-11-19", 1, 0, 1, 1, 2_800],
    ["placed 2026-11-18", 1, 0, 1, 1, 2_800],
  ];
  expect(await sums()).toEqual(both);
  await fold();
  expect(await sums()).toEqual(both);
  await keep({ ...done, status: 3, changed_at: "2026-11-18T18:00:00.000Z" });
  expect(await sums()).toEqual([
    ["completed 2026-11-19", 0, 1, 0, 0, 0],
    ["placed 2026-11-18", 0, 1, 0, 0, 0],
  ]);
  await world.truth("delete from takeaway_orders");
  expect(await sums()).toEqual([]);
  await fold();
  expect(await sums()).toEqual([]);
});
test("sums go with an order to the store that it is mapped to, and are seen by whoever sees the order", async () => {
  const { serviceProviderId: provider, id, stores } = shop();
  const other = world.tree.merchants.mch02;
  await keep();
  await keep({ platform_order_id: "2", store_id: stores[1]!.id });
  await fold();
  const seen = async () => {
    const orders = async (scope: string, table?: string) => ((await sums(scope, table))[0]?.[1] ?? 0) as number;
    return [
      await orders(`SP|${provider}|||||||`),
      await orders(`SP|${provider}|||||||`, "takeaway_totals"),
      await orders(`SP|${other.serviceProviderId}|||||||`, "takeaway_totals"),
      await orders(`MCH|${provider}|||||${id}||`),
      await orders(`MCH|${provider}|||||${id}||`, "takeaway_totals_folded"),
      await orders(`MCH|${other.serviceProviderId}|||||${other.id}||`),
      await orders(`AE|${provider}|||||${id}|{${stores[0]!.id}}|`),
      await orders(`AE|${provider}|||||${id}|{${stores[1]!.id}}|`),
    ];
  };
  expect(await seen()).toEqual([2, 2, 0, 2, 0, 0, 0, 1]);
  await world.truth("update takeaway_orders set store_id = $1 where store_id is null", [stores[0]!.id]);
  expect(await seen()).toEqual([2, 2, 0, 2, 0, 0, 1, 1]);
  await fold();
  expect(await seen()).toEqual([2, 2, 0, 2, 0, 0, 1, 1]);
  const kept = () => world.truth("select to_jsonb(s) as row from takeaway_sums s where orders + cancelled <> 0 order by 1");
  const before = await kept();
  await world.truth("select upkeep.rebuild_takeaway()");
  expect(await kept()).toEqual(before);
});
test("sums are checked each night, and the service may not write them", async () => {
  await keep();
  await keep({ platform_order_id: "2", store_id: shop().stores[0]!.id });
  await fold();
  for (const table of ["takeaway_sums_folded", "takeaway_totals_folded", "takeaway_stores_folded"]) {
    await world.truth(`update ${table} set net_cents = net_cents + 1`);
    expect(await check()).not.toEqual([]);
    await world.truth(`update ${table} set net_cents = net_cents - 1`);
    await expect(world.services.pool.query(`update ${table} set orders = 0`)).rejects.toMatchObject({ code: "42501" });
  }
});
