import { randomUUID } from "node:crypto";
import pg from "pg";
import { registerDevice } from "@zhangfang/domains/devices/server/index.ts";
import { PLATFORM_ID } from "@zhangfang/domains/level-config/contract/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { actorOf, firstStoreOf, idOf, SECRET, sqlIdOf } from "../actors.ts";
import { atLeast, atMost, median, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import type { PlaysInput } from "../load/plays-load.ts";
import { sized } from "../small.ts";
import { openWorld, type World } from "../world.ts";

const PORT = 9558;
const CLIENTS = 8;
const BATCH = 500;
const REPORTS = sized(120, 4);
const ROUNDS = sized(3, 1);
/** Of the rate of a bare insert of the same rows; the rest is signatures, HTTP, checks, fences and the sums. */
const RATIO = 0.2;
const DEVICES = sized(30_000, 200);
const DAYS = sized(30, 3);
const READ_LIMIT_MS = 3_000;
const [AD, MATERIAL] = ["0000000d-0000-7000-8000-000000000001", "0000000e-0000-7000-8000-000000000001"];
const today = shanghaiDay(Date.now());

/** Reports of plays, signed and through HTTP, against a bare insert of the same rows; then what an ad's figures take to read. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(10_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  try {
    await owner.query("set app.scope = 'PLATFORM||||||||'");
    await addAd(owner);
    const devices = await register(world);
    const server = await startServer(world.connection, PORT);
    try {
      return [...(await tell(world, owner, devices)), ...(await read(owner))];
    } finally {
      await server.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

/** The platform's ad, everywhere and always. */
async function addAd(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into ad_materials (id, name, kind, content_type, sha256, size_bytes, width, height, file_key, status, approved_sha256, created_by, created_at, updated_at)
     values ('${MATERIAL}', '图', 1, 'image/png', repeat('0', 64), 1000, 800, 600, 'k', 1, repeat('0', 64), 'bench', now(), now());
     insert into ads (id, name, status, starts_on, ends_on, weekdays, periods, priority, weight, created_by, created_at, updated_at)
     values ('${AD}', '广告', 1, '${addDays(today, -60)}', '${addDays(today, 60)}', '{1,2,3,4,5,6,7}', '[[0, 1440]]', 3, 1, 'bench', now(), now());
     insert into ad_items (owner_id, ad_id, place, material_id) values ('${PLATFORM_ID}', '${AD}', 1, '${MATERIAL}');
     insert into ad_targets (owner_id, ad_id, item_type, item_id) values ('${PLATFORM_ID}', '${AD}', 4, '${PLATFORM_ID}')`,
  );
}
/** Devices with keys of their own, each in another store. */
async function register({ connection }: World): Promise<{ sn: string; key: string }[]> {
  const { services, close } = await openServices(
    { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(connection) },
    [],
  );
  try {
    return await withScope(services.pool, platformScope("prepare the benchmark"), async (tx) => {
      const made: { sn: string; key: string }[] = [];
      for (let at = 0; at < CLIENTS * 2; at++) {
        const [merchant, sn] = [at + 2, `BENCH-${at}`];
        const { key } = await registerDevice(tx, services, {
          serviceProviderId: idOf("provider", 1),
          merchantId: idOf("merchant", merchant),
          storeId: idOf("store", firstStoreOf(merchant)),
          sn,
          model: "FACEPOS-F24",
          name: sn,
        });
        made.push({ sn, key });
      }
      return made;
    });
  } finally {
    await close();
  }
}

const roundOfPlays = (devices: number) =>
  Array.from({ length: REPORTS }, (_none, at) => ({
    device: at % devices,
    plays: Array.from({ length: BATCH }, (_play, place) => ({
      play_id: randomUUID(),
      ad_id: AD,
      material_id: MATERIAL,
      started_at: new Date(Date.now() - 60_000 - place * 10_000).toISOString(),
      ms: 8_000,
      finished: true,
    })),
  }));

async function tell(world: World, owner: pg.Client, devices: readonly { sn: string; key: string }[]): Promise<Line[]> {
  await owner.query("select app.ad_plays_days(array[$1, $2]::date[])", [addDays(today, -1), today]);
  const rates = { told: [] as number[], bare: [] as number[] };
  let whole: Figures | undefined;
  let truth = { rows: 0, sums: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const reports = roundOfPlays(devices.length);
    await owner.query("truncate ad_plays, ad_plays_daily");
    const bodies = reports.map(({ device, plays }) => ({ device, body: JSON.stringify({ plays }) }));
    whole = await runPart<PlaysInput, Figures>("load/plays-load.ts", { port: PORT, clients: CLIENTS, devices, reports: bodies });
    rates.told.push(whole.perSecond * BATCH);
    const counted = await owner.query<typeof truth>(
      "select (select count(*)::int from ad_plays) as rows, (select sum(plays)::int from ad_plays_daily) as sums",
    );
    truth = counted.rows[0] ?? truth;
    await owner.query("truncate ad_plays");
    rates.bare.push(await insertBare(world, reports));
  }
  const [told, bare] = [median(rates.told), median(rates.bare)];
  const sent = REPORTS * BATCH;
  return [
    plain(
      "plays a second, told by devices in reports of 500, 8 at once",
      `${told.toFixed(0)} /s, p99 ${whole?.p99_ms.toFixed(0)} ms a report`,
      {
        perSecond: told,
        p50_ms: whole?.p50_ms ?? 0,
        p99_ms: whole?.p99_ms ?? 0,
      },
    ),
    plain("  the same rows by the bare driver, without sums", `${bare.toFixed(0)} /s`, { perSecond: bare }),
    atLeast("  ratio", told / bare, RATIO, "", 2),
    {
      name: `  of ${sent} told: kept, and in the sums`,
      figure: `${truth.rows}, ${truth.sums}`,
      limit: `= ${sent}`,
      ok: truth.rows === sent && truth.sums === sent,
      raw: truth,
    },
  ];
}
/** Rows a second by eight connections of the database's owner, as many in a statement as in a report. */
async function insertBare(world: World, reports: ReturnType<typeof roundOfPlays>): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client(world.connection));
  for (const client of clients) await client.connect();
  const queue = [...reports];
  const begun_ms = performance.now();
  const insert = async (client: pg.Client): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const of = (key: keyof (typeof next)["plays"][number]) => next!.plays.map((play) => play[key]);
      await client.query(
        `insert into ad_plays select (started_at at time zone 'Asia/Shanghai')::date, $1, play_id, $2, $3, $4, ad_id, material_id, started_at, ms, finished, now()
         from unnest($5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::int[], $10::boolean[]) as g(play_id, ad_id, material_id, started_at, ms, finished)`,
        [
          idOf("device", next.device + 1),
          idOf("provider", 1),
          idOf("merchant", 1),
          idOf("store", 1),
          of("play_id"),
          of("ad_id"),
          of("material_id"),
          of("started_at"),
          of("ms"),
          of("finished"),
        ],
      );
    }
  };
  await Promise.all(clients.map(insert));
  const rate = (REPORTS * BATCH * 1_000) / (performance.now() - begun_ms);
  for (const client of clients) await client.end();
  return rate;
}

/** What an ad's screen asks for, over 30,000 devices and 30 days. */
async function read(owner: pg.Client): Promise<Line[]> {
  const [device, merchant] = [sqlIdOf("device", "1000000 + n"), sqlIdOf("merchant", "2 + n % 900")];
  const store = sqlIdOf("store", "2 * (2 + n % 900) + 17");
  await owner.query(`truncate ad_plays, ad_plays_daily;
    set session_replication_role = replica;
    insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed, last_seen_at, created_at)
      select '${idOf("provider", 1)}', ${device}, ${merchant}, ${store}, 'AD' || n, 'FACEPOS-F24', '屏' || n, 'none', now() - (n % 10) * interval '1 minute', now() - n * interval '1 minute'
      from generate_series(1, ${DEVICES}) n;
    insert into ad_plays_daily (service_provider_id, day, device_id, ad_id, material_id, merchant_id, store_id, plays, finished, ms, last_at)
      select '${idOf("provider", 1)}', '${today}'::date - d, ${device}, '${AD}', '${MATERIAL}', ${merchant}, ${store}, 300 + n % 50, 290, 2400000, now() - d * interval '1 day'
      from generate_series(0, ${DAYS - 1}) d, generate_series(1, ${DEVICES}) n;
    set session_replication_role = origin`);
  await owner.query("vacuum analyze ad_plays_daily, devices");
  const days = `ad_id=${AD}&from=${addDays(today, 1 - DAYS)}&to=${today}`;
  const lines: Line[] = [];
  for (const [name, path] of [
    ["first page of its devices", `/api/ad-devices?${days}&pageSize=20&withTotal=true`],
    ["its devices that play, a page", `/api/ad-devices?${days}&playing=1&pageSize=20`],
    ["its sums", `/api/ad-devices/summary?${days}`],
    ["its sums by day", `/api/ad-statistics?${days}&by=day`],
    ["its stores", `/api/ad-statistics?${days}&by=store`],
  ] as const) {
    const { p50_ms } = await runPart<LoadInput, Figures>("load/load.ts", {
      port: PORT,
      paths: [path],
      token: actorOf("provider").token,
      clients: 1,
      seconds: sized(6, 0.2),
    });
    lines.push(atMost(`an ad on 30,000 devices, 30 days: ${name}, p50`, p50_ms, READ_LIMIT_MS, "ms"));
  }
  return lines;
}
