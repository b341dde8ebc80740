import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { addEquipment, bindDevice, moveEquipment, unbindDevice, updateDeviceInfo } from "../../../devices/contract/index.ts";
import { reportPlays } from "../../contract/device-side.ts";
import { nodeOf, plantAd, type PlantedAd } from "../ads-for-tests.ts";
import { ads as adsDoor } from "../index.ts";
import { callAsDevice } from "./device-for-tests.ts";

const HOUR_MS = 3_600_000;
const START = "2026-11-18T02:00:00.000Z";
let world: World;
/** One ad of the provider for each of three stores, and one of the platform for everywhere. */
const ads: Record<"first" | "second" | "other" | "platform", PlantedAd> = {} as never;
beforeAll(async () => {
  world = await openWorld(adsDoor.routes);
  world.services.clock.set(START);
  const owner = world.tree.providers.sp01;
  ads.first = await plantAd(world, { owner, targets: [nodeOf(world, "mch01", 0)] });
  ads.second = await plantAd(world, { owner, targets: [nodeOf(world, "mch01", 1)] });
  ads.other = await plantAd(world, { owner, targets: [nodeOf(world, "mch03", 0)] });
  ads.platform = await plantAd(world, { targets: [nodeOf(world)] });
  await world.truth("update ads set starts_on = '2026-11-01', ends_on = '2026-12-31', enabled_at = '2026-11-01'");
});
afterAll(() => world.close());
beforeEach(() => emptyTables(world.truth, "ad_plays, ad_plays_daily"));

const stores = () => world.tree.merchants.mch01.stores;
const otherStore = () => world.tree.merchants.mch03.stores[0]!;
const now_ms = () => world.services.clock.now_ms();
const later = (hours: number) => world.services.clock.set(new Date(now_ms() + hours * HOUR_MS).toISOString());
type Told = { readonly sn: string; readonly key: string };
/** A device of its own for each test, at the first store. */
async function place(sn = `MOVED-${randomUUID().slice(0, 8)}`): Promise<Told & { id: string }> {
  const admin = await world.signIn("admin");
  await world.call(addEquipment, admin, { requestId: randomUUID(), model: "XY-L1", sns: [sn] });
  await hand("admin", "issue", sn, { serviceProviderId: world.tree.providers.sp01 });
  return { sn, ...(await bind(sn, stores()[0]!.id)) };
}
const bind = async (sn: string, storeId: string, login = "sp01") =>
  world.call(bindDevice, await world.signIn(login), { sn, storeId, name: "屏" });
async function hand(login: string, kind: "issue" | "return", sn: string, to = {}): Promise<void> {
  const [piece] = await world.truth<{ id: string }>("select id from equipment where sn = $1", [sn]);
  await world.call(moveEquipment, await world.signIn(login), { requestId: randomUUID(), kind, ids: [piece!.id], ...to });
}
const unbind = async (id: string) => world.call(unbindDevice, await world.signIn("sp01"), { id });
const move = async (device_id: string, store: number) =>
  world.call(updateDeviceInfo, await world.signIn("sp01"), { device_id, store_id: stores()[store]!.id });
const shown = (of: PlantedAd, hoursAgo: number, more: object = {}) => ({
  play_id: randomUUID(),
  ad_id: of.id,
  material_id: of.materials[0]!,
  started_at: new Date(now_ms() - hoursAgo * HOUR_MS).toISOString(),
  ms: 8_000,
  finished: true,
  ...more,
});
const tell = (device: Told, plays: unknown[]) => callAsDevice(world, reportPlays, device, { plays });
type Count = { readonly ad_id: string; readonly store_id: string; readonly plays: number; readonly unverified: number };
/** Where which ad was counted, and what was kept apart; the sums are those of the rows. */
async function counted() {
  const text = (from: string) => `select store_id, device_id, ad_id, ${from} order by 1, 2, 3`;
  const kept = await world.truth<Count>(
    text("sum(plays)::int as plays, sum(unverified)::int as unverified from ad_plays_daily group by 1, 2, 3"),
  );
  const rows = await world.truth(
    text(
      "count(*) filter (where verified)::int as plays, count(*) filter (where not verified)::int as unverified from ad_plays group by 1, 2, 3",
    ),
  );
  expect(kept).toEqual(rows);
  const ad = new Map(Object.entries(ads).map(([name, { id }]) => [id, name]));
  const store = new Map([...stores().entries()].map(([at, { id }]) => [id, String(at)]));
  return kept.map((row) => `${ad.get(row.ad_id)} at ${store.get(row.store_id) ?? "other"}: ${row.plays}+${row.unverified}`).toSorted();
}

