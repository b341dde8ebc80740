import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import type { ExportRow } from "@zhangfang/server/lists/export-source.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  getAdStatistics,
  getOwnAds,
  listAdDevices,
  reportPlays,
  seekAds,
  summariseAdDevices,
  updateAdConfig,
} from "../../contract/index.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { ads } from "../index.ts";
import { callAsDevice } from "./device-for-tests.ts";
import { adDeviceExport, adPlaysExport } from "./export-plays.ts";

let world: World;
let sp01: string;
beforeAll(async () => {
  world = await openWorld(ads.routes);
  sp01 = await world.signIn("sp01");
});
afterAll(() => world.close());

const provider = () => world.tree.providers.sp01;
const devicesOf = (merchant: "mch01" | "mch03" | "mch04") => world.tree.merchants[merchant].stores.flatMap(({ devices }) => devices);
const list = (ad_id: string, more: Record<string, unknown> = {}, token = sp01) =>
  world.call(listAdDevices, token, { ad_id, pageSize: 100, withTotal: true, ...more });
async function report(
  device: { sn: string; key: string },
  ad: { id: string; materials: readonly string[] },
  ago_ms: readonly number[],
  ms = 10_000,
) {
  const plays = ago_ms.map((ago) => ({
    play_id: randomUUID(),
    ad_id: ad.id,
    material_id: ad.materials[0]!,
    started_at: new Date(world.services.clock.now_ms() - ago).toISOString(),
    ms,
    finished: ms > 5_000,
  }));
  expect(await callAsDevice(world, reportPlays, device, { plays })).toMatchObject({ accepted: plays.length });
}
const DAY_MS = 86_400_000;

test("what the list says of a device is what the device itself is served", async () => {
  const ad = await plantAd(world, {
    owner: provider(),
    targets: [nodeOf(world, "mch01"), nodeOf(world, "mch04", 0), nodeOf(world, "mch03", 0, 0)],
  });
  await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01", 1)], priority: 6 });
  await plantAd(world, { targets: [nodeOf(world)], priority: 6, regions: ["50"] });
  const set = (node: object, ckey: string, value: unknown) =>
    world.call(updateAdConfig, sp01, { ...node, configs: [{ ckey, value: value as never }] });
  await set(nodeOf(world, "mch01", 2), "play", false);
  await set(nodeOf(world, "mch01", 0, 0), "play", false);
  const { items, total } = await list(ad.id);
  const reached = [...devicesOf("mch01"), ...world.tree.merchants.mch04.stores[0]!.devices, devicesOf("mch03")[0]!];
  expect(total?.count).toBe(reached.length);
  expect(new Set(items.map(({ sn }) => sn))).toEqual(new Set(reached.map(({ sn }) => sn)));
  const now = new Date(world.services.clock.now_ms() + 8 * 3_600_000);
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  const today = shanghaiDay(world.services.clock.now_ms());
  for (const device of reached) {
    const { items: own, slots } = await callAsDevice(world, getOwnAds, device, {});
    const slot = slots.find(({ day, from, to }) => day === today && from <= minute && minute < to);
    const plays = slot?.round.some((at) => own[at]?.ad_id === ad.id) ?? false;
    expect([device.sn, items.find(({ sn }) => sn === device.sn)?.playing]).toEqual([device.sn, plays ? 1 : 2]);
  }
  const why = Object.groupBy(items, (row) => row.why ?? "plays");
  expect(Object.keys(why).toSorted()).toEqual(["off", "plays", "priority"]);
  const playing = await list(ad.id, { playing: "1" });
  expect(playing.items.map(({ sn }) => sn)).toEqual(items.filter((row) => row.playing === 1).map(({ sn }) => sn));
  expect(await world.call(summariseAdDevices, sp01, { ad_id: ad.id })).toMatchObject({
    count: reached.length,
    playing: playing.items.length,
  });
  expect((await list(ad.id, { playing: "2", merchantId: world.tree.merchants.mch04.id })).total?.count).toBe(
    world.tree.merchants.mch04.stores[0]!.devices.length,
  );
});

test("pages hold every device once, and figures are those of the days asked for", async () => {
  const ad = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01"), nodeOf(world, "mch03")] });
  const [first, second] = devicesOf("mch01") as unknown as [{ sn: string; key: string }, { sn: string; key: string }];
  await report(first, ad, [60_000, 120_000, 3 * DAY_MS]);
  await report(first, ad, [60_000], 2_000);
  await report(second, ad, [6.5 * DAY_MS]);
  const today = shanghaiDay(world.services.clock.now_ms());
  const all = await list(ad.id, { from: addDays(today, -9), to: today });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await list(ad.id, { pageSize: 10, ...(cursor && { cursor }) });
    seen.push(...items.map(({ sn }) => sn));
    cursor = next ?? undefined;
  } while (cursor);
  expect(seen).toEqual(all.items.map(({ sn }) => sn));
  const of = (rows: typeof all.items, { sn }: { sn: string }) => rows.find((row) => row.sn === sn);
  expect(of(all.items, first)).toMatchObject({ plays: 4, finished: 3, seconds: 32 });
  expect(of(all.items, second)).toMatchObject({ plays: 1 });
  const days = await list(ad.id, { from: today, to: today });
  expect(of(days.items, first)).toMatchObject({ plays: 3, finished: 2, seconds: 22 });
  expect(of(days.items, second)).toMatchObject({
    plays: 0,
    lastPlayAt: new Date(world.services.clock.now_ms() - 6.5 * DAY_MS).toISOString(),
  });
  const asked = { ad_id: ad.id, from: addDays(today, -9), to: today };
  expect(await world.call(summariseAdDevices, sp01, asked)).toMatchObject({ plays: 5, finished: 4, seconds: 42 });
  expect(await world.call(summariseAdDevices, sp01, { ...asked, keyword: second.sn })).toMatchObject({ count: 1, plays: 1 });
  const byDay = await world.call(getAdStatistics, sp01, asked);
  expect([byDay.length, byDay.at(-1)]).toEqual([10, { key: today, name: today, plays: 3, finished: 2, seconds: 22, devices: 1 }]);
  expect(byDay.reduce((sum, { plays }) => sum + plays, 0)).toBe(5);
  const byDevice = await world.call(getAdStatistics, sp01, { ...asked, by: "device" });
  expect(byDevice.map(({ plays }) => plays)).toEqual([4, 1]);
  const byStore = await world.call(getAdStatistics, sp01, { ...asked, by: "store" });
  expect(byStore.reduce((sum, { plays }) => sum + plays, 0)).toBe(5);
});

