import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { getDeviceConfig, updateDeviceConfig } from "../contract/index.ts";
import {
  addEquipment,
  bindDevice,
  cleanCashierId,
  getDevice,
  getDevices,
  getEquipment,
  listEquipment,
  moveEquipment,
  renewDeviceKey,
  summariseDevices,
  summariseEquipment,
  unbindDevice,
  updateDeviceInfo,
} from "../contract/index.ts";

let world: World;
const tokens: Record<string, string> = {};
/** A person's token; a second goes by before each thing that is done. */
function t(login: string): string {
  world.services.clock.advance(1_000);
  return tokens[login]!;
}
beforeAll(async () => {
  world = await openWorld();
  for (const login of ["admin", "sp01", "sp02", "agent01", "mch01", "mch02", "mch03", "emp01"]) tokens[login] = await world.signIn(login);
});
afterAll(() => world.close());

let n = 0;
const newSn = (): string => `T-${String(++n).padStart(5, "0")}`;
const intake = async (login: string, sns: readonly string[]) =>
  world.call(addEquipment, t(login), { requestId: randomUUID(), model: "XY-L1", sns: [...sns], batch: "B1" });
const pieceOf = async (login: string, sn: string) => (await world.call(listEquipment, t(login), { keyword: sn })).items[0];
const moveTo = (login: string, kind: "issue" | "return" | "repair" | "repaired" | "retire", ids: readonly string[], to: object = {}) =>
  world.call(moveEquipment, t(login), { requestId: randomUUID(), kind, ids: [...ids], ...to });
const refusedMove = (login: string, kind: "issue" | "return" | "repair" | "retire", ids: readonly string[], to: object = {}) =>
  world.refused(moveEquipment, t(login), { requestId: randomUUID(), kind, ids: [...ids], ...to });
const mch = (key: "mch01" | "mch02" | "mch03") => world.tree.merchants[key];
const bind = (login: string, sn: string, storeId: string) => world.call(bindDevice, t(login), { sn, storeId, name: "前台" });

test("a thing goes from the platform to a provider, a merchant, a store, and all the way back; each holder sees its own part", async () => {
  const sn = newSn();
  await intake("admin", [sn]);
  const { id } = (await pieceOf("admin", sn))!;
  expect(await pieceOf("sp01", sn)).toBeUndefined();
  await moveTo("admin", "issue", [id], { serviceProviderId: world.tree.providers.sp01 });
  expect(await pieceOf("sp02", sn)).toBeUndefined();
  expect((await pieceOf("sp01", sn))!.may).toEqual(["issue", "return", "repair", "bind", "retire"]);
  await moveTo("sp01", "issue", [id], { merchantId: mch("mch01").id });
  expect(await pieceOf("mch03", sn)).toBeUndefined();
  const { id: device, key } = await bind("mch01", sn, mch("mch01").stores[0]!.id);
  expect(key.length).toBeGreaterThan(20);
  expect(await pieceOf("sp01", sn)).toMatchObject({ state: 1, merchantName: "蜀味川菜", storeName: "春熙路店", deviceId: device });
  await world.call(unbindDevice, t("mch01"), { id: device });
  await moveTo("sp01", "return", [id]);
  await moveTo("sp01", "return", [id]);
  expect([await pieceOf("sp01", sn), (await pieceOf("admin", sn))!.state]).toEqual([undefined, 0]);
  const kinds = async (login: string) => (await world.call(getEquipment, t(login), { id })).moves.map(({ kind }) => kind).toReversed();
  expect(await kinds("admin")).toEqual(["intake", "issue", "issue", "bind", "unbind", "return", "return"]);
  expect((await world.refused(getEquipment, t("sp01"), { id })).status).toBe(404);
  // What it did at the first provider stays there under that name; at the second it is another device.
  await moveTo("admin", "issue", [id], { serviceProviderId: world.tree.providers.sp02 });
  const again = await bind("sp02", sn, mch("mch02").stores[0]!.id);
  expect(again.id).not.toBe(device);
  expect(await world.truth("select state from devices where sn = $1 order by state", [sn])).toEqual([
    { state: "active" },
    { state: "retired" },
  ]);
});

