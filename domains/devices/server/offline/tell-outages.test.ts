import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { getDevice, getDevices, summariseDevices, updateDeviceConfig } from "../../contract/index.ts";
import { tellOutages } from "./tell-outages.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  world.services.clock.set("2026-11-20T04:00:00Z");
});
afterAll(() => world.close());

const stores = () => world.tree.merchants.mch01.stores;
/** Says when a device was last seen, in minutes ago. */
const seen = (id: string, ago: number | null) =>
  world.truth("update devices set last_seen_at = $2 where id = $1", [
    id,
    ago === null ? null : new Date(world.services.clock.now_ms() - ago * 60_000).toISOString(),
  ]);
const told = (login: string) =>
  world.truth<{ title: string; body: string }>(
    "select m.title, m.body from messages m join users u on u.id = m.owner_user_id where u.login = $1 and m.kind = 'deviceOffline' order by m.created_at, m.title",
    [login],
  );
const look = () => tellOutages.run(world.services, {});

test("store and merchant are told once for each silence, by what holds at the store, and it ends when the device is back", async () => {
  const [quick, slow] = [stores()[0]!.devices[0]!, stores()[1]!.devices[0]!];
  const mch01 = await world.signIn("mch01");
  const minutes = (item_type: 1 | 2, item_id: string, value: number) =>
    world.call(updateDeviceConfig, mch01, { item_type, item_id, configs: [{ ckey: "offline_alert_minutes", value }] });
  await minutes(2, world.tree.merchants.mch01.id, 90);
  await minutes(1, stores()[0]!.id, 30);
  await seen(quick.id, 31);
  await seen(slow.id, 31);
  for (let n = 0; n < 3; n++) await look();
  expect(await told("mch01")).toEqual([{ title: "春熙路店 收银机离线", body: expect.stringContaining("超过 30 分钟") }]);
  expect(await told("emp01")).toHaveLength(1);
  for (const login of ["mch02", "mch03", "sp01"]) expect(await told(login)).toEqual([]);
  const open = (await world.call(getDevice, mch01, { id: quick.id })).outages;
  expect(open).toEqual([{ since: expect.any(String), endedAt: null }]);
  // Longer: the other store's own limit is reached too.
  world.services.clock.advance(60 * 60_000);
  await look();
  expect((await told("mch01")).map(({ title }) => title)).toEqual(["春熙路店 收银机离线", "建设路店 收银机离线"]);
  expect(await told("emp01")).toHaveLength(1);
  await seen(quick.id, 0);
  await look();
  const again = await world.signIn("mch01");
  expect((await world.call(getDevice, again, { id: quick.id })).outages[0]!.endedAt).not.toBeNull();
  // Another silence is another message.
  world.services.clock.advance(31 * 60_000);
  await look();
  expect(await told("emp01")).toHaveLength(2);
});

test("nobody is told of a device that was never seen, is out of use, or whose store is closed now", async () => {
  const [never, off, night] = stores()[2]!.devices;
  await seen(never!.id, null);
  await seen(off!.id, 500);
  await seen(night!.id, 500);
  await world.truth("update devices set state = 'disabled' where id = $1", [off!.id]);
  await world.truth("update stores set opening = $2 where id = $1", [
    stores()[2]!.id,
    JSON.stringify(Array.from({ length: 7 }, () => ({ from: "03:00", to: "04:00" }))),
  ]);
  const before = await told("mch01");
  await look();
  expect(await told("mch01")).toEqual(before);
});

test("of the home page's count and the list the one is the other, and a device that was never seen is apart", async () => {
  await seen(stores()[3]!.devices[0]!.id, 4);
  const token = await world.signIn("mch01");
  const sums = await world.call(summariseDevices, token, {});
  expect(sums.count).toBe(sums.online + sums.offline + sums.never);
  for (const [online, count] of [
    [1, sums.online],
    [2, sums.offline],
    [3, sums.never],
  ] as const) {
    const { items } = await world.call(getDevices, token, { online, pageSize: 100 });
    expect([items.length, items.every((row) => row.online === online)]).toEqual([count, true]);
  }
  expect([sums.offline > 0, sums.never > 0]).toEqual([true, true]);
});
