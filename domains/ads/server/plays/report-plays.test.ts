import { randomUUID } from "node:crypto";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { removeAd, updateAdInfo, updateAdPlayStatus } from "../../contract/index.ts";
import { reportPlays } from "../../contract/device-side.ts";
import { nodeOf, plantAd, type PlantedAd } from "../ads-for-tests.ts";
import { ads } from "../index.ts";
import { callAsDevice } from "./device-for-tests.ts";
import { keepPlayDays } from "./keep-play-days.ts";

let world: World;
let ad: PlantedAd;
beforeAll(async () => {
  world = await openWorld(ads.routes);
  ad = await plantAd(world, { owner: world.tree.providers.sp01, targets: [nodeOf(world, "mch01")], pictures: 2 });
});
afterAll(() => world.close());
beforeEach(() => emptyTables(world.truth, "ad_plays, ad_plays_daily"));

const deviceAt = (store = 0, at = 0) => world.tree.merchants.mch01.stores[store]!.devices[at]!;
const now_ms = () => world.services.clock.now_ms();
const startedAgo = (ms: number) => new Date(now_ms() - ms).toISOString();
const HOUR_MS = 3_600_000;
const shown = (more: Record<string, unknown> = {}) => ({
  play_id: randomUUID(),
  ad_id: ad.id,
  material_id: ad.materials[0]!,
  started_at: startedAgo(HOUR_MS),
  ms: 8_000,
  finished: true,
  ...more,
});
const report = (plays: unknown[], device = deviceAt()) => callAsDevice(world, reportPlays, device, { plays });

/** The sums as they are kept, and as the rows say. */
async function sums() {
  const text = (from: string) => `select day, device_id, store_id, ad_id, material_id, ${from} order by 1, 2, 3, 4, 5`;
  const kept = await world.truth(text("plays, finished, ms, unverified, last_at from ad_plays_daily"));
  const rebuilt = await world.truth(
    text(`count(*) filter (where verified)::int as plays, count(*) filter (where verified and finished)::int as finished,
      coalesce(sum(ms) filter (where verified), 0)::bigint as ms, count(*) filter (where not verified)::int as unverified,
      coalesce(max(started_at) filter (where verified), max(started_at)) as last_at from ad_plays group by 1, 2, 3, 4, 5`),
  );
  return { kept, rebuilt };
}
async function expectTrueSums(): Promise<void> {
  const { kept, rebuilt } = await sums();
  expect(kept).toEqual(rebuilt);
}

test("a play counts once, whoever tells it again, on whatever day it then says", async () => {
  const one = shown();
  expect(await report([one, one])).toMatchObject({ accepted: 1, known: 1, refused: [] });
  expect(await report([{ ...one, play_id: one.play_id.toUpperCase(), ad_id: ad.id.toUpperCase() }])).toMatchObject({
    accepted: 0,
    known: 1,
  });
  expect(await report([{ ...one, started_at: startedAgo(49 * HOUR_MS), ms: 1 }])).toMatchObject({ accepted: 0, known: 1 });
  // Another device numbers its own plays.
  expect(await report([one], deviceAt(0, 1))).toMatchObject({ accepted: 1, known: 0 });
  expect((await sums()).kept.map(({ plays, ms }) => [plays, ms])).toEqual([
    [1, 8_000],
    [1, 8_000],
  ]);
  await expectTrueSums();
});

