import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "@zhangfang/domains/accounts/server/world-for-tests.ts";
import { heartbeat } from "@zhangfang/domains/devices/contract/index.ts";
import { devices, textToSign } from "@zhangfang/domains/devices/server/index.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { doors } from "./domains.ts";
import { openHttp } from "./http.ts";

let world: World;
let app: FastifyInstance;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => void (app = await openHttp(world.services, doors, devices.routes)));
afterEach(() => app.close());

/** Heartbeats a minute. */
const MOST = 240;
let count = 0;
/** A device says that it is there. @returns the status of the answer */
async function beat(remoteAddress: string, { signs }: { readonly signs: boolean }): Promise<number> {
  const { sn, key } = world.tree.merchants.mch01.stores[0]!.devices[0]!;
  const body = Buffer.from("{}");
  world.services.clock.advance(1);
  const [timestamp, nonce] = [String(world.services.clock.now_ms()), `nonce-${count++}-abc`];
  const signature = hmacHex(signs ? key : "not the key", textToSign({ verb: "POST", url: heartbeat.path, timestamp, nonce, body }));
  const headers = { "x-device-sn": sn, "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature };
  const sent = { ...headers, "content-type": "application/json" };
  return (await app.inject({ method: "POST", url: heartbeat.path, remoteAddress, headers: sent, payload: body })).statusCode;
}
const statuses = async (times: number, one: (at: number) => Promise<number>) => {
  const found: Record<number, number> = {};
  for (let at = 0; at < times; at++) {
    const status = await one(at);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
};

test("whoever floods with a device's number uses up what is theirs, and the device goes on", async () => {
  expect(await statuses(MOST + 5, () => beat("203.0.113.7", { signs: false }))).toEqual({ 401: MOST, 429: 5 });
  expect(await beat("198.51.100.1", { signs: true })).toBe(200);
});

test("a device that has signed is one caller, wherever it calls from", async () => {
  expect(await statuses(MOST + 5, (at) => beat(`198.51.100.${at}`, { signs: true }))).toEqual({ 200: MOST, 429: 5 });
});
