import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { firstFence } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { PLATFORM_ID, wrongValue } from "../../level-config/contract/index.ts";
import { levelConfig } from "../../level-config/server/index.ts";
import {
  getDeviceConfig,
  getDeviceConfigKey,
  getDeviceConfigTree,
  listDeviceConfigChanges,
  previewDeviceConfig,
  undoDeviceConfig,
  updateDeviceConfig,
} from "../contract/index.ts";

let world: World;
let admin: string, sp01: string, sp02: string, mch01: string;
beforeAll(async () => {
  world = await openWorld();
  [admin, sp01, sp02, mch01] = (await Promise.all(["admin", "sp01", "sp02", "mch01"].map((login) => world.signIn(login)))) as [
    string,
    string,
    string,
    string,
  ];
});
afterEach(async () => {
  firstFence.on = true;
  await world.truth("delete from config_overrides");
  await world.truth("delete from config_changes");
});
afterAll(() => world.close());

const inWords = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
const provider = () => ({ item_type: 3, item_id: world.tree.providers.sp01 });
const merchant = () => ({ item_type: 2, item_id: world.tree.merchants.mch01.id });
const store = (n = 0) => ({ item_type: 1, item_id: world.tree.merchants.mch01.stores[n]!.id });
const device = (n = 0) => ({ item_type: 0, item_id: world.tree.merchants.mch01.stores[0]!.devices[n]!.id });
const set = (token: string, node: { item_type: number; item_id: string }, value: unknown, ckey = "volume") =>
  world.call(updateDeviceConfig, token, { ...node, configs: [{ ckey, value: value as never }] });
const volume = async (token: string, node: { item_type: number; item_id: string }) => {
  const { configs } = await world.call(getDeviceConfig, token, node);
  const one = configs.find(({ ckey }) => ckey === "volume")!;
  return [one.value, one.own, one.from?.item_type ?? null];
};

test("the nearest value holds, says where it comes from, and going back to what is inherited is one call", async () => {
  expect(await volume(mch01, device())).toEqual([60, null, null]);
  await set(admin, { item_type: 4, item_id: PLATFORM_ID }, 10);
  expect(await volume(mch01, device())).toEqual([10, null, 4]);
  await set(sp01, provider(), 20);
  await set(mch01, merchant(), 30);
  await set(mch01, device(), 0);
  expect(await volume(mch01, device())).toEqual([0, 0, 0]);
  expect(await volume(mch01, device(1))).toEqual([30, null, 2]);
  expect(await volume(sp01, provider())).toEqual([20, 20, 3]);
  await set(mch01, device(), null);
  await set(mch01, merchant(), null);
  expect(await volume(mch01, device())).toEqual([20, null, 3]);
  const shown = (await world.call(getDeviceConfig, mch01, merchant())).configs.find(({ ckey }) => ckey === "volume")!;
  expect([shown.from?.item_name, shown.changed_by]).toEqual(["禾木智慧商业", null]);
});

test("nobody writes above themselves or beside, and what is not in sight does not exist", async () => {
  const change = { configs: [{ ckey: "volume", value: 1 }] };
  const refused = async (token: string, node: object) => (await world.refused(updateDeviceConfig, token, { ...node, ...change })).status;
  expect(await refused(mch01, provider())).toBe(404);
  expect(await refused(mch01, { item_type: 4 })).toBe(403);
  expect(await refused(sp01, { item_type: 4 })).toBe(403);
  expect(await refused(sp02, provider())).toBe(404);
  expect(await refused(sp02, merchant())).toBe(404);
  expect(await refused(sp02, device())).toBe(404);
  // A node under a wrong type is not there either.
  expect(await refused(sp01, { ...device(), item_type: 1 })).toBe(404);
  expect(await world.truth("select 1 from config_overrides")).toEqual([]);
});

test("both fences hold alone: a row of another tree is neither read nor written", async () => {
  await set(sp02, { item_type: 3, item_id: world.tree.providers.sp02 }, 99);
  firstFence.on = false;
  for (const token of [sp01, mch01]) {
    expect((await world.refused(getDeviceConfig, token, { item_type: 3, item_id: world.tree.providers.sp02 })).status).toBe(404);
    expect(
      (
        await world.refused(updateDeviceConfig, token, {
          item_type: 2,
          item_id: world.tree.merchants.mch02.id,
          configs: [{ ckey: "volume", value: 1 }],
        })
      ).status,
    ).toBe(404);
  }
});