test("nobody moves what is another's, and one that may not stops all", async () => {
  const [own, foreign] = [newSn(), newSn()];
  await intake("sp01", [own]);
  await intake("sp02", [foreign]);
  const a = (await pieceOf("sp01", own))!.id;
  const b = (await pieceOf("sp02", foreign))!.id;
  expect((await refusedMove("sp01", "retire", [a, b])).status).toBe(404);
  expect((await refusedMove("mch01", "return", [a])).status).toBe(404);
  expect((await refusedMove("admin", "retire", [a])).message).toBe(`${own} 不在你的库存`);
  expect((await refusedMove("sp01", "issue", [a], { merchantId: mch("mch02").id })).status).toBe(404);
  expect((await refusedMove("sp01", "issue", [a])).fields).toEqual({ merchantId: "请选择商户" });
  expect((await world.refused(bindDevice, t("mch01"), { sn: own, storeId: mch("mch01").stores[0]!.id, name: "x" })).status).toBe(404);
  expect((await world.refused(bindDevice, t("sp01"), { sn: own, storeId: mch("mch02").stores[0]!.id, name: "x" })).status).toBe(404);
  await moveTo("sp01", "issue", [a], { merchantId: mch("mch03").id });
  expect((await world.refused(bindDevice, t("sp01"), { sn: own, storeId: mch("mch01").stores[0]!.id, name: "x" })).message).toBe(
    `${own} 在别的商户名下，请先退回`,
  );
  expect((await pieceOf("mch03", own))!.state).toBe(0);
});

test("a number stands in the book once, whoever brings it, and a refused intake adds nothing", async () => {
  const [first, second] = [newSn(), newSn()];
  await intake("sp01", [first]);
  const refusal = await world.refused(addEquipment, t("sp02"), { requestId: randomUUID(), model: "XY-L1", sns: [second, first] });
  expect([refusal.status, refusal.message]).toEqual([409, `${first} 已由平台登记在别处，不能自行入库；设备确在你处的，请联系平台划拨`]);
  const again = await world.refused(addEquipment, t("sp01"), { requestId: randomUUID(), model: "XY-L1", sns: [first] });
  expect(again.message).toBe(`已登记过的设备编号：${first}`);
  expect(await pieceOf("sp02", second)).toBeUndefined();
  const doubled = await world.refused(addEquipment, t("sp02"), { requestId: randomUUID(), model: "XY-L1", sns: [second, second] });
  expect(doubled.fields).toEqual({ sns: `设备编号重复：${second}` });
});

test("of twenty who bind one thing at once one does", async () => {
  const sn = newSn();
  await intake("sp01", [sn]);
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_none, at) => bind("sp01", sn, mch(at % 2 ? "mch01" : "mch03").stores[0]!.id)),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await world.truth("select count(*)::int as n from devices where sn = $1", [sn])).toEqual([{ n: 1 }]);
  expect(
    await world.truth(
      "select count(*)::int as n from equipment_moves v join equipment e on e.id = v.equipment_id where e.sn = $1 and v.kind = 'bind'",
      [sn],
    ),
  ).toEqual([{ n: 1 }]);
});

test("a device that is unbound and bound again is the same one with another key, and what it had of its own is gone", async () => {
  const sn = newSn();
  await intake("sp01", [sn]);
  const first = await bind("sp01", sn, mch("mch01").stores[0]!.id);
  const node = { item_type: 0, item_id: first.id };
  await world.call(updateDeviceConfig, t("mch01"), { ...node, configs: [{ ckey: "volume", value: 5 }] });
  await world.call(unbindDevice, t("sp01"), { id: first.id });
  expect((await world.refused(getDevice, t("mch01"), { id: first.id })).status).toBe(404);
  const second = await bind("mch01", sn, mch("mch01").stores[1]!.id);
  expect([second.id === first.id, second.key === first.key]).toEqual([true, false]);
  const { configs } = await world.call(getDeviceConfig, t("mch01"), node);
  expect(configs.find(({ ckey }) => ckey === "volume")).toMatchObject({ value: 60, own: null });
  expect((await world.call(renewDeviceKey, t("mch01"), { id: first.id })).key).not.toBe(second.key);
});

