import pg from "pg";
import { type Ad, slotsOf } from "@zhangfang/domains/ads/contract/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { actorOf, idOf, sqlIdOf } from "../actors.ts";
import { atMost, median, plain, type Line } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const DEVICES = sized(100_000, 2_000);
const ADS = sized(300, 60);
const PORT = 9198;
const ROUNDS = sized(7, 1);
const PREVIEW_LIMIT_MS = 1_000;
const SLOTS_LIMIT_MS = 20;
const P1 = idOf("provider", 1);

/**
 * What a preview of an ad costs before 100,000 devices of one provider, through HTTP, among 300 ads that are enabled, each
 * under the provider, twenty merchants or a hundred stores, with its hours, models and priority, and 500 settings of stores and
 * devices; then the schedule of one device under 50 ads for a week. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  try {
    await client.connect();
    await fill(client);
    const server = await startServer(world.connection, PORT);
    try {
      const today = shanghaiDay(Date.now());
      const draft = {
        starts_on: today,
        ends_on: addDays(today, 30),
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        periods: [[0, 1_440]],
        targets: [{ item_type: 3, item_id: P1 }],
        priority: 4,
        weight: 2,
      };
      const [all, devices, conflicts] = await ask(draft);
      const [narrow] = await ask({ ...draft, models: ["TZH-L1"], periods: [[540, 720]] });
      return [
        atMost(`preview of an ad over ${devices} devices among ${ADS} ads, all week`, all, PREVIEW_LIMIT_MS, "ms"),
        plain("  ads that it meets, as many as are named", String(conflicts)),
        atMost("  of one model, three hours a day", narrow, PREVIEW_LIMIT_MS, "ms"),
        atMost("a week's schedule of one device under 50 ads", oneDevice(), SLOTS_LIMIT_MS, "ms", 2),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}

/** The middle of some rounds, after one that only warms up. */
async function ask(body: object): Promise<[ms: number, devices: number, conflicts: number]> {
  const times: number[] = [];
  let found = { devices: 0, conflicts: [] as unknown[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begun_ms = performance.now();
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/ads/preview`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${actorOf("provider").token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    found = (await answer.json()) as typeof found;
    if (round > 0) times.push(performance.now() - begun_ms);
  }
  return [median(times), found.devices, found.conflicts.length];
}

async function fill(client: pg.Client): Promise<void> {
  await client.query("set session_replication_role = replica");
  await client.query(`insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed, created_at)
    select s.service_provider_id, ${sqlIdOf("device", "100000 + n")}, s.merchant_id, s.id, 'B' || n, (array['FACEPOS-F24', 'TZH-L1', 'XY-L1', 'CCL-Z1'])[1 + n % 4], '屏 ' || n, 'none', now()
    from (select row_number() over (order by id) - 1 as at, count(*) over () as stores, s.* from stores s where service_provider_id = '${P1}') s
      join generate_series(1, ${DEVICES}) n on n % s.stores = s.at`);
  const ad = (n: string) => `('0000000e-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await client.query(`insert into ads (id, service_provider_id, name, status, starts_on, ends_on, weekdays, periods, priority, weight, models, created_by, created_at, updated_at)
    select ${ad("n")}, '${P1}', '广告 ' || n, 1, current_date - n % 20, current_date + 5 + n % 40, case n % 3 when 0 then '{1,2,3,4,5}'::smallint[] when 1 then '{6,7}'::smallint[] else '{1,2,3,4,5,6,7}'::smallint[] end,
      jsonb_build_array(jsonb_build_array(n % 20 * 60, n % 20 * 60 + 60 + n % 4 * 45)), 1 + n % 7, 1 + n % 5, case when n % 5 = 0 then '{TZH-L1}'::text[] else '{}'::text[] end, 'bench', now(), now()
    from generate_series(1, ${ADS}) n`);
  await client.query(`insert into ad_materials (id, service_provider_id, name, kind, content_type, sha256, size_bytes, width, height, file_key, status, approved_sha256, created_by, created_at, updated_at)
    select ${ad("1000 + n")}, '${P1}', '图', 1, 'image/png', md5(n::text) || md5(n::text), 1000, 800, 600, 'none', 1, md5(n::text) || md5(n::text), 'bench', now(), now() from generate_series(1, ${ADS}) n`);
  await client.query(
    `insert into ad_items (owner_id, ad_id, place, material_id) select '${P1}', ${ad("n")}, 1, ${ad("1000 + n")} from generate_series(1, ${ADS}) n`,
  );
  // A tenth under the provider; the rest under merchants or stores here and there.
  const targets = "insert into ad_targets (owner_id, ad_id, item_type, item_id, service_provider_id, merchant_id, store_id)";
  await client.query(
    `${targets} select '${P1}', ${ad("n")}, 3, '${P1}', '${P1}', null, null from generate_series(1, ${ADS}) n where n % 10 = 0`,
  );
  await client.query(`${targets} select '${P1}', ${ad("n")}, 2, m.id, '${P1}', m.id, null from generate_series(1, ${ADS}) n
    cross join lateral (select id from merchants where service_provider_id = '${P1}' order by md5(id::text || n) limit 20) m where n % 10 between 1 and 4`);
  await client.query(`${targets} select '${P1}', ${ad("n")}, 1, s.id, '${P1}', s.merchant_id, s.id from generate_series(1, ${ADS}) n
    cross join lateral (select id, merchant_id from stores where service_provider_id = '${P1}' order by md5(id::text || n) limit 100) s where n % 10 > 4`);
  const own =
    "insert into config_overrides (namespace, item_type, item_id, ckey, value, service_provider_id, merchant_id, store_id, device_id, save_id, changed_by, changed_at)";
  await client.query(`${own} select 'ad', 1, s.id, 'to_hour', '22', s.service_provider_id, s.merchant_id, s.id, null, s.id, 'bench', now()
    from stores s where s.service_provider_id = '${P1}' order by md5(s.id::text) limit 300`);
  await client.query(`${own} select 'ad', 0, d.id, 'play', 'false', d.service_provider_id, d.merchant_id, d.store_id, d.id, d.id, 'bench', now()
    from devices d where d.service_provider_id = '${P1}' order by md5(d.id::text) limit 200`);
  await client.query("analyze");
}

/** Milliseconds for a week of a device that fifty ads reach, each with three periods. */
function oneDevice(): number {
  const chain = [{ item_type: 0 as const, item_id: "d" }];
  const ads = Array.from({ length: 50 }, (_none, n): Ad => ({
    id: String(n).padStart(3, "0"),
    status: 1,
    startsOn: "2026-01-01",
    endsOn: "2030-01-01",
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    periods: [
      [n * 7, n * 7 + 200],
      [500 + n * 5, 700 + n * 5],
      [1_000 + n * 3, 1_200 + n * 3],
    ],
    priority: 1 + (n % 8),
    weight: 1 + (n % 10),
    models: [],
    regions: [],
    targets: chain,
    items: [{ materialId: "m", audit: 1 }],
  }));
  const place = { chain, model: "TZH-L1", regions: ["51"] };
  const times = Array.from({ length: 30 }, () => {
    const begun_ms = performance.now();
    slotsOf(ads, place, { on: true, hours: [0, 24], most: 10 }, { from: "2026-11-16", count: 7 });
    return performance.now() - begun_ms;
  });
  return median(times);
}
