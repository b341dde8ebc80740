import { afterAll, beforeAll, expect, test } from "vitest";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { setNodeState } from "../../organisation/server/index.ts";
import { setStoreState } from "../../stores/server/index.ts";
import { heartbeat } from "../contract/index.ts";
import { registerDevice, textToSign } from "./index.ts";
import { forgetDevice } from "./known-devices.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
const inPlatform = <T>(fn: (tx: Transaction) => Promise<T>) => withScope(world.services.pool, platformScope("test"), fn);

let count = 0;
interface Sent {
  sn: string;
  key: string;
  body?: object;
  at_ms?: number;
  nonce?: string;
  url?: string;
  verb?: string;
  signed?: Partial<Parameters<typeof textToSign>[0]>;
}
/** A heartbeat as a device sends it; `signed` says what it signed where that differs. */
function sent({
  sn,
  key,
  body = { version: "2.1.0" },
  at_ms = world.services.clock.now_ms(),
  nonce = `nonce-${count++}-abc`,
  signed = {},
}: Sent) {
  const rawBody = Buffer.from(JSON.stringify(body));
  const given = { verb: "POST", url: heartbeat.path, timestamp: String(at_ms), nonce, body: rawBody };
  return {
    rawBody,
    body,
    headers: {
      "x-device-sn": sn,
      "x-timestamp": String(at_ms),
      "x-nonce": nonce,
      "x-signature": hmacHex(key, textToSign({ ...given, ...signed })),
    },
  };
}
const beat = (given: ReturnType<typeof sent>) => world.call(heartbeat, undefined, given.body, given);
const refusal = async (given: ReturnType<typeof sent>) => {
  const { status, code, message } = await world.refused(heartbeat, undefined, given.body, given);
  return { status, code, message };
};
const REFUSED = { status: 401, code: "device", message: "设备签名无效" };

test("what is signed is verb, address with query, moment, nonce and the hash of the body, each on a line", () => {
  expect(textToSign({ verb: "POST", url: "/api/till/orders?x=1", timestamp: "1790000000000", nonce: "n", body: Buffer.from("{}") })).toBe(
    "POST\n/api/till/orders?x=1\n1790000000000\nn\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n",
  );
});

test("a heartbeat marks its own device as seen, and no other", async () => {
  const [device] = world.tree.merchants.mch01.stores[0]!.devices;
  expect(await beat(sent(device!))).toEqual({ ok: true, now: new Date(world.services.clock.now_ms()).toISOString() });
  expect(await world.truth("select sn, version from devices where last_seen_at is not null")).toEqual([
    { sn: device!.sn, version: "2.1.0" },
  ]);
});

test("whatever is wrong with a signature, the answer is one", async () => {
  const [device, other] = world.tree.merchants.mch01.stores[0]!.devices;
  const good = { ...device! };
  expect(await refusal(sent({ ...good, key: other!.key }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, sn: "ZF-99-9" }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, sn: other!.sn }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, signed: { body: Buffer.from("{}") } }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, signed: { url: "/api/till/orders" } }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, signed: { verb: "GET" } }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, at_ms: world.services.clock.now_ms() - 300_001 }))).toEqual(REFUSED);
  expect(await refusal(sent({ ...good, at_ms: world.services.clock.now_ms() + 300_001 }))).toEqual(REFUSED);
  expect((await world.refused(heartbeat, undefined, {}, { headers: {} })).status).toBe(401);
  expect(await beat(sent({ ...good, at_ms: world.services.clock.now_ms() - 299_000 }))).toMatchObject({ ok: true });
});

test("a nonce is good once: of 20 copies at the same moment one passes, and a later copy does not", async () => {
  const [device] = world.tree.merchants.mch01.stores[1]!.devices;
  const given = sent(device!);
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => beat(given)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(await refusal(given)).toEqual(REFUSED);
});

test("a device is refused at once when it, its store or a node above is closed", async () => {
  const { tree, services } = world;
  const { mch03 } = tree.merchants;
  const [store] = mch03.stores;
  const device = store!.devices[0]!;
  const first = tree.providers.sp01;
  const closing: ((state: "active" | "disabled") => Promise<unknown>)[] = [
    (state) => inPlatform((tx) => setStoreState(tx, services, { serviceProviderId: first, id: store!.id }, state)),
    (state) => inPlatform((tx) => setNodeState(tx, services, { kind: "merchant", serviceProviderId: first, id: mch03.id }, state)),
    (state) => inPlatform((tx) => setNodeState(tx, services, { kind: "provider", serviceProviderId: first, id: first }, state)),
    async (state) => void (await world.truth("update devices set state = $1 where id = $2", [state, device.id])),
  ];
  for (const set of closing) {
    await set("disabled");
    expect(await refusal(sent(device))).toEqual(REFUSED);
    await set("active");
    expect(await beat(sent(device))).toMatchObject({ ok: true });
  }
});

