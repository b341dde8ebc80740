import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { getOwnAds, updateAdConfig } from "../../contract/index.ts";
import { nodeOf, plantAd } from "../ads-for-tests.ts";
import { ads } from "../index.ts";
import { callAsDevice } from "../plays/device-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld(ads.routes)));
afterAll(() => world.close());

const device = (at = 0) => world.tree.merchants.mch01.stores[0]!.devices[at]!;
const ask = (wait = 0, tag?: string, at = 0) => callAsDevice(world, getOwnAds, device(at), { wait }, tag);
const sp01 = () => world.tree.providers.sp01;
const store = () => nodeOf(world, "mch01", 0);
async function setConfig(ckey: string, value: unknown): Promise<void> {
  const token = await world.signIn("sp01");
  await world.call(updateAdConfig, token, { ...store(), configs: [{ ckey, value: value as never }] });
}

test("a device gets a week of rounds, each item once, and the highest priority alone where it plays", async () => {
  expect(await ask()).toMatchObject({ items: [], slots: [], settings: { picture_seconds: 10 } });
  const often = await plantAd(world, { owner: sp01(), targets: [store()], weight: 2, pictures: 2, seconds: 6 });
  const seldom = await plantAd(world, { targets: [nodeOf(world)], weight: 1 });
  const noon = await plantAd(world, { owner: sp01(), targets: [store()], priority: 5, periods: [[660, 780]] });
  const { items, slots, tag } = await ask();
  const at = (ad: { id: string }) => [...items.keys()].filter((place) => items[place]!.ad_id === ad.id);
  expect(at(often).map((place) => items[place]!.material_id)).toEqual(often.materials);
  expect(items[at(often)[0]!]).toMatchObject({
    kind: "picture",
    seconds: 6,
    size: 1_000,
    url: expect.stringMatching(/^\/api\/ad-files\/file\//),
  });
  expect(items[at(seldom)[0]!]?.seconds).toBe(10);
  const today = shanghaiDay(world.services.clock.now_ms());
  const usual = [...at(often), ...at(seldom), ...at(often)];
  expect(slots.slice(0, 3)).toEqual([
    { day: today, from: 0, to: 660, round: usual },
    { day: today, from: 660, to: 780, round: at(noon) },
    { day: today, from: 780, to: 1_440, round: usual },
  ]);
  expect(new Set(slots.map(({ day }) => day)).size).toBe(7);
  expect(slots.at(-1)?.day).toBe(addDays(today, 6));
  expect((await ask()).tag).toBe(tag);
});

test("the tag stays where nothing changes what is shown here, and a change wakes the device that waits", async () => {
  const { tag } = await ask();
  await plantAd(world, { owner: sp01(), targets: [nodeOf(world, "mch01", 1)] });
  await plantAd(world, { owner: sp01(), targets: [store()], status: 0 });
  expect((await ask()).tag).toBe(tag);
  const waiting = ask(30, tag);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await setConfig("picture_seconds", 25);
  const woken = await waiting;
  expect([woken.tag === tag, woken.settings["picture_seconds"]]).toEqual([false, 25]);
});

test("outside the hours of its store, and where ads are off, nothing plays; another day has another tag", async () => {
  await setConfig("from_hour", 9);
  await setConfig("to_hour", 21);
  const { slots, tag } = await ask();
  expect([Math.min(...slots.map(({ from }) => from)), Math.max(...slots.map(({ to }) => to))]).toEqual([540, 1_260]);
  world.services.clock.advance(86_400_000);
  expect((await ask()).tag).not.toBe(tag);
  await setConfig("play", false);
  expect(await ask()).toMatchObject({ items: [], slots: [] });
});
