import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { queryOtherStores, saveOtherStore } from "../../contract/index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

test("a platform's store waits until it is mapped, and is saved once for each platform and number", async () => {
  const { mch01 } = world.tree.merchants;
  const token = await world.signIn("mch01");
  const store = { merchantId: mch01.id, platform: "dy" as const, platformStoreId: "7001", name: "抖音春熙路店" };
  const { id } = await world.call(saveOtherStore, token, store);
  expect(await world.call(queryOtherStores, token, { state: "waiting" })).toMatchObject([
    { id, storeId: null, storeName: null, state: "waiting" },
  ]);
  expect(await world.call(saveOtherStore, token, { ...store, storeId: mch01.stores[0]!.id })).toEqual({ id });
  expect(await world.call(queryOtherStores, token, { platform: "dy" })).toMatchObject([
    { id, storeId: mch01.stores[0]!.id, storeName: mch01.stores[0]!.name, state: "mapped" },
  ]);
  expect(await world.call(queryOtherStores, await world.signIn("sp01"), { keyword: "7001" })).toHaveLength(1);
});

test("neither another merchant, nor another's store, nor a row of another tree can be reached", async () => {
  const { mch01, mch02, mch03 } = world.tree.merchants;
  const token = await world.signIn("mch02");
  expect(await world.call(queryOtherStores, token, {})).toEqual([]);
  const save = async (who: string, merchantId: string, storeId: string) =>
    (await world.refused(saveOtherStore, who, { merchantId, platform: "ks", platformStoreId: "1", name: "越界", storeId })).status;
  expect(await save(token, mch01.id, mch01.stores[0]!.id)).toBe(404);
  expect(await save(token, mch02.id, mch01.stores[0]!.id)).toBe(404);
  expect(await save(await world.signIn("sp01"), mch01.id, mch03.stores[0]!.id)).toBe(404);
  expect(await world.truth("select 1 from other_stores where platform = 'ks'")).toEqual([]);
  expect((await world.refused(queryOtherStores, await world.signIn("emp01"), {})).status).toBe(403);
});