test("a value that does not fit its key, a key that may not stand there, an unknown key: said at the key, nothing written", async () => {
  const refused = async (node: object, configs: object[]) => {
    const { status, fields } = await world.refused(updateDeviceConfig, sp01, { ...node, configs } as never);
    return [status, fields];
  };
  const good = { ckey: "announce", value: false };
  expect(await refused(merchant(), [good, { ckey: "volume", value: 101 }])).toEqual([400, { volume: "音量须为 0 到 100 的整数" }]);
  expect(await refused(merchant(), [good, { ckey: "update_hour", value: 3 }])).toEqual([400, { update_hour: "更新时刻不能在这一级设置" }]);
  expect(await refused(merchant(), [good, { ckey: "nothing", value: 3 }])).toEqual([400, { nothing: "没有名为 nothing 的设置项" }]);
  expect(await refused(merchant(), [good, good])).toEqual([400, { configs: "同一项只能设置一次" }]);
  expect(await world.truth("select 1 from config_overrides")).toEqual([]);
});

test("a type that the tree does not know is answered clearly", async () => {
  const { status, message } = await world.refused(getDeviceConfig, sp01, { item_type: 7, item_id: provider().item_id });
  expect([status, message]).toEqual([400, "未知的层级类型 7"]);
});

test("before a save it is said how many devices change from what to what", async () => {
  await set(mch01, store(), 30);
  await set(mch01, device(), 40);
  const seen = await world.call(previewDeviceConfig, sp01, { items: [merchant()], configs: [{ ckey: "volume", value: 50 }] });
  const [{ all }] = (await world.truth<{ all: number }>(
    "select count(*)::int as all from devices where merchant_id = $1 and state = 'active'",
    [merchant().item_id],
  )) as [{ all: number }];
  const [{ here }] = (await world.truth<{ here: number }>(
    "select count(*)::int as here from devices where store_id = $1 and state = 'active'",
    [store().item_id],
  )) as [{ here: number }];
  expect(seen.changes).toEqual([{ ckey: "volume", from: 60, to: 50, devices: all - here }]);
  expect([seen.below, seen.changed, seen.devices.length]).toEqual([all, all - here, all - here]);
  expect(seen.devices.some(({ storeName }) => storeName === "春熙路店")).toBe(false);
});

test("who looked before another saved is told what changed, and by whom", async () => {
  const change = { items: [merchant()], configs: [{ ckey: "volume", value: 50 }] };
  const { tag } = await world.call(previewDeviceConfig, mch01, change);
  await set(sp01, merchant(), 70);
  const { status, code, message } = await world.refused(updateDeviceConfig, mch01, { ...change, tag });
  expect([status, code, message]).toEqual([409, "config.changed", "sp01 刚把「蜀味川菜」的音量改为 70，请看过再保存"]);
  // Another key at the same node is nobody's conflict.
  const other = { items: [merchant()], configs: [{ ckey: "announce", value: false }] };
  const seen = await world.call(previewDeviceConfig, mch01, other);
  await set(sp01, merchant(), 80);
  expect((await world.call(updateDeviceConfig, mch01, { ...other, tag: seen.tag })).changed).toBe(1);
});

test("twenty who saw the same and save at once: one does, the others are told", async () => {
  const change = (value: number) => ({
    items: [merchant(), store(), store(1)],
    configs: [
      { ckey: "volume", value },
      { ckey: "standby_minutes", value },
    ],
  });
  const { tag } = await world.call(previewDeviceConfig, mch01, change(1));
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_none, n) => world.call(updateDeviceConfig, mch01, { ...change(n), tag })),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const rows = await world.truth<{ value: number }>("select distinct value from config_overrides");
  expect(rows).toHaveLength(1);
  expect(await world.truth("select distinct save_id from config_overrides")).toHaveLength(1);
});

test("the history says who changed what; a save is taken back where nobody changed it since", async () => {
  await set(mch01, store(), 30);
  const { saveId } = await world.call(updateDeviceConfig, mch01, {
    items: [store(), store(1)],
    configs: [
      { ckey: "volume", value: 35 },
      { ckey: "announce", value: false },
    ],
  });
  const { items } = await world.call(listDeviceConfigChanges, mch01, { ...store() });
  expect(
    items.map(({ ckey, from, to, changedBy, saveId: save }) => [ckey, from, to, changedBy, save === saveId]).toSorted(inWords),
  ).toEqual(
    [
      ["announce", null, false, "mch01", true],
      ["volume", 30, 35, "mch01", true],
      ["volume", null, 30, "mch01", false],
    ].toSorted(inWords),
  );
  await set(sp01, store(1), 36);
  const seen = await world.call(previewDeviceConfig, mch01, { undo: saveId! });
  expect(seen.now.map(({ item_name, ckey, own, to }) => [item_name, ckey, own, to]).toSorted(inWords)).toEqual(
    [
      ["春熙路店", "announce", false, null],
      ["春熙路店", "volume", 35, 30],
      ["建设路店", "announce", false, null],
    ].toSorted(inWords),
  );
  expect((await world.call(undoDeviceConfig, mch01, { saveId: saveId!, tag: seen.tag })).changed).toBe(3);
  expect([await volume(mch01, store()), await volume(mch01, store(1))]).toEqual([
    [30, 30, 1],
    [36, 36, 1],
  ]);
  const again = await world.call(previewDeviceConfig, mch01, { undo: saveId! });
  expect((await world.refused(undoDeviceConfig, mch01, { saveId: saveId!, tag: again.tag })).status).toBe(409);
  expect((await world.refused(previewDeviceConfig, sp02, { undo: saveId! })).status).toBe(404);
});