test("a thing that goes on to another merchant is another device there, and the first one's past stays", async () => {
  const sn = newSn();
  await intake("sp01", [sn]);
  const { id } = (await pieceOf("sp01", sn))!;
  const first = await bind("sp01", sn, mch("mch01").stores[0]!.id);
  await world.call(unbindDevice, t("mch01"), { id: first.id });
  await moveTo("mch01", "return", [id]);
  await moveTo("sp01", "issue", [id], { merchantId: mch("mch03").id });
  const second = await bind("mch03", sn, mch("mch03").stores[0]!.id);
  expect(second.id).not.toBe(first.id);
  expect(await world.truth("select merchant_id, state from devices where id = $1", [first.id])).toEqual([
    { merchant_id: mch("mch01").id, state: "retired" },
  ]);
});

test("a device moves within its merchant, takes its own values along and leaves its cashier behind", async () => {
  const [from, to] = mch("mch01").stores;
  const device = from!.devices[0]!;
  const cashier = from!.cashiers[1]!;
  const update = (login: string, change: object) => world.call(updateDeviceInfo, t(login), { device_id: device.id, ...change });
  await world.call(updateDeviceConfig, t("mch01"), { item_type: 0, item_id: device.id, configs: [{ ckey: "volume", value: 9 }] });
  await update("mch01", { cashier_id: cashier.id, name: "吧台" });
  const before = await world.call(getDevice, t("mch01"), { id: device.id });
  expect([before.name, before.cashierName, before.cashiers.length]).toEqual(["吧台", cashier.name, 2]);
  const foreign = await world.refused(updateDeviceInfo, t("mch01"), { device_id: device.id, cashier_id: to!.cashiers[0]!.id });
  expect(foreign.status).toBe(404);
  const stale = await world.refused(updateDeviceInfo, t("mch01"), { device_id: device.id, revision: before.revision - 1, name: "x" });
  expect(stale.status).toBe(409);
  await update("mch01", { store_id: to!.id });
  const after = await world.call(getDevice, t("mch01"), { id: device.id });
  expect([after.storeName, after.cashierId]).toEqual(["建设路店", null]);
  expect(await world.truth("select store_id, value from config_overrides where item_id = $1", [device.id])).toEqual([
    { store_id: to!.id, value: 9 },
  ]);
  expect((await world.refused(updateDeviceInfo, t("sp01"), { device_id: device.id, store_id: mch("mch03").stores[0]!.id })).message).toBe(
    "设备只能在同一商户的门店之间移动，换商户请先解绑",
  );
  expect((await world.refused(updateDeviceInfo, t("sp02"), { device_id: device.id, name: "x" })).status).toBe(404);
  await update("mch01", { store_id: from!.id, cashier_id: cashier.id });
  await world.call(cleanCashierId, t("emp01"), { device_id: device.id });
  expect((await world.call(getDevice, t("mch01"), { id: device.id })).cashierId).toBeNull();
});

test("each level sees the devices below it, with their owners, and the counts are those of the list", async () => {
  const seen = async (login: string) => (await world.call(getDevices, t(login), { pageSize: 100 })).items;
  const merchants = async (login: string) => [...new Set((await seen(login)).map(({ merchantName }) => merchantName))].toSorted();
  expect(await merchants("mch01")).toEqual(["蜀味川菜"]);
  expect((await merchants("agent01")).length).toBe(2);
  expect((await seen("emp01")).every(({ storeName }) => storeName === "春熙路店")).toBe(true);
  const all = await seen("sp01");
  const sums = await world.call(summariseDevices, t("sp01"), {});
  expect([sums.count, sums.online + sums.offline + sums.never, sums.online]).toEqual([
    all.length,
    all.length,
    all.filter(({ online }) => online === 1).length,
  ]);
  const book = await world.call(summariseEquipment, t("sp01"), {});
  expect(book.byState["1"]).toBe(all.length);
});
