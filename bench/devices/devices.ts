import pg from "pg";
import { DEVICE_KEYS } from "@zhangfang/domains/devices/contract/index.ts";
import { sealDeviceKey } from "@zhangfang/domains/devices/server/index.ts";
import { configOfDevice } from "@zhangfang/domains/level-config/server/index.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { RUNTIME_ROLE } from "@zhangfang/server/database/migrate.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { ACTORS, firstStoreOf, idOf, MERCHANTS, SECRET, sqlIdOf } from "../actors.ts";
import { atMost, median, plain, quantile, type Line } from "../figures.ts";
import type { HeartbeatFigures, HeartbeatInput } from "../load/heartbeat-load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";

const PORT = 9190;
const DEVICES = sized(100_000, 2_000);
const BEATING = sized(30_000, 50);
const ROUND_S = sized(60, 1);
const P1 = idOf("provider", 1);
const STORES = firstStoreOf(MERCHANTS) + 1;
/** Far from those that the world has already. */
const FIRST = 1_000_000;

/** What 100,000 devices of a provider ask of one service: their values, a preview over them all, and 30,000 heartbeats a minute. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const { connection } = worlds.at(-1)!;
  const owner = new pg.Client(connection);
  await owner.connect();
  try {
    const devices = await addDevices(owner);
    await addValues(owner);
    await owner.query("vacuum analyze devices, config_overrides");
    return [
      ...(await measureValues(worlds.at(-1)!)),
      ...(await measurePreview(worlds.at(-1)!)),
      ...(await measureHeartbeats(worlds.at(-1)!, devices)),
    ];
  } finally {
    await owner.query("delete from config_overrides");
    await owner.query("delete from devices where sn like 'BENCH-%'");
    await owner.end();
  }
}

/** Devices evenly over the provider's stores; the first of them have keys of their own. */
async function addDevices(owner: pg.Client): Promise<HeartbeatInput["devices"]> {
  const services = { config: readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }) } as Services;
  await owner.query(`insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed)
    select s.service_provider_id, ${sqlIdOf("device", `${FIRST} + n`)}, s.merchant_id, s.id, 'BENCH-' || n, 'T3B00', '收银机', 'v1.none'
    from generate_series(1, ${DEVICES}) n join stores s on s.id = ${sqlIdOf("store", `1 + n % ${STORES}`)}`);
  const made = Array.from({ length: BEATING }, (_none, n) => ({
    id: idOf("device", FIRST + n + 1),
    sn: `BENCH-${n + 1}`,
    key: `bench-key-${n}`.padEnd(43, "0"),
  }));
  await owner.query(
    "update devices d set key_sealed = g.sealed from jsonb_to_recordset($1::jsonb) as g(id uuid, sealed text) where d.id = g.id",
    [JSON.stringify(made.map(({ id, key }) => ({ id, sealed: sealDeviceKey(services, P1, id, key) })))],
  );
  return made.map(({ sn, key }) => ({ sn, key }));
}
/** Values of their own at the provider, at every merchant, at every second store, and at a thousand devices. */
async function addValues(owner: pg.Client): Promise<void> {
  const put = (type: number, columns: string, from: string, key: string) =>
    owner.query(
      `insert into config_overrides (namespace, item_type, item_id, ckey, value, service_provider_id, merchant_id, store_id, device_id, save_id, changed_by, changed_at)
      select 'device', ${type}, ${columns}, gen_random_uuid(), 'bench', now() from ${from} on conflict do nothing`.replace(
        "KEY",
        `'${key}'`,
      ),
    );
  for (const key of ["volume", "screen_brightness", "confirm_seconds"]) {
    await put(3, `'${P1}', KEY, '10', '${P1}', null, null, null`, "(select 1) one", key);
    await put(2, `m.id, KEY, '20', m.service_provider_id, m.id, null, null`, `merchants m where m.service_provider_id = '${P1}'`, key);
    await put(
      1,
      `s.id, KEY, '30', s.service_provider_id, s.merchant_id, s.id, null`,
      `stores s where s.service_provider_id = '${P1}' and right(s.id::text, 1) in ('0', '2', '4', '6', '8', 'a', 'c', 'e')`,
      key,
    );
    await put(0, `d.id, KEY, '40', d.service_provider_id, d.merchant_id, d.store_id, d.id`, `devices d where d.sn like 'BENCH-%00'`, key);
  }
}

