import { randomUUID } from "node:crypto";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import type { World } from "../../../accounts/server/world-for-tests.ts";
import { textToSign } from "../../../devices/server/index.ts";

/** Calls as a device does, signed, with the tag that it knows. */
export function callAsDevice<E extends Endpoint>(
  world: World,
  endpoint: E,
  { sn, key }: { readonly sn: string; readonly key: string },
  input: InputOf<E>,
  tag?: string,
): Promise<OutputOf<E>> {
  const timestamp = String(world.services.clock.now_ms());
  const nonce = randomUUID();
  const signing = { verb: endpoint.verb, url: endpoint.path, timestamp, nonce, body: Buffer.from(JSON.stringify(input)) };
  const headers = {
    "x-device-sn": sn,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": hmacHex(key, textToSign(signing)),
    ...(tag && { "if-none-match": `"${tag}"` }),
  };
  return world.call(endpoint, undefined, input, { headers });
}
