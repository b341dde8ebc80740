import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { getDeviceAds, updateAdConfig } from "../../contract/index.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { ads } from "../index.ts";

let world: World;
let admin: string, sp01: string, sp02: string, mch01: string, mch02: string;
beforeAll(async () => {
  world = await openWorld(ads.routes);
  [admin, sp01, sp02, mch01, mch02] = (await Promise.all(
    ["admin", "sp01", "sp02", "mch01", "mch02"].map((login) => world.signIn(login)),
  )) as [string, string, string, string, string];
});
afterAll(() => world.close());

test("for a device: what plays, by which level, and why the others don't; a merchant sees what plays as its provider and the platform do", async () => {
  const owner = world.tree.providers.sp01;
  const store = await plantAd(world, { owner, name: "门店广告", targets: [nodeOf(world, "mch01", 0)], weight: 3 });
  const everywhere = await plantAd(world, { name: "平台广告", targets: [nodeOf(world)] });
  const lower = await plantAd(world, { owner, name: "低优先级", targets: [nodeOf(world, "mch01")], priority: 1 });
  const paused = await plantAd(world, { owner, name: "暂停的", targets: [nodeOf(world, "mch01", 0, 0)], status: 0 });
  await plantAd(world, { owner, name: "别的门店", targets: [nodeOf(world, "mch01", 1)] });
  const device_id = nodeOf(world, "mch01", 0, 0).item_id;
  const seen = await world.call(getDeviceAds, sp01, { device_id });
  const below = await world.call(getDeviceAds, mch01, { device_id });
  const reasons = ({ ads }: typeof seen) => Object.fromEntries(ads.map((ad) => [ad.name, [ad.by?.item_type, ad.why_not]]));
  const shown = { 门店广告: [1, null], 平台广告: [4, null], 低优先级: [2, "priority"] };
  expect(reasons(seen)).toEqual({ ...shown, 暂停的: [0, "paused"] });
  expect(reasons(below)).toEqual(shown);
  expect([below.slots, below.device]).toEqual([seen.slots, seen.device]);
  expect(seen.ads.find(({ id }) => id === store.id)).toMatchObject({ week_minutes: 7 * 1_440, by: { item_name: "春熙路店" } });
  expect(seen.slots).toHaveLength(7);
  expect(seen.slots[0]?.playing).toEqual([store.id, everywhere.id].toSorted());
  for (const token of [mch01, admin]) expect((await world.call(getDeviceAds, token, { device_id })).slots).toEqual(seen.slots);
  for (const token of [sp02, mch02]) expect((await world.refused(getDeviceAds, token, { device_id })).status).toBe(404);
  await world.call(updateAdConfig, sp01, { ...nodeOf(world, "mch01", 0, 0), configs: [{ ckey: "play", value: false }] });
  const off = await world.call(getDeviceAds, sp01, { device_id });
  expect([off.settings.on, off.ads.find(({ id }) => id === store.id)?.why_not, off.ads.find(({ id }) => id === lower.id)?.why_not]).toEqual(
    [false, "off", "off"],
  );
  expect(off.ads.find(({ id }) => id === paused.id)?.why_not).toBe("paused");
});

test("what its owner still prepares or has paused is shown to nobody else: no name, no picture that nobody looked at", async () => {
  const owner = world.tree.providers.sp01;
  const targets = [nodeOf(world, "mch01", 2)];
  const device_id = nodeOf(world, "mch01", 2, 0).item_id;
  const half = await plantAd(world, { owner, name: "半审", targets, pictures: 2 });
  const raw = await plantAd(world, { owner, name: "未审", targets });
  const quiet = await plantAd(world, { name: "平台暂停", targets: [nodeOf(world)], status: 0 });
  await world.truth("update ad_materials set status = 0, approved_sha256 = null where id = any($1)", [
    [half.materials[1], raw.materials[0]],
  ]);
  const seen = async (token: string) =>
    new Map((await world.call(getDeviceAds, token, { device_id })).ads.map((ad) => [ad.id, ad.materials.map((one) => one.material_id)]));
  const [platform, provider, merchant] = [await seen(admin), await seen(sp01), await seen(mch01)];
  for (const [own, ads] of [
    [platform, [half, raw, quiet]],
    [provider, [half, raw]],
  ] as const)
    for (const { id, materials } of ads) expect(own.get(id)).toEqual(materials);
  expect(provider.has(quiet.id)).toBe(false);
  expect([merchant.get(half.id), merchant.has(raw.id), merchant.has(quiet.id)]).toEqual([[half.materials[0]], false, false]);
});
