import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../../../../apps/demo/tree/tree.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Doors } from "@zhangfang/server/calls/call.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { readSession, sessionSql } from "../../../accounts/server/index.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { handOverMerchants, listSalesmen } from "../../contract/index.ts";
import { organisation } from "../index.ts";
import { applyAssignments } from "./apply-assignments.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
afterAll(() => world.close());
const doors: Doors = { sessionSql, readSession, device: () => Promise.reject(new Error("no device here")) };

async function asProvider<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const route = organisation.routes.find((one) => one.endpoint === (endpoint as Endpoint))!;
  return callAs<E>(world.services, doors, route, await signIn(world.services, "sp01"), input);
}
let sold = 0;
const sell = (cents: number) =>
  world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
    tillNo: `H-${++sold}`,
    subject: "午餐",
    grossCents: cents,
    tradeType: "MICROPAY",
    authCode: "130000000000000002",
  });
const volumes = async () =>
  Object.fromEntries((await asProvider(listSalesmen, { pageSize: 100 })).items.map((row) => [row.name, row.monthPaidCents]));

test("what was sold before a hand-over stays the old salesman's, what is sold from its day on is the new one's", async () => {
  const { salesmen, merchants } = world.tree;
  await sell(30_000);
  expect(await volumes()).toMatchObject({ 邓安: 30_000, 曾绵竹: 0 });
  const asked = { id: salesmen.sale01, toId: salesmen.sale02, merchantIds: [merchants.mch01.id], from: "2026-11-21" };
  await asProvider(handOverMerchants, asked);
  await sell(500);
  expect(await volumes()).toMatchObject({ 邓安: 30_500, 曾绵竹: 0 });
  world.services.clock.advance(86_400_000);
  await applyAssignments.run(world.services, {});
  await sell(7_000);
  expect(await volumes()).toMatchObject({ 邓安: 30_500, 曾绵竹: 7_000 });
  expect(await world.owner("select salesman_id from pay_orders order by created_at, id")).toEqual([
    { salesman_id: salesmen.sale01 },
    { salesman_id: salesmen.sale01 },
    { salesman_id: salesmen.sale02 },
  ]);
  expect(await world.verify()).toEqual([]);
});
