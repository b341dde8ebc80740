import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { slotsOf } from "../../contract/schedule.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { type AdDevice, adsForDevice, REGION_CODES, STORE_DIVISIONS } from "./ads-for-device.ts";

let world: World;
const provider = () => world.tree.providers.sp01;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

/** What the device itself sees: its own scope, no more. */
async function seen(merchant: "mch01" | "mch04" | "mch02") {
  const { id: merchant_id, stores } = world.tree.merchants[merchant];
  const [store] = stores;
  const service_provider_id = merchant === "mch02" ? world.tree.providers.sp02 : provider();
  const place = { id: store!.devices[0]!.id, store_id: store!.id, merchant_id, service_provider_id };
  const today = shanghaiDay(world.services.clock.now_ms());
  return withScope(world.services.pool, storeScope(service_provider_id, merchant_id, store!.id), async (tx) => {
    const { rows } = await sql<Pick<AdDevice, "model" | "regions">>`
      select d.model, ${REGION_CODES} as regions from devices d join stores s on s.id = d.store_id ${STORE_DIVISIONS} where d.id = ${place.id}`.execute(
      tx,
    );
    const found = await adsForDevice(tx, { ...place, ...rows[0]! }, today);
    const noon = slotsOf(found.ads, found.place, found.settings, { from: today, count: 1 }).find(({ from, to }) => from <= 720 && 720 < to);
    return {
      ...found,
      playing: noon?.playing.map(({ id }) => id),
      not: Object.fromEntries(noon?.not.map(({ id, why }) => [id, why]) ?? []),
    };
  });
}

test("a device is served its own chain's ads, the platform's among them, and hears why one of them does not play", async () => {
  const own = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01", 0)], pictures: 2, seconds: 8 });
  const everywhere = await plantAd(world, { targets: [nodeOf(world)], regions: ["51"] });
  const elsewhere = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01", 1), nodeOf(world, "mch04")] });
  const narrowed = await plantAd(world, { owner: provider(), targets: [nodeOf(world, "mch01")], regions: ["5001"] });
  const shown = await seen("mch01");
  expect(shown.playing).toEqual([own.id, everywhere.id].toSorted());
  expect(shown.not).toEqual({ [narrowed.id]: "region" });
  expect(shown.ads.find(({ id }) => id === own.id)?.items).toMatchObject(
    own.materials.map((materialId) => ({ materialId, audit: 1, kind: 1, seconds: 8, size_bytes: 1_000 })),
  );
  expect((await seen("mch04")).playing).toEqual([elsewhere.id]);
  expect((await seen("mch02")).ads.map(({ id }) => id)).toEqual([everywhere.id]);
});

test("an ad that was removed is gone, one that ended last month is history, and a material that was removed no longer plays", async () => {
  const target = [nodeOf(world, "mch02")];
  const owner = world.tree.providers.sp02;
  const removed = await plantAd(world, { owner, targets: target });
  await world.truth("update ads set removed_at = now() where id = $1", [removed.id]);
  await plantAd(world, { owner, targets: target, endsOn: shanghaiDay(world.services.clock.now_ms() - 35 * 86_400_000) });
  const bare = await plantAd(world, { owner, targets: target });
  await world.truth("update ad_materials set removed_at = now() where id = $1", [bare.materials[0]]);
  const { ads, not } = await seen("mch02");
  expect(ads).toHaveLength(2);
  expect(not[bare.id]).toBe("unapproved");
});