test("the key is shown once and sealed for its own row", async () => {
  const { tree, services } = world;
  const [store] = tree.merchants.mch02.stores;
  const given = {
    serviceProviderId: store!.serviceProviderId,
    merchantId: store!.merchantId,
    storeId: store!.id,
    sn: "ZF-NEW-1",
    model: "XY-L1" as const,
    name: "新设备",
  };
  const device = await inPlatform((tx) => registerDevice(tx, services, given));
  const rows = await world.truth<{ text: string }>("select to_jsonb(d)::text as text from devices d");
  expect(rows.some((row) => row.text.includes(device.key))).toBe(false);
  expect(await beat(sent({ sn: given.sn, key: device.key }))).toMatchObject({ ok: true });
  await expect(inPlatform((tx) => registerDevice(tx, services, given))).rejects.toMatchObject({ code: "23505" });
  await expect(
    inPlatform((tx) => registerDevice(tx, services, { ...given, sn: "ZF-NEW-2", model: "NOKIA" as never })),
  ).rejects.toMatchObject({
    fields: { model: "不在可选范围内" },
  });
  // Another device's sealed key in this row does not open.
  await world.truth("update devices set key_sealed = (select key_sealed from devices where sn = $1) where sn = $2", [
    tree.stores[0]!.devices[0]!.sn,
    given.sn,
  ]);
  await expect(beat(sent({ sn: given.sn, key: tree.stores[0]!.devices[0]!.key }))).rejects.toThrow();
});

test("a provider's contract that is over stops no till; closing the provider does", async () => {
  const { sn, key } = world.tree.merchants.mch08.stores[0]!.devices[0]!;
  const id = world.tree.providers.sp02;
  await world.truth("update service_providers set contract_state = 'expired' where id = $1", [id]);
  await beat(sent({ sn, key }));
  await world.truth("update service_providers set contract_state = 'signed', state = 'disabled' where id = $1", [id]);
  expect(await refusal(sent({ sn, key }))).toEqual(REFUSED);
  await world.truth("update service_providers set state = 'active' where id = $1", [id]);
});

test("a heartbeat counts once, also much later, out of order, and after the server started anew", async () => {
  const [device] = world.tree.merchants.mch03.stores[0]!.devices;
  const now_ms = world.services.clock.now_ms();
  const first = sent({ ...device!, at_ms: now_ms - 60_000 });
  await beat(first);
  const late = sent({ ...device!, at_ms: now_ms - 120_000 });
  await beat(late);
  for (let n = 0; n < 16; n++) await beat(sent({ ...device!, at_ms: now_ms + n }));
  // Another process knows nothing of the device.
  forgetDevice(world.services, device!.sn);
  for (const again of [first, late]) expect(await refusal(again)).toEqual(REFUSED);
  // Older than all that is remembered: nobody knows whether it came.
  expect(await refusal(sent({ ...device!, at_ms: now_ms - 1_000 }))).toEqual(REFUSED);
  await beat(sent({ ...device!, at_ms: now_ms + 100 }));
  expect(await world.truth("select 1 from device_nonces n join devices d on d.id = n.device_id where d.sn = $1", [device!.sn])).toEqual([]);
});

test("of ten heartbeats with one signature at once one counts", async () => {
  const [device] = world.tree.merchants.mch03.stores[1]!.devices;
  const one = sent(device!);
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => beat(one)));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("what a device was known as is not believed: moved, given another key, closed", async () => {
  const [device] = world.tree.merchants.mch04.stores[0]!.devices;
  const seen = async () =>
    (await world.truth<{ at: string }>("select last_seen_at::text as at from devices where sn = $1", [device!.sn]))[0]!.at;
  await beat(sent(device!));
  // It moved within its merchant: the next heartbeat is taken where it stands now.
  const other = world.tree.merchants.mch04.stores[1]!.id;
  await world.truth("update devices set store_id = $2, cashier_id = null where sn = $1", [device!.sn, other]);
  world.services.clock.advance(60_000);
  const before = await seen();
  await beat(sent(device!));
  expect(await seen()).not.toBe(before);
  await world.truth("update stores set state = 'disabled' where id = $1", [other]);
  expect(await refusal(sent(device!))).toEqual(REFUSED);
  await world.truth("update stores set state = 'active' where id = $1", [other]);
  await beat(sent(device!));
  await world.truth("update devices set key_sealed = 'v1.other' where sn = $1", [device!.sn]);
  await expect(beat(sent(device!))).rejects.toThrow();
});

test("a heartbeat says how much room there is, both numbers or neither", async () => {
  const [device] = world.tree.merchants.mch06.stores[0]!.devices;
  const room = () =>
    world.truth("select storage_total_mb as total, storage_free_mb as free, version from devices where sn = $1", [device!.sn]);
  await beat(sent({ ...device!, body: { version: "3.0.0", storageTotalMb: 8_192, storageFreeMb: 100 } }));
  await beat(sent({ ...device!, body: {} }));
  expect(await room()).toEqual([{ total: 8_192, free: 100, version: "3.0.0" }]);
  for (const body of [{ storageTotalMb: 10, storageFreeMb: 11 }, { storageFreeMb: 1 }, { storageTotalMb: 1 }])
    expect(await refusal(sent({ ...device!, body }))).toMatchObject({ status: 400 });
});