test("what can't be taken says why and holds up nothing else", async () => {
  const stranger = await plantAd(world, { owner: world.tree.providers.sp02, targets: [nodeOf(world, "mch02")] });
  const platforms = await plantAd(world, { targets: [nodeOf(world)] });
  const answer = await report([
    shown(),
    shown({ started_at: startedAgo(-10 * 60_000) }),
    shown({ started_at: startedAgo(0), ms: 3_600_000 }),
    shown({ started_at: startedAgo(7 * 24 * HOUR_MS + 60_000) }),
    shown({ ad_id: randomUUID() }),
    shown({ material_id: stranger.materials[0] }),
    shown({ ad_id: stranger.id, material_id: stranger.materials[0] }),
    shown({ ad_id: platforms.id, material_id: platforms.materials[0] }),
    shown({ ms: -1 }),
    shown({ play_id: "7" }),
    shown({ started_at: "gestern" }),
    shown({ started_at: "2026-02-30T00:00:00Z" }),
    null,
    [],
    "x",
  ]);
  expect(answer).toMatchObject({ accepted: 2, known: 0 });
  expect(answer.refused.map(({ at, reason }) => [at, reason])).toEqual([
    ...[1, 2].map((at) => [at, "future"]),
    [3, "old"],
    ...[4, 5, 6].map((at) => [at, "unknown"]),
    ...[8, 9, 10, 11, 12, 13, 14].map((at) => [at, "malformed"]),
  ]);
  await expectTrueSums();
});

test("a play lies in the Shanghai day that it began in, late ones too, and an ad or material that is gone meanwhile still counts", async () => {
  const today = shanghaiDay(now_ms());
  const midnight_ms = Date.parse(dayStart(addDays(today, -3)));
  const at = (ms: number) => shown({ started_at: new Date(ms).toISOString() });
  const sp01 = await world.signIn("sp01");
  await world.call(updateAdInfo, sp01, { ad_id: ad.id, materials: [{ material_id: ad.materials[0]!, seconds: null }] });
  await world.call(removeAd, sp01, { ad_id: ad.id });
  await report([at(midnight_ms), at(midnight_ms - 1), at(now_ms() - 6 * 24 * HOUR_MS), shown({ material_id: ad.materials[1] })]);
  const { kept } = await sums();
  expect(kept.map(({ day }) => day)).toEqual([
    shanghaiDay(now_ms() - 6 * 24 * HOUR_MS),
    addDays(today, -4),
    addDays(today, -3),
    shanghaiDay(now_ms() - HOUR_MS),
  ]);
  expect(kept.map(({ unverified }) => unverified)).toEqual([0, 0, 0, 0]);
  await expectTrueSums();
  // The other tests tell of it too.
  await world.truth("update ads set removed_at = null, status = 1, enabled_at = null where id = $1", [ad.id]);
  await world.truth("insert into ad_items (owner_id, ad_id, place, material_id) select owner_id, id, 2, $2 from ads where id = $1", [
    ad.id,
    ad.materials[1],
  ]);
});

