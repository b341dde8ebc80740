import type { Incoming, Principal } from "@zhangfang/server/call.ts";
import { hmacHex, sameText, sha256 } from "@zhangfang/server/crypto.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { Refusal } from "@zhangfang/server/errors.ts";
import { platformScope, storeScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { openDeviceKey } from "./device-key.ts";

/** How far a device's clock may be off. */
export const CLOCK_MS = 5 * 60_000;

/** What a device signs, under its key: HMAC-SHA256, hex. A new line ends every part. */
export const textToSign = (given: { verb: string; url: string; timestamp: string; nonce: string; body: Buffer }): string =>
  [given.verb, given.url, given.timestamp, given.nonce, sha256(given.body).toString("hex"), ""].join("\n");

/**
 * Makes a device known by its signature: an active device of an active store, a clock within five minutes, a nonce that it
 * has not used. It sees what its store sees. Whatever is wrong, the answer is one.
 * @throws 401
 */
export async function checkDevice(services: Services, incoming: Incoming): Promise<Principal> {
  const refused = () => new Refusal(401, "device", "设备签名无效");
  const sn = incoming.headers["x-device-sn"] ?? "";
  const timestamp = incoming.headers["x-timestamp"] ?? "";
  const nonce = incoming.headers["x-nonce"] ?? "";
  const now_ms = services.clock.now_ms();
  if (
    !/^[A-Za-z0-9-]{4,32}$/.test(sn) ||
    !/^\d{13}$/.test(timestamp) ||
    !/^[\w-]{8,64}$/.test(nonce) ||
    Math.abs(now_ms - Number(timestamp)) > CLOCK_MS
  )
    throw refused();
  return withScope(services.pool, platformScope("device signature"), async (tx) => {
    const device = await tx
      .selectFrom("devices as d")
      .innerJoin("stores as s", (join) =>
        join.onRef("s.service_provider_id", "=", "d.service_provider_id").onRef("s.id", "=", "d.store_id").on("s.state", "=", "active"),
      )
      .innerJoin("merchants as m", (join) =>
        join.onRef("m.service_provider_id", "=", "d.service_provider_id").onRef("m.id", "=", "d.merchant_id").on("m.state", "=", "active"),
      )
      .innerJoin("service_providers as p", (join) => join.onRef("p.id", "=", "d.service_provider_id").on("p.state", "=", "active"))
      .select(["d.id", "d.sn", "d.service_provider_id", "d.merchant_id", "d.store_id", "d.key_sealed"])
      .where("d.sn", "=", sn)
      .where("d.state", "=", "active")
      .executeTakeFirst();
    if (!device) throw refused();
    const key = openDeviceKey(services, device.service_provider_id, device.id, device.key_sealed);
    const expected = hmacHex(key, textToSign({ verb: incoming.verb, url: incoming.url, timestamp, nonce, body: incoming.rawBody }));
    if (!sameText(expected, incoming.headers["x-signature"] ?? "")) throw refused();
    // The nonce stays used even when the call fails later: a device signs again, it never sends the same twice.
    const once = await tx
      .insertInto("device_nonces")
      .values({ device_id: device.id, nonce, at: new Date(now_ms).toISOString() })
      .onConflict((conflicting) => conflicting.doNothing())
      .executeTakeFirst();
    if (once.numInsertedOrUpdatedRows !== 1n) throw refused();
    return {
      kind: "device" as const,
      id: device.id,
      name: device.sn,
      scope: storeScope(device.service_provider_id, device.merchant_id, device.store_id),
      holds: () => false,
    };
  });
}