test("what the platform changed is its own history, and a picture stays as long as a history names it", async () => {
  const platform = { item_type: 4, item_id: PLATFORM_ID };
  const { saveId } = await set(admin, platform, 10);
  await world.call(undoDeviceConfig, admin, { saveId: saveId! });
  const { items } = await world.call(listDeviceConfigChanges, admin, platform);
  const said = items.map(({ from, to, undone }) => [from, to, undone]);
  expect(said.toSorted(inWords)).toEqual(
    [
      [10, null, false],
      [null, 10, true],
    ].toSorted(inWords),
  );
  expect((await world.refused(previewDeviceConfig, sp01, { undo: saveId! })).status).toBe(404);
  // Three pictures of days ago, and one of just now.
  const picture = (n: number) => `0190b0a0-0000-7000-8000-00000000000${n}`;
  const now_ms = world.services.clock.now_ms();
  for (const n of [1, 2, 3, 4])
    await world.truth(
      "insert into config_pictures (id, content_type, bytes, user_id, created_at) values ($1, 'image/png', '', gen_random_uuid(), $2)",
      [picture(n), new Date(now_ms - (n === 4 ? 0 : 3) * 86_400_000).toISOString()],
    );
  await world.truth("update config_changes set from_value = to_jsonb($1::text) where id = $2", [
    `/api/config-pictures/${picture(1)}`,
    items[0]!.id,
  ]);
  await world.truth("update config_changes set to_value = to_jsonb($1::text) where id = $2", [
    `/api/config-pictures/${picture(2)}`,
    items[1]!.id,
  ]);
  await levelConfig.jobs[0]!.run(world.services, {});
  expect((await world.truth<{ id: string }>("select id from config_pictures order by id")).map(({ id }) => id)).toEqual(
    [1, 2, 4].map(picture),
  );
});

test("what is saved unchanged is no change, and each save stands in the audit log once", async () => {
  const before = (await world.truth("select 1 from audit_log where endpoint = $1", [updateDeviceConfig.path])).length;
  await set(mch01, store(), 30);
  expect(await set(mch01, store(), 30)).toMatchObject({ changed: 0, saveId: null });
  expect((await world.truth("select 1 from audit_log where endpoint = $1", [updateDeviceConfig.path])).length - before).toBe(2);
  const name = "春熙路店 音量";
  expect(
    await world.truth("select detail from audit_log where endpoint = $1 and target_id = $2 order by id desc limit 2", [
      updateDeviceConfig.path,
      store().item_id,
    ]),
  ).toContainEqual({ detail: { before: { [name]: null }, after: { [name]: 30 } } });
});

test("the tree is walked level by level from where the caller stands, and searched", async () => {
  const roots = async (token: string) =>
    (await world.call(getDeviceConfigTree, token, {})).items.map(({ item_type, item_name }) => [item_type, item_name]);
  expect(await roots(admin)).toEqual([[4, "平台"]]);
  expect(await roots(sp01)).toEqual([[3, "禾木智慧商业"]]);
  expect(await roots(mch01)).toEqual([[2, "蜀味川菜"]]);
  await set(mch01, store(2), 1);
  const { items } = await world.call(getDeviceConfigTree, mch01, merchant());
  expect(Object.fromEntries(items.map(({ item_id, own_keys }) => [item_id, own_keys]))).toEqual(
    Object.fromEntries(world.tree.merchants.mch01.stores.map(({ id }, n) => [id, n === 2 ? 1 : 0])),
  );
  const below = await world.call(getDeviceConfigTree, mch01, store());
  expect(below.items.every(({ leaf, item_type, merchant_name }) => leaf && item_type === 0 && merchant_name === "蜀味川菜")).toBe(true);
  const { sn } = world.tree.merchants.mch01.stores[0]!.devices[0]!;
  expect((await world.call(getDeviceConfigTree, sp01, { keyword: sn })).items.map(({ item_number }) => item_number)).toEqual([sn]);
  expect((await world.call(getDeviceConfigTree, sp02, { keyword: sn })).items).toEqual([]);
  expect((await world.refused(getDeviceConfigTree, sp01, device())).fields).toEqual({ item_type: "设备之下没有节点" });
});

test("the catalogue names every key with its range, and each default fits it", async () => {
  const keys = await world.call(getDeviceConfigKey, mch01, {});
  expect(new Set(keys.map(({ ckey }) => ckey)).size).toBe(keys.length);
  for (const key of keys) expect(wrongValue(key as never, key.defaultValue), key.ckey).toBeUndefined();
});