async function measureValues({ connection }: World): Promise<Line[]> {
  const pool = openPool({ connection: { ...connection, user: RUNTIME_ROLE }, size: 1 });
  try {
    const store = idOf("store", 2);
    const place = { id: idOf("device", FIRST + 1), store_id: store, merchant_id: idOf("merchant", 1), service_provider_id: P1 };
    const took_ms = await withScope(pool, storeScope(P1, place.merchant_id, store), async (tx) => {
      const all: number[] = [];
      for (let n = 0; n < sized(2_000, 20); n++) {
        const begun_ms = performance.now();
        await configOfDevice(tx, { namespace: "device", keys: DEVICE_KEYS }, place);
        all.push(performance.now() - begun_ms);
      }
      return all.slice(sized(200, 2));
    });
    const sorted = took_ms.toSorted((a, b) => a - b);
    return [
      atMost(`all ${DEVICE_KEYS.length} keys of one device, p50`, quantile(sorted, 0.5), 1, "ms", 2),
      plain("  p99", `${quantile(sorted, 0.99).toFixed(2)} ms`, { p99_ms: quantile(sorted, 0.99) }),
    ];
  } finally {
    await pool.end();
  }
}

async function measurePreview({ connection }: World): Promise<Line[]> {
  const server = await startServer(connection, PORT);
  const { token } = ACTORS.find(({ name }) => name === "provider")!;
  try {
    const took_ms: number[] = [];
    let changed = 0;
    for (let round = 0; round < sized(6, 2); round++) {
      const begun_ms = performance.now();
      const answer = await fetch(`http://127.0.0.1:${PORT}/api/device-config/preview?_t=1`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({
          items: [{ item_type: 3, item_id: P1 }],
          configs: [
            { ckey: "standby_minutes", value: 9 },
            { ckey: "volume", value: 11 + round },
          ],
        }),
      });
      const body = (await answer.json()) as { changed: number; below: number };
      if (!answer.ok || body.below < DEVICES)
        throw new Error(`the preview answered ${answer.status}: ${JSON.stringify(body).slice(0, 300)}`);
      changed = body.changed;
      took_ms.push(performance.now() - begun_ms);
    }
    return [atMost(`preview of two keys at a provider, ${changed} devices change`, median(took_ms.slice(1)), 1_000, "ms")];
  } finally {
    await server.stop();
  }
}

async function measureHeartbeats({ connection }: World, devices: HeartbeatInput["devices"]): Promise<Line[]> {
  const server = await startServer(connection, PORT);
  try {
    // The first minute has the service look at each device; the second is what goes on day and night.
    const lines: Line[] = [];
    for (const name of ["first minute", "every minute"]) {
      const before = await server.usage();
      const got = await runPart<HeartbeatInput, HeartbeatFigures>("load/heartbeat-load.ts", {
        port: PORT,
        devices,
        rounds: 1,
        round_s: ROUND_S,
      });
      const after = await server.usage();
      const cpu = (after.cpu_us - before.cpu_us) / 10_000 / got.seconds;
      lines.push(
        {
          name: `${BEATING} devices, a heartbeat a minute, ${name}: failed`,
          figure: `${got.failed} of ${got.sent}`,
          limit: "= 0",
          ok: got.failed === 0,
          raw: { ...got },
        },
        plain(
          "  answered",
          `${(got.answered / got.seconds).toFixed(0)}/s, p50 ${got.p50_ms.toFixed(1)} ms, p99 ${got.p99_ms.toFixed(0)} ms`,
          { ...got },
        ),
        plain("  of one processor, and memory", `${cpu.toFixed(0)} %, ${(after.peak / 2 ** 20).toFixed(0)} MB`, { cpu, peak: after.peak }),
      );
    }
    return lines;
  } finally {
    await server.stop();
  }
}