test("only what could have been shown counts; the rest is kept, and counted apart", async () => {
  const owner = world.tree.providers.sp01;
  const sp01 = await world.signIn("sp01");
  const planted = (more: Partial<Parameters<typeof plantAd>[1]> = {}) =>
    plantAd(world, { owner, targets: [nodeOf(world, "mch01", 0)], ...more });
  const told = async (of: PlantedAd, more: Record<string, unknown> = {}) => {
    await emptyTables(world.truth, "ad_plays, ad_plays_daily");
    expect(await report([shown({ ad_id: of.id, material_id: of.materials[0], ...more })])).toMatchObject({ accepted: 1, refused: [] });
    await expectTrueSums();
    const { kept } = await sums();
    return [kept[0]?.plays, kept[0]?.unverified];
  };
  const [counts, apart] = [
    [1, 0],
    [0, 1],
  ];
  const [model] = await world.truth<{ model: string }>("select model from devices where id = $1", [deviceAt().id]);
  const minute = (at_ms: number) => Math.floor(((at_ms + 8 * HOUR_MS) % (24 * HOUR_MS)) / 60_000);
  const then = minute(now_ms() - HOUR_MS);
  // Elsewhere, of another model or region, at another hour, or never enabled.
  for (const [more, expected] of [
    [{}, counts],
    [{ targets: [nodeOf(world, "mch01", 1)] }, apart],
    [{ targets: [nodeOf(world, "mch03")] }, apart],
    [{ models: [model!.model] }, counts],
    [{ models: ["NOBODY-1"] }, apart],
    [{ regions: ["99"] }, apart],
    [{ periods: [[then, Math.min(1_440, then + 1)]] }, counts],
    [{ periods: [[(then + 60) % 1_380, ((then + 60) % 1_380) + 30]] }, apart],
    [{ status: 0 }, apart],
  ] as const)
    expect([more, await told(await planted(more))]).toEqual([more, expected]);
  const two = await planted({ pictures: 2 });
  expect(await told(two, { material_id: ad.materials[0] })).toEqual(apart);
  expect(await told(two, { material_id: two.materials[1] })).toEqual(counts);
  // A device goes on with what it was told, and tells of it late; what came after it was not told before.
  const changed = await planted();
  await world.call(updateAdInfo, sp01, { ad_id: changed.id, targets: [nodeOf(world, "mch01", 1)] });
  expect(await told(changed)).toEqual(counts);
  expect(await told(changed, { started_at: startedAgo(6 * 24 * HOUR_MS) })).toEqual(counts);
  await world.call(updateAdInfo, sp01, { ad_id: changed.id, targets: [nodeOf(world, "mch01", 0)], weight: 2 });
  await world.call(updateAdPlayStatus, sp01, { ad_id: changed.id, status: 0 });
  expect(await told(changed)).toEqual(counts);
  const young = await planted({ status: 0 });
  await world.call(updateAdPlayStatus, sp01, { ad_id: young.id, status: 1 });
  expect(await told(young)).toEqual(apart);
  expect(await told(young, { started_at: startedAgo(8_000) })).toEqual(counts);
  await world.truth("update ads_past set until = until - interval '8 days', since = since - interval '8 days' where ad_id = $1", [
    changed.id,
  ]);
  expect(await told(changed)).toEqual(apart);
});

test("no device has shown more in a day than the day is long, nor anything in no time", async () => {
  const midnight_ms = Date.parse(dayStart(addDays(shanghaiDay(now_ms()), -2)));
  const hour = (at: number, more: object = {}) =>
    shown({ started_at: new Date(midnight_ms + at * 60_000).toISOString(), ms: HOUR_MS, ...more });
  const day = async () => (await sums()).kept.map(({ plays, unverified, ms }) => [plays, unverified, ms]);
  await report(Array.from({ length: 30 }, (_none, at) => hour(at)));
  expect(await day()).toEqual([[24, 6, 24 * HOUR_MS]]);
  expect(await report([hour(100, { ms: 1 })])).toMatchObject({ accepted: 1 });
  expect(await day()).toEqual([[24, 7, 24 * HOUR_MS]]);
  await expectTrueSums();
  await emptyTables(world.truth, "ad_plays, ad_plays_daily");
  await report(Array.from({ length: 400 }, () => hour(1, { ms: 0 })));
  expect(await day()).toEqual([[400, 0, 0]]);
  await world.truth("update ad_plays_daily set plays = 86399");
  await report([hour(2, { ms: 0 }), hour(3, { ms: 0 })]);
  expect((await sums()).kept.map(({ plays, unverified }) => [plays, unverified])).toEqual([[86_400, 1]]);
});

test("a device that moves to another store goes on there; what it showed before stays where it was", async () => {
  const device = deviceAt();
  const stores = world.tree.merchants.mch01.stores;
  const [first, again] = [shown(), shown()];
  await report([first]);
  await world.truth("update devices set store_id = $2, cashier_id = null where id = $1", [device.id, stores[1]!.id]);
  expect(await report([first, again])).toMatchObject({ accepted: 1, known: 1 });
  await world.truth("update devices set store_id = $2 where id = $1", [device.id, stores[0]!.id]);
  const { kept } = await sums();
  expect(new Set(kept.map(({ store_id }) => store_id))).toEqual(new Set([stores[0]!.id, stores[1]!.id]));
  await expectTrueSums();
});

