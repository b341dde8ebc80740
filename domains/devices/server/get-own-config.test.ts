import { afterAll, beforeAll, expect, test } from "vitest";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { endWaiting } from "@zhangfang/server/database/waiting.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { getOwnConfig, updateDeviceConfig, updateDeviceInfo } from "../contract/index.ts";
import { textToSign } from "./index.ts";

let world: World;
let mch01: string;
beforeAll(async () => {
  world = await openWorld();
  mch01 = await world.signIn("mch01");
});
afterAll(() => world.close());

let count = 0;
/** Asks as a device does, with the tag that it knows. */
function ask({ sn, key }: { sn: string; key: string }, wait = 0, tag?: string) {
  const input = { wait };
  const timestamp = String(world.services.clock.now_ms());
  const nonce = `nonce-${count++}-abcdef`;
  const signature = hmacHex(
    key,
    textToSign({ verb: "GET", url: getOwnConfig.path, timestamp, nonce, body: Buffer.from(JSON.stringify(input)) }),
  );
  const headers = {
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    ...(tag && { "if-none-match": `"${tag}"` }),
  };
  return world.call(getOwnConfig, undefined, input, { headers });
}
const stores = () => world.tree.merchants.mch01.stores;
const set = (value: number, store = 0) =>
  world.call(updateDeviceConfig, mch01, { item_type: 1, item_id: stores()[store]!.id, configs: [{ ckey: "volume", value }] });

test("a device gets what holds for it, and the same values have the same tag", async () => {
  const [device, beside] = stores()[0]!.devices;
  const first = await ask(device!);
  expect(first.values).toMatchObject({ volume: 60, announce: true, screen_theme: "light" });
  expect(first.device).toMatchObject({ storeName: "春熙路店", merchantName: "蜀味川菜" });
  expect((await ask(device!)).tag).toBe(first.tag);
  await set(20);
  const second = await ask(device!);
  expect([second.values["volume"], second.tag === first.tag]).toEqual([20, false]);
  expect((await ask(beside!)).values["volume"]).toBe(20);
  expect((await ask(stores()[1]!.devices[0]!)).values["volume"]).toBe(60);
});

test("one that waits is answered when its configuration changes, not when another store's does", async () => {
  const device = stores()[0]!.devices[0]!;
  const { tag } = await ask(device);
  let answered = false;
  const waiting = ask(device, 30, tag).finally(() => (answered = true));
  await set(77, 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(answered).toBe(false);
  await set(33);
  expect((await waiting).values["volume"]).toBe(33);
});

test("a device that is renamed hears of it at once, and one that begins to wait anew ends what it waited for before", async () => {
  const device = stores()[2]!.devices[0]!;
  const { tag } = await ask(device);
  const first = ask(device, 30, tag);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const second = ask(device, 30, tag);
  expect((await first).tag).toBe(tag);
  await world.call(updateDeviceInfo, mch01, { device_id: device.id, name: "三号机" });
  expect((await second).device.name).toBe("三号机");
});

test("the end of the service ends the waiting", async () => {
  const device = stores()[0]!.devices[0]!;
  const { tag } = await ask(device);
  const waiting = ask(device, 30, tag);
  await new Promise((resolve) => setTimeout(resolve, 200));
  endWaiting(world.services);
  expect((await waiting).tag).toBe(tag);
});