test("within a merchant: what it showed before it moved counts there, what it shows since counts here, in whatever order it tells", async () => {
  const device = await place();
  later(5);
  await move(device.id, 1);
  later(5);
  const plays = [
    shown(ads.first, 7),
    shown(ads.second, 7),
    shown(ads.first, 2),
    shown(ads.second, 2),
    shown(ads.platform, 7),
    shown(ads.platform, 2),
  ];
  const right = ["first at 0: 1+0", "first at 1: 0+1", "platform at 0: 1+0", "platform at 1: 1+0", "second at 0: 0+1", "second at 1: 1+0"];
  expect(await tell(device, plays)).toMatchObject({ accepted: 6, known: 0, refused: [] });
  expect(await counted()).toEqual(right);
  expect(await tell(device, plays.toReversed())).toMatchObject({ accepted: 0, known: 6 });
  await emptyTables(world.truth, "ad_plays, ad_plays_daily");
  const told = await Promise.all([plays.toReversed(), plays.slice(2), plays.slice(0, 3)].map((some) => tell(device, some)));
  expect(told.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(6);
  expect(await counted()).toEqual(right);
});

test("a play lies where the device stood when it began, to the moment; one that it says it showed there later counts nowhere else", async () => {
  const device = await place();
  later(5);
  const moved_ms = now_ms();
  await move(device.id, 1);
  later(1);
  const at = (ms: number, of = ads.platform) => shown(of, 0, { started_at: new Date(moved_ms + ms).toISOString() });
  await tell(device, [at(-1), at(0)]);
  expect(await counted()).toEqual(["platform at 0: 1+0", "platform at 1: 1+0"]);
  await move(device.id, 0);
  later(1);
  await tell(device, [at(30 * 60_000, ads.first), at(90 * 60_000, ads.first), at(30 * 60_000, ads.second), at(90 * 60_000, ads.second)]);
  expect((await counted()).filter((line) => !line.startsWith("platform"))).toEqual([
    "first at 0: 1+0",
    "first at 1: 0+1",
    "second at 0: 0+1",
    "second at 1: 1+0",
  ]);
});

test("to another merchant: it is another device there, and its time before counts for the one that it was", async () => {
  const device = await place();
  later(5);
  // Told once before it goes: told again from there it is known.
  const [before, lost] = [shown(ads.first, 3), shown(ads.first, 2)];
  await tell(device, [before]);
  await unbind(device.id);
  await hand("sp01", "return", device.sn);
  await hand("sp01", "issue", device.sn, { merchantId: world.tree.merchants.mch03.id });
  later(5);
  const there = { sn: device.sn, ...(await bind(device.sn, otherStore().id)) };
  expect(there.id).not.toBe(device.id);
  later(5);
  // In stock it stood nowhere, whatever it says.
  const plays = [before, lost, shown(ads.other, 2), shown(ads.first, 1), shown(ads.platform, 7), shown(ads.other, 12)];
  expect(await tell(there, plays)).toMatchObject({ accepted: 5, known: 1, refused: [] });
  expect(await counted()).toEqual([
    "first at 0: 2+0",
    "first at other: 0+1",
    "other at 0: 0+1",
    "other at other: 1+0",
    "platform at other: 0+1",
  ]);
  const owners = await world.truth("select distinct device_id, merchant_id from ad_plays_daily where plays > 0 order by 2");
  expect(owners).toEqual(
    [
      { device_id: device.id, merchant_id: world.tree.merchants.mch01.id },
      { device_id: there.id, merchant_id: world.tree.merchants.mch03.id },
    ].toSorted((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1)),
  );
  expect(await tell(there, plays)).toMatchObject({ accepted: 0, known: 6 });
});

test("to another provider: nobody there writes into the sums of the one before", async () => {
  const device = await place();
  later(5);
  await unbind(device.id);
  await hand("sp01", "return", device.sn);
  await hand("admin", "return", device.sn);
  await hand("admin", "issue", device.sn, { serviceProviderId: world.tree.providers.sp02 });
  const there = { sn: device.sn, ...(await bind(device.sn, world.tree.merchants.mch02.stores[0]!.id, "sp02")) };
  later(1);
  const told = await tell(there, [shown(ads.first, 3), shown(ads.platform, 3), shown(ads.platform, 0.5)]);
  expect(told).toMatchObject({ accepted: 2, refused: [{ at: 0, reason: "unknown" }] });
  expect(await counted()).toEqual(["platform at other: 1+1"]);
});

test("a day has its twenty-four hours at all stores together", async () => {
  const device = await place();
  const midnight_ms = Date.parse(dayStart(addDays(shanghaiDay(now_ms()), 1)));
  later((midnight_ms - now_ms()) / HOUR_MS + 12);
  await move(device.id, 1);
  later(24);
  const hours = Array.from({ length: 60 }, (_none, at) =>
    shown(ads.platform, 0, { started_at: new Date(midnight_ms + at * 24 * 60_000).toISOString(), ms: HOUR_MS / 2 }),
  );
  await tell(device, hours);
  const [day] = await world.truth<{ ms: number; plays: number; stores: number }>(
    "select sum(ms)::bigint as ms, sum(plays)::int as plays, count(*) filter (where plays > 0)::int as stores from ad_plays_daily where day = $1",
    [shanghaiDay(midnight_ms)],
  );
  expect(day).toEqual({ ms: 24 * HOUR_MS, plays: 48, stores: 2 });
});