test("a provider sees of the platform's ad what plays with it, nothing of another's, and nobody asks for days beyond a year", async () => {
  const everywhere = await plantAd(world, { targets: [nodeOf(world)] });
  const others = await plantAd(world, { owner: world.tree.providers.sp02, targets: [nodeOf(world, "mch02")] });
  const [device] = devicesOf("mch01");
  const foreign = world.tree.merchants.mch02.stores[0]!.devices[0]!;
  await report(device!, everywhere, [60_000]);
  await report(foreign, everywhere, [60_000, 61_000]);
  expect(await world.call(summariseAdDevices, sp01, { ad_id: everywhere.id })).toMatchObject({ plays: 1 });
  expect((await list(everywhere.id)).items.every(({ sn }) => sn !== foreign.sn)).toBe(true);
  expect((await world.refused(listAdDevices, sp01, { ad_id: others.id })).status).toBe(404);
  expect(await world.call(seekAds, sp01, { id: others.id })).toEqual([]);
  expect((await world.call(seekAds, sp01, {})).some(({ id }) => id === everywhere.id)).toBe(true);
  const admin = await world.signIn("admin");
  expect(await world.call(summariseAdDevices, admin, { ad_id: everywhere.id })).toMatchObject({ plays: 3 });
  expect((await world.refused(getAdStatistics, sp01, { ad_id: everywhere.id, from: "2020-01-01", to: "2026-01-01" })).status).toBe(400);
  expect((await world.call(listAdDevices, sp01, {})).items).toEqual([]);
});

test("a page of a hundred devices asks the database no more often than one of ten", async () => {
  const ad = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01"), nodeOf(world, "mch03"), nodeOf(world, "mch04")] });
  const asked = vi.spyOn(pg.Client.prototype, "query");
  const queriesOf = async (pageSize: number): Promise<number> => {
    asked.mockClear();
    expect((await list(ad.id, { pageSize })).items.length).toBeGreaterThan(pageSize === 10 ? 9 : 10);
    return asked.mock.calls.length;
  };
  const [ten, hundred] = [await queriesOf(10), await queriesOf(100)];
  asked.mockRestore();
  expect(hundred).toBe(ten);
});

test("the files hold what the screen shows, and the days add up to it", async () => {
  const ad = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01")] });
  const [first, second] = devicesOf("mch01");
  await report(first!, ad, [60_000, 120_000, 2 * DAY_MS]);
  await report(second!, ad, [60_000]);
  const today = shanghaiDay(world.services.clock.now_ms());
  const filter = { ad_id: ad.id, from: addDays(today, -5), to: today };
  const scope = parseScope(`SP|${provider()}|||||||`);
  const read = (source: typeof adDeviceExport) =>
    withScope(world.services.pool, scope, async (tx) => {
      const rows: ExportRow[] = [];
      for await (const batch of source.rows(tx, scope, filter)) rows.push(...batch);
      expect(rows).toHaveLength(await source.count(tx, scope, filter));
      return rows;
    });
  const [devices, days] = [await read(adDeviceExport), await read(adPlaysExport)];
  const { items } = await list(ad.id, filter);
  expect(devices.map(({ sn, plays }) => [sn, plays])).toEqual(items.map(({ sn, plays }) => [sn, plays]));
  expect(days.map(({ day, sn, plays }) => [day, sn, plays]).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(
    [
      [addDays(today, -2), first!.sn, 1],
      [shanghaiDay(world.services.clock.now_ms() - 60_000), first!.sn, 2],
      [shanghaiDay(world.services.clock.now_ms() - 60_000), second!.sn, 1],
    ].toSorted((a, b) => String(a).localeCompare(String(b))),
  );
});

test("more seconds than an int holds are told as they are", async () => {
  const ad = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01")] });
  const { id, stores } = world.tree.merchants.mch01;
  const today = shanghaiDay(world.services.clock.now_ms());
  await world.truth(
    `insert into ad_plays_daily (service_provider_id, day, device_id, ad_id, material_id, merchant_id, store_id, plays, finished, ms, last_at)
     select $1, $2, d.id, $3, $4, $5, $6, 2000000000, 2000000000, 4000000000000, now() from unnest($7::uuid[]) d(id)`,
    [provider(), today, ad.id, ad.materials[0], id, stores[0]!.id, stores[0]!.devices.map((device) => device.id)],
  );
  const count = stores[0]!.devices.length;
  const figures = { plays: 2e9 * count, finished: 2e9 * count, seconds: 4e9 * count };
  expect(await world.call(summariseAdDevices, sp01, { ad_id: ad.id })).toMatchObject(figures);
  expect((await world.call(getAdStatistics, sp01, { ad_id: ad.id, from: today, to: today }))[0]).toMatchObject(figures);
});
