import { sql } from "kysely";
import type { Incoming, Principal } from "@zhangfang/server/calls/call.ts";
import { hmacHex, sameText, sha256 } from "@zhangfang/server/crypto.ts";
import { behind, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { platformScope, storeScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { heartbeat } from "../contract/index.ts";
import { openDeviceKey } from "./device-key.ts";
import { type KnownDevice, knownDevice, rememberDevice } from "./known-devices.ts";

/** How far a device's clock may be off. */
export const CLOCK_MS = 5 * 60_000;

/** What a device signs, under its key: HMAC-SHA256, hex. A new line ends every part. */
export const textToSign = (given: { verb: string; url: string; timestamp: string; nonce: string; body: Buffer }): string =>
  [given.verb, given.url, given.timestamp, given.nonce, sha256(given.body).toString("hex"), ""].join("\n");

/** Whatever is wrong, the answer is one. */
export const badSignature = () => new Refusal(401, "device", "设备签名无效");

interface Signed {
  readonly timestamp: string;
  readonly nonce: string;
}
function isSigned(incoming: Incoming, { key }: Pick<KnownDevice, "key">, { timestamp, nonce }: Signed): boolean {
  const expected = hmacHex(key, textToSign({ verb: incoming.verb, url: incoming.url, timestamp, nonce, body: incoming.rawBody }));
  return sameText(expected, incoming.headers["x-signature"] ?? "");
}

/**
 * Makes a device known by its signature: an active device of an active store, a clock within five minutes, a nonce that it
 * has not used. It sees what its store sees. A heartbeat leaves no nonce and is checked by what this process knows of the device:
 * its own statement asks for the rest (heartbeat.ts).
 * @throws 401, the same whatever is wrong
 */
export async function checkDevice(services: Services, incoming: Incoming): Promise<Principal & { readonly keySealed: string }> {
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
    throw badSignature();
  const beats = incoming.verb === "POST" && incoming.url === heartbeat.path;
  const known = beats ? knownDevice(services, sn) : undefined;
  if (known && isSigned(incoming, known, { timestamp, nonce })) return principalOf(known);
  return withScope(
    services.pool,
    platformScope("device signature"),
    async (tx) => {
      // Its end waits for no disk: what the call writes is on it after this. With the power a nonce may go of a call of which nothing was written:
      // within the five minutes of its clock it could be sent once more, by whoever heard it.
      if (!beats) behind(tx, sql`set local synchronous_commit = off`);
      const device = await findDevice(services, tx, sn, beats ? undefined : { nonce, now_ms });
      // What a wrong signature wrote is undone with this.
      if (!device?.fresh || !isSigned(incoming, device, { timestamp, nonce })) throw badSignature();
      if (beats) rememberDevice(services, device);
      return principalOf(device);
    },
    { readOnly: beats },
  );
}
const principalOf = (device: KnownDevice) => ({
  kind: "device" as const,
  id: device.id,
  name: device.sn,
  scope: storeScope(device.service_provider_id, device.merchant_id, device.store_id),
  holds: () => false,
  keySealed: device.key_sealed,
});

/** A nonce that a call comes with. */
interface Nonce {
  readonly nonce: string;
  readonly now_ms: number;
}
/**
 * A device whose store, merchant and provider are open, with its key in the clear. The nonce is used up with that, in the same statement,
 * and stays used even when the call fails later: a device signs again, it never sends the same twice.
 */
async function findDevice(
  services: Services,
  tx: Transaction,
  sn: string,
  call: Nonce | undefined,
): Promise<(KnownDevice & { readonly fresh: boolean }) | undefined> {
  // The states stand in the text: only so does a plan that is kept know that it may use the index over devices in use.
  const device = sql`select d.id, d.sn, d.service_provider_id, d.merchant_id, d.store_id, d.key_sealed from devices d
    join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id and s.state = 'active'
    join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id and m.state = 'active'
    join service_providers p on p.id = d.service_provider_id and p.state = 'active'
    where d.sn = ${sn} and d.state = 'active' and d.state <> 'retired'`;
  const used =
    call &&
    sql`insert into device_nonces (device_id, nonce, at) select id, ${call.nonce}, ${new Date(call.now_ms).toISOString()}::timestamptz from d
      on conflict do nothing returning device_id`;
  const { rows } = await sql<
    Omit<KnownDevice, "key"> & { readonly fresh: boolean }
  >`with d as materialized (${device})${used ? sql`, n as (${used})` : sql``}
    select d.*, ${used ? sql`exists (select from n)` : sql`true`} as fresh from d`.execute(tx);
  const [found] = rows;
  return found && { ...found, key: openDeviceKey(services, found.service_provider_id, found.id, found.key_sealed) };
}
