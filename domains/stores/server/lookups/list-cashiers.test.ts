import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { listDevices } from "../../../devices/contract/index.ts";
import { listCashiers, SEEK_LIMIT } from "../../contract/index.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const names = (rows: readonly { name: string; storeName: string }[]) => rows.map((row) => `${row.name} ${row.storeName}`);

test("a cashier is found by name, code or store, within the merchant or store that is chosen, and by id alone", async () => {
  const token = await world.signIn("mch01");
  const [store] = world.tree.merchants.mch01.stores;
  const [first, second] = store!.cashiers;
  const ask = (input: object) => world.call(listCashiers, token, input);
  expect(names(await ask({ storeId: store!.id }))).toEqual([`${first!.name} 春熙路店`, `${second!.name} 春熙路店`]);
  expect(names(await ask({ keyword: second!.name, storeId: store!.id }))).toEqual([`${second!.name} 春熙路店`]);
  expect(names(await ask({ keyword: first!.code.toLowerCase() }))).toEqual([`${first!.name} 春熙路店`]);
  expect(await ask({ keyword: "春熙" })).toHaveLength(2);
  expect(names(await ask({ id: first!.id }))).toEqual([`${first!.name} 春熙路店`]);
  for (const keyword of ["%", "_", "\\", "没有"]) expect(await ask({ keyword })).toEqual([]);
  await world.truth("update cashiers set state = 'disabled' where id = $1", [first!.id]);
  expect(await ask({ id: first!.id })).toHaveLength(1);
});

test("nobody finds whom they do not see, and a long list is cut", async () => {
  const { mch01, mch02 } = world.tree.merchants;
  const [own, foreign] = [mch01.stores[0]!, mch02.stores[0]!];
  const emp = await world.signIn("emp01");
  expect((await world.call(listCashiers, emp, {})).map((row) => row.id)).toEqual(own.cashiers.map((one) => one.id));
  expect(await world.call(listCashiers, emp, { id: mch01.stores[2]!.cashiers[0]!.id })).toEqual([]);
  const agent = await world.signIn("agent01");
  expect(await world.call(listDevices, agent, { storeId: foreign.id })).toEqual([]);
  expect(names(await world.call(listDevices, agent, { storeId: own.id, keyword: own.devices[1]!.sn }))).toEqual(["刷脸自助机 春熙路店"]);
  expect(await world.call(listDevices, await world.signIn("admin"), {})).toHaveLength(SEEK_LIMIT);
});
