import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { callAs } from "@zhangfang/server/testing.ts";
import { openPool } from "@zhangfang/server/database/db.ts";
import { firstFence } from "@zhangfang/server/database/scope.ts";
import type { DemoLogin } from "../../../../apps/demo/tree/tree.ts";
import { doors, openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { listStores, listStoresOfFacade, listStoresOfMerchant } from "../../../stores/contract/index.ts";
import { stores } from "../../../stores/server/index.ts";
import {
  getMerchantInfo,
  listMerchants,
  listMerchantsOfProvider,
  listServiceProviders,
  listServiceProvidersShort,
} from "../../contract/index.ts";
import { organisation } from "../index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
afterEach(() => void (firstFence.on = true));

/** Written by hand from domain.md: which merchants each account sees, and how many of their stores. */
const SEES: Partial<Record<DemoLogin, [providers: string[], merchants: string[], stores: number]>> = {
  admin: [["sp01", "sp02"], ["mch01", "mch02", "mch03", "mch04", "mch05", "mch06", "mch07", "mch08"], 20],
  sp01: [["sp01"], ["mch01", "mch03", "mch04", "mch05", "mch06", "mch07"], 16],
  sp02: [["sp02"], ["mch02", "mch08"], 4],
  agent01: [["sp01"], ["mch01", "mch03"], 8],
  agent02: [["sp01"], ["mch06"], 1],
  group01: [["sp01"], ["mch01", "mch04"], 7],
  group02: [["sp01"], ["mch05"], 2],
  team01: [["sp01"], ["mch01", "mch04"], 7],
  sale02: [["sp01"], ["mch05"], 2],
  sale03: [["sp02"], ["mch02"], 2],
  mch01: [["sp01"], ["mch01"], 4],
  mch02: [["sp02"], ["mch02"], 2],
  fin01: [["sp01"], ["mch01"], 2],
  area01: [["sp01"], ["mch01"], 2],
  emp01: [["sp01"], ["mch01"], 1],
};

async function seen(ask: World["call"], login: string): Promise<[string[], string[], number]> {
  const { tree } = world;
  const token = await world.signIn(login);
  const named = (ids: readonly { id: string }[], names: Record<string, string>) =>
    ids.map(({ id }) => Object.keys(names).find((name) => names[name] === id) ?? id).toSorted();
  const merchantIds = Object.fromEntries(Object.entries(tree.merchants).map(([name, merchant]) => [name, merchant.id]));
  const merchants = await ask(listMerchants, token, {});
  const stores = await ask(listStores, token, {});
  expect(merchants.every((merchant) => Object.values(tree.providers).includes(merchant.serviceProvider.id))).toBe(true);
  expect(new Set(stores.map((store) => store.merchants.id)).size).toBeLessThanOrEqual(merchants.length);
  expect(await ask(listStoresOfFacade, token, {})).toEqual(stores);
  expect((await ask(listServiceProvidersShort, token, {})).map((entry) => entry.id)).toEqual(
    (await ask(listServiceProviders, token, {})).map((entry) => entry.id),
  );
  return [named(await ask(listServiceProviders, token, {}), tree.providers), named(merchants, merchantIds), stores.length];
}

test("each level's lookups give its own and nothing else", async () => {
  for (const [login, expected] of Object.entries(SEES)) expect(await seen(world.call, login), login).toEqual(expected);
});

test("the second fence alone holds: the same answers with the first one off", async () => {
  firstFence.on = false;
  for (const [login, expected] of Object.entries(SEES)) expect(await seen(world.call, login), login).toEqual(expected);
});

test("the first fence alone holds: the same answers for a role that row-level security does not bind", async () => {
  const pool = openPool({ connection: world.services.owner, size: 4 });
  const routes = [...organisation.routes, ...stores.routes];
  const asOwner: World["call"] = (endpoint, token, input) =>
    callAs(
      { ...world.services, pool },
      doors,
      routes.find((route) => route.endpoint === (endpoint as never))!,
      token,
      input,
    ) as never;
  for (const [login, expected] of Object.entries(SEES)) expect(await seen(asOwner, login), login).toEqual(expected);
  await pool.end();
});

test("a provider or merchant that is not in sight has no entries, like one that does not exist", async () => {
  const { tree } = world;
  const token = await world.signIn("sp01");
  expect((await world.call(listMerchantsOfProvider, token, { serviceProviderId: tree.providers.sp01 })).length).toBe(6);
  expect(await world.call(listMerchantsOfProvider, token, { serviceProviderId: tree.providers.sp02 })).toEqual([]);
  expect(await world.call(listMerchantsOfProvider, token, { serviceProviderId: randomUUID() })).toEqual([]);
  expect((await world.call(listStoresOfMerchant, token, { merchantsId: tree.merchants.mch01.id })).length).toBe(4);
  expect(await world.call(listStoresOfMerchant, token, { merchantsId: tree.merchants.mch02.id })).toEqual([]);
  expect(await world.call(listStores, token, { regionId: randomUUID() })).toEqual([]);
});

test("C1: two tenants that ask in turn for the same parameter never get one another's answer", async () => {
  const { tree } = world;
  const [first, second] = [await world.signIn("mch01"), await world.signIn("mch02")];
  for (let round = 0; round < 50; round++) {
    const [own, foreign] = await Promise.all([
      world.call(listStoresOfMerchant, first, { merchantsId: tree.merchants.mch01.id }),
      world.call(listStoresOfMerchant, second, { merchantsId: tree.merchants.mch01.id }),
    ]);
    expect([own.length, foreign.length]).toEqual([4, 0]);
  }
});

test("an area and a keyword narrow, a closed store shows only when all are asked for, and signs in a keyword mean themselves", async () => {
  const { tree } = world;
  const token = await world.signIn("mch01");
  const [closed] = tree.merchants.mch01.stores;
  expect((await world.call(listStores, token, { regionId: tree.area })).map((store) => store.id).toSorted()).toEqual(
    tree.merchants.mch01.stores
      .slice(0, 2)
      .map((store) => store.id)
      .toSorted(),
  );
  expect((await world.call(listStores, token, { keyword: "建设路" })).map((store) => store.name)).toEqual(["蜀味川菜建设路店"]);
  expect(await world.call(listStores, token, { keyword: "%" })).toEqual([]);
  await world.truth("update stores set state = 'disabled' where id = $1", [closed!.id]);
  expect((await world.call(listStores, token, {})).length).toBe(3);
  expect((await world.call(listStores, token, { type: "all" })).length).toBe(4);
  await world.truth("update stores set state = 'active' where id = $1", [closed!.id]);
});

test("the own merchant's information is there from the merchant down, and null above", async () => {
  for (const login of ["mch01", "fin01", "area01", "emp01"])
    expect(await world.call(getMerchantInfo, await world.signIn(login), {})).toMatchObject({
      id: world.tree.merchants.mch01.id,
      shortName: "蜀味川菜",
      servicePhone: "028-86660001",
      refundApprovalAbove: 50_000,
    });
  for (const login of ["admin", "sp01", "agent01", "group01", "team01", "sale01"])
    expect(await world.call(getMerchantInfo, await world.signIn(login), {})).toBeNull();
});

test("nobody looks anything up without a session", async () => {
  for (const endpoint of [listServiceProviders, listMerchants, listStores, getMerchantInfo] as const)
    expect((await world.refused(endpoint, undefined, {})).status).toBe(401);
});
