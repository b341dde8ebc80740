import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAccount } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addStoreArea,
  addStoreGroup,
  changeAreaStores,
  changeStoreGroup,
  getArea,
  getStoreGroup,
  listAreaManagers,
  listAreas,
  listStoreGroups,
  listStoreRows,
  removeArea,
  removeStoreGroup,
  renameStoreGroup,
  setAreaManagers,
} from "../../contract/index.ts";

let world: World;
let own: string;
let other: string;
let stores: string[];
beforeAll(async () => {
  world = await openWorld();
  stores = world.tree.merchants.mch01.stores.map((store) => store.id);
});
afterAll(() => world.close());
beforeEach(async () => void ([own, other] = [await world.signIn("mch01"), await world.signIn("mch02")]));
const fresh = (name: string, storeIds: string[] = []) => ({ requestId: randomUUID(), name, storeIds });

test("a group gathers stores of its merchant, is found by, renamed and taken away; the stores stay", async () => {
  const { id } = await world.call(addStoreGroup, own, fresh("外卖重点", stores.slice(0, 2)));
  expect((await world.refused(addStoreGroup, own, fresh("外卖重点"))).fields).toEqual({ name: "分组名称已存在" });
  expect(await world.call(changeStoreGroup, own, { id, act: "add", ids: stores.slice(1, 3) })).toEqual({ count: 1 });
  expect(await world.call(changeStoreGroup, own, { id, act: "remove", ids: [stores[0]!] })).toEqual({ count: 1 });
  await world.call(renameStoreGroup, own, { id, name: "外卖门店" });
  const shown = await world.call(getStoreGroup, own, { id });
  expect(shown).toMatchObject({ name: "外卖门店", storeCount: 2, managers: [], sessionCount: 0 });
  const listed = await world.call(listStoreRows, own, { groupId: id });
  expect(listed.items.map((row) => row.id)).toEqual(expect.arrayContaining([stores[1], stores[2]]));
  expect(listed.items[0]!.groups).toContainEqual({ id, name: "外卖门店" });
  expect(await world.call(changeStoreGroup, own, { id, act: "add", filter: { state: "active" } })).toEqual({ count: 2 });
  expect((await world.call(listStoreGroups, own, { keyword: "外卖" })).items).toMatchObject([{ id, storeCount: 4 }]);
  await world.call(removeStoreGroup, own, { id });
  expect((await world.refused(getStoreGroup, own, { id })).status).toBe(404);
  expect(await world.truth("select 1 from stores where id = any($1)", [stores])).toHaveLength(4);
});

test("nobody gathers or sees what is another merchant's, nor changes groups with a part of the stores in sight", async () => {
  const { area, storeGroup, merchants } = world.tree;
  expect((await world.call(listStoreGroups, other, {})).items).toEqual([]);
  const foreign = merchants.mch02.stores[0]!.id;
  expect((await world.refused(addStoreGroup, own, fresh("越界", [foreign]))).status).toBe(404);
  expect((await world.refused(changeStoreGroup, own, { id: storeGroup, act: "add", ids: [foreign] })).status).toBe(404);
  expect((await world.refused(changeAreaStores, other, { id: area, act: "add", ids: [foreign] })).status).toBe(404);
  expect((await world.refused(removeArea, other, { id: area })).status).toBe(404);
  await world.truth("update positions set items = items || $1 where id = $2", [
    ["/store/group", "/store/group/edit", "/store/area", "/store/area/edit", "/store/area/managers"],
    world.tree.position,
  ]);
  const fin = await world.signIn("fin01");
  expect((await world.call(getStoreGroup, fin, { id: storeGroup })).stores.map((store) => store.id)).toEqual([stores[0]]);
  expect((await world.refused(changeStoreGroup, fin, { id: storeGroup, act: "remove", ids: [stores[0]!] })).status).toBe(403);
  expect((await world.refused(changeAreaStores, fin, { id: area, act: "add", ids: [stores[1]!] })).status).toBe(403);
  expect((await world.refused(setAreaManagers, fin, { id: area, userIds: [] })).status).toBe(403);
  expect((await world.refused(listStoreGroups, await world.signIn("sp01"), {})).status).toBe(403);
});

test("another store in an area is another scope for its managers: they sign in again and see it", async () => {
  const { area } = world.tree;
  const before = await world.signIn("area01");
  expect((await world.call(getArea, own, { id: area })).sessionCount).toBeGreaterThanOrEqual(1);
  expect(await world.call(changeAreaStores, own, { id: area, act: "add", ids: [stores[2]!] })).toEqual({ count: 1 });
  expect((await world.refused(getAccount, before, {})).status).toBe(401);
  expect((await world.call(listStoreRows, await world.signIn("area01"), {})).items).toHaveLength(3);
  await world.call(changeAreaStores, own, { id: area, act: "remove", ids: [stores[2]!] });
  expect((await world.call(listStoreRows, await world.signIn("area01"), {})).items).toHaveLength(2);
});

test("a manager gets another area and keeps the last one; an area with a manager stays", async () => {
  const { area, users } = world.tree;
  const { id } = await world.call(addStoreArea, own, fresh("城西区", [stores[3]!]));
  const people = await world.call(listAreaManagers, own, {});
  expect(people.map((one) => one.login)).toEqual(["area01"]);
  const before = await world.signIn("area01");
  expect(await world.call(setAreaManagers, own, { id, userIds: [users.area01] })).toEqual({ ok: true, changed: 1 });
  expect((await world.refused(getAccount, before, {})).status).toBe(401);
  expect((await world.call(listStoreRows, await world.signIn("area01"), {})).items).toHaveLength(3);
  expect((await world.refused(removeArea, own, { id })).message).toContain("1 位区域经理");
  expect(await world.call(setAreaManagers, own, { id: area, userIds: [] })).toEqual({ ok: true, changed: 1 });
  expect((await world.refused(setAreaManagers, own, { id, userIds: [] })).message).toContain("只管理这一个区域");
  expect((await world.refused(setAreaManagers, own, { id, userIds: [users.emp01, users.area01] })).status).toBe(404);
  await world.call(setAreaManagers, own, { id: area, userIds: [users.area01] });
  await world.call(setAreaManagers, own, { id, userIds: [] });
  await world.call(removeArea, own, { id });
  expect((await world.call(listAreas, own, {})).items.map((row) => row.name)).toEqual(["城东区"]);
});
