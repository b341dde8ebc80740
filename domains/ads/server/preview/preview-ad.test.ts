import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { previewAd, updateAdConfig } from "../../contract/index.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { ads } from "../index.ts";

let world: World;
let admin: string, sp01: string, sp02: string;
beforeAll(async () => {
  world = await openWorld(ads.routes);
  [admin, sp01, sp02] = (await Promise.all(["admin", "sp01", "sp02"].map((login) => world.signIn(login)))) as [string, string, string];
});
afterAll(() => world.close());

const today = () => shanghaiDay(world.services.clock.now_ms());
const draft = (more: object = {}) => ({
  starts_on: today(),
  ends_on: addDays(today(), 30),
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  periods: [[540, 720]] as [number, number][],
  targets: [nodeOf(world, "mch01")],
  priority: 3 as const,
  weight: 1,
  ...more,
});
const count = async (where: string, values: unknown[] = []): Promise<number> => {
  const [row] = await world.truth<{ n: number }>(
    `select count(*)::int as n from devices d join stores s on s.id = d.store_id where d.state = 'active' and ${where}`,
    values,
  );
  return row!.n;
};

test("it is said how many devices it reaches, by level and by model, as counting them says", async () => {
  const store = nodeOf(world, "mch01", 0);
  const device = nodeOf(world, "mch04", 0, 0);
  const seen = await world.call(previewAd, sp01, draft({ targets: [store, nodeOf(world, "mch01"), device] }));
  const [merchant, own] = [nodeOf(world, "mch01").item_id, await count("d.store_id = $1", [store.item_id])];
  const all = await count("d.merchant_id = $1", [merchant]);
  expect([seen.devices, seen.by_level]).toEqual([
    all + 1,
    [
      { item_type: 0, devices: 1 },
      { item_type: 1, devices: own },
      { item_type: 2, devices: all - own },
    ],
  ]);
  for (const { model, devices } of seen.by_model)
    expect(devices, model).toBe(await count("d.model = $1 and (d.merchant_id = $2 or d.id = $3)", [model, merchant, device.item_id]));
  const [one] = seen.by_model;
  expect(
    (await world.call(previewAd, sp01, draft({ targets: [store, nodeOf(world, "mch01"), device], models: [one!.model] }))).devices,
  ).toBe(one!.devices);
  const everywhere = await world.call(previewAd, admin, draft({ targets: [nodeOf(world)], regions: ["51"] }));
  expect(everywhere.devices).toBe(await count("s.province = '四川省'"));
  expect(everywhere.devices).toBeGreaterThan(0);
});

test("a week shows when it plays, with what share, and whom it meets; an ad that is there does not meet itself", async () => {
  const own = { owner: world.tree.providers.sp01, targets: [nodeOf(world, "mch01")] };
  const lower = await plantAd(world, { ...own, name: "低优先级", priority: 2 });
  const same = await plantAd(world, { ...own, name: "同优先级", targets: [nodeOf(world, "mch01", 0)], weight: 3, periods: [[600, 660]] });
  await plantAd(world, { ...own, name: "暂停的", status: 0, priority: 8 });
  await plantAd(world, { owner: world.tree.providers.sp02, name: "别家的", targets: [nodeOf(world, "mch02")], priority: 8 });
  const above = await plantAd(world, { name: "平台公告", targets: [nodeOf(world)], priority: 9, periods: [[690, 720]] });
  const seen = await world.call(previewAd, sp01, draft());
  expect(seen.cells).toHaveLength(21);
  const [nine, ten, eleven] = seen.cells;
  const part = Math.round(((await count("d.store_id = $1", [nodeOf(world, "mch01", 0).item_id])) / seen.devices) * 1_000) / 1_000;
  expect(nine).toMatchObject({ day: today(), hour: 9, minutes: 60, plays: 1, share: 1, displaced: 0, displaces: 1 });
  // Where it shares, nobody is displaced by it alone.
  expect(ten).toMatchObject({ plays: 1, displaces: Math.round((1 - part) * 1_000) / 1_000 });
  expect(ten!.share).toBeCloseTo(1 - part * 0.75, 2);
  expect(eleven).toMatchObject({ plays: 0.5, displaced: 0.5 });
  expect(new Set(seen.conflicts.map(({ name, owner_name, kind }) => `${name} ${owner_name} ${kind}`))).toEqual(
    new Set(["低优先级 禾木智慧商业 displaces", "同优先级 禾木智慧商业 shares", "平台公告 平台 displaced_by"]),
  );
  expect(seen.conflicts.find(({ ad_id }) => ad_id === above.id)).toMatchObject({ devices: seen.devices, minutes: 210 });
  const there = await world.call(previewAd, sp01, { ad_id: lower.id });
  expect(there.conflicts.some(({ ad_id }) => ad_id === lower.id)).toBe(false);
  expect(there.conflicts.find(({ ad_id }) => ad_id === same.id)?.kind).toBe("displaced_by");
  // Ads off and hours of the ad configuration count.
  await world.call(updateAdConfig, sp01, { ...nodeOf(world, "mch01", 0), configs: [{ ckey: "to_hour", value: 10 }] });
  const shorter = await world.call(previewAd, sp01, draft());
  expect(shorter.cells[1]).toMatchObject({ closed: part });
  const device = nodeOf(world, "mch01", 1, 0);
  await world.call(updateAdConfig, sp01, { ...device, configs: [{ ckey: "play", value: false }] });
  expect((await world.call(previewAd, sp01, draft())).off).toBe(1);
});

test("a draft that names no days, or another's node, is refused", async () => {
  expect((await world.refused(previewAd, sp01, { targets: [nodeOf(world, "mch01")] })).status).toBe(400);
  expect((await world.refused(previewAd, sp02, draft())).status).toBe(404);
  expect((await world.refused(previewAd, sp01, draft({ targets: [nodeOf(world)] }))).status).toBe(403);
});