test("whatever the order, the batches and the repetitions, and however many tell at once, each play is counted once", async () => {
  const kind = fc.record({
    hours: fc.integer({ min: 0, max: 160 }),
    ms: fc.integer({ min: 0, max: 60_000 }),
    finished: fc.boolean(),
    second: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(kind, { minLength: 1, maxLength: 40 })
        .chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.array(fc.array(fc.nat(all.length - 1), { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 8 }),
          ),
        ),
      async ([kinds, batches]) => {
        await emptyTables(world.truth, "ad_plays, ad_plays_daily");
        const plays = kinds.map(({ hours, ms, finished, second }) =>
          shown({ started_at: startedAgo(hours * HOUR_MS + 70_000), ms, finished, material_id: ad.materials[second ? 1 : 0] }),
        );
        const told = await Promise.all(batches.map((batch) => report(batch.map((at) => plays[at]!))));
        expect(told.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(new Set(batches.flat()).size);
        for (const [at, { accepted, known }] of told.entries()) expect(accepted + known).toBe(batches[at]!.length);
        await expectTrueSums();
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
});

test("days are made ahead and dropped after ninety, their sums stay, and no days younger than that go, whoever asks", async () => {
  const today = shanghaiDay(now_ms());
  const partitions = async () =>
    (
      await world.truth<{ name: string }>("select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ad_plays'::regclass")
    ).map(({ name }) => name.replace(/^app\.ad_plays_/, ""));
  const old = addDays(today, -91);
  await world.truth("select app.ad_plays_days(array[$1, $2]::date[])", [old, addDays(today, -89)]);
  const row = [
    deviceAt().id,
    world.tree.providers.sp01,
    world.tree.merchants.mch01.id,
    world.tree.merchants.mch01.stores[0]!.id,
    ad.id,
    ad.materials[0],
  ];
  await world.truth(
    "insert into ad_plays_daily (service_provider_id, merchant_id, store_id, day, device_id, ad_id, material_id, plays, finished, ms, last_at) values ($2, $3, $4, $7, $1, $5, $6, 4, 4, 4000, now())",
    [...row, old],
  );
  await keepPlayDays.run(world.services, {});
  const there = await partitions();
  const named = (day: string) => day.replaceAll("-", "");
  expect(there).not.toContain(named(old));
  for (const ahead of [-89, 0, 1, 7]) expect(there).toContain(named(addDays(today, ahead)));
  expect((await sums()).kept.map(({ day, plays }) => [day, plays])).toEqual([[old, 4]]);
  const young = addDays(shanghaiDay(Date.now()), -85);
  await world.truth("select app.ad_plays_days(array[$1]::date[])", [young]);
  await world.services.pool.query("select app.drop_ad_plays('2100-01-01')");
  expect(await partitions()).toContain(named(young));
});

test("while a backup reads a day that is to go, reports are taken as always, and the day goes in the next round", async () => {
  const [day] = [addDays(shanghaiDay(now_ms()), -95)];
  await world.truth("select app.ad_plays_days(array[$1]::date[])", [day]);
  const name = `app.ad_plays_${day.replaceAll("-", "")}`;
  const backup = new pg.Client(world.services.owner);
  await backup.connect();
  await backup.query(`begin; select 1 from only ${name}`);
  const dropping = expect(keepPlayDays.run(world.services, {})).rejects.toThrow("lock timeout");
  expect(await report([shown()])).toMatchObject({ accepted: 1 });
  await dropping;
  await backup.query("commit");
  await backup.end();
  await keepPlayDays.run(world.services, {});
  expect(await world.truth("select to_regclass($1) as there", [name])).toEqual([{ there: null }]);
});

test("every day's partition is fenced, and out of reach of the service itself", async () => {
  await report([shown()]);
  const bare = await world.truth(
    `select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'ad_plays'::regclass
     and not (c.relrowsecurity and c.relforcerowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid))`,
  );
  expect(bare).toEqual([]);
  const [{ name }] = (await world.truth<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'ad_plays'::regclass limit 1",
  )) as [{ name: string }];
  await expect(world.services.pool.query(`select 1 from ${name}`)).rejects.toThrow("permission denied");
  await expect(world.services.pool.query(`drop table ${name}`)).rejects.toThrow("must be owner");
});
