import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { firstFence, platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { createAd, getAdById, getAds, removeAd, summariseAds, updateAdInfo, updateAdPlayStatus } from "../../contract/index.ts";
import { nodeOf, plantMaterial } from "../ads-for-tests.ts";
import { adsWhere, periodOf } from "./ad-rows.ts";
import { ads } from "../index.ts";

let world: World;
let admin: string, sp01: string, sp02: string;
beforeAll(async () => {
  world = await openWorld(ads.routes);
  [admin, sp01, sp02] = (await Promise.all(["admin", "sp01", "sp02"].map((login) => world.signIn(login)))) as [string, string, string];
});
afterEach(async () => {
  firstFence.on = true;
  await world.truth("delete from ad_items");
  await world.truth("delete from ad_targets");
  await world.truth("delete from ads");
});
afterAll(() => world.close());

const today = () => shanghaiDay(world.services.clock.now_ms());
const owner = () => world.tree.providers.sp01;
type Draft = Omit<InputOf<typeof createAd>, "materials">;
const draft = (more: Partial<Draft> = {}): Draft => ({
  name: "周末新品",
  starts_on: today(),
  ends_on: addDays(today(), 30),
  weekdays: [6, 7],
  periods: [
    [540, 720],
    [1_020, 1_260],
  ],
  targets: [nodeOf(world, "mch01")],
  ...more,
});
const picture = (given: Parameters<typeof plantMaterial>[1] = {}) => plantMaterial(world, { owner: owner(), ...given });
const create = async (token: string, more: Partial<InputOf<typeof createAd>> = {}) => {
  const materials = more.materials ?? [{ material_id: await picture() }];
  return (await world.call(createAd, token, { ...draft(), ...more, materials })).ad_id;
};
const versions = async (): Promise<Record<string, number>> => {
  const rows = await world.truth<{ item_id: string; version: string }>(
    "select item_id, version from config_versions where namespace = 'ad'",
  );
  return Object.fromEntries(rows.map(({ item_id, version }) => [item_id, Number(version)]));
};
const get = (token: string, ad_id: string) => world.call(getAdById, token, { ad_id });

test("an ad is made paused, with what was named, and its list says whether it is in its period", async () => {
  const material = await picture({ name: "新品海报" });
  const id = await create(sp01, {
    materials: [{ material_id: material, seconds: 8 }],
    models: ["TZH-L1"],
    regions: ["51", "5101"],
    weight: 3,
  });
  const ad = await get(sp01, id);
  expect(ad).toMatchObject({
    ad_id: id,
    material_id: material,
    status: 0,
    weekdays: [6, 7],
    regions: ["51", "5101"],
    weight: 3,
    priority: 3,
  });
  expect(ad.targets.map(({ item_name }) => item_name)).toEqual(["蜀味川菜"]);
  expect(ad.materials).toMatchObject([{ name: "新品海报", seconds: 8, status: 1 }]);
  expect(ad.region_names.map(({ name }) => name)).toEqual(["四川省", "四川 成都市"]);
  const now = await create(sp01, { weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [[0, 1_440]] });
  const later = await create(sp01, { weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [[0, 1_440]], starts_on: addDays(today(), 1) });
  const { items } = await world.call(getAds, sp01, {});
  const period = Object.fromEntries(items.map((row) => [row.id, row.play_period]));
  expect([period[now], period[later]]).toEqual([1, 0]);
  await world.call(updateAdPlayStatus, sp01, { ad_ids: [now, later], status: 1 });
  expect(await world.call(summariseAds, sp01, {})).toEqual({ count: 3, enabled: 2, paused: 1, in_period: 1 });
  expect((await world.call(getAds, sp01, { status: 0 })).items.map((row) => row.id)).toEqual([id]);
});

test("nobody makes an ad above themselves or beside, with another's material or with the platform's priority", async () => {
  const refused = async (token: string, more: Partial<InputOf<typeof createAd>>) => {
    const materials = more.materials ?? [{ material_id: await picture() }];
    const { status, fields, message } = await world.refused(createAd, token, { ...draft(), ...more, materials });
    return [status, fields ? Object.keys(fields)[0] : message];
  };
  expect(await refused(sp01, { targets: [nodeOf(world, "mch02")] })).toEqual([404, "节点不存在或无权查看"]);
  expect(await refused(sp01, { targets: [nodeOf(world)] })).toEqual([403, "不能查看或修改上级的设置"]);
  expect(await refused(sp01, { targets: [{ item_type: 7, item_id: owner() }] })).toEqual([400, "item_type"]);
  expect(await refused(sp01, { priority: 9 })).toEqual([400, "priority"]);
  expect(await refused(sp02, { targets: [nodeOf(world, "mch02")] })).toEqual([400, "materials"]);
  expect(await refused(sp01, { regions: ["99"] })).toEqual([400, "regions"]);
  expect(await refused(sp01, { ends_on: addDays(today(), -1) })).toEqual([400, "ends_on"]);
  for (const periods of [
    [[540, 540]],
    [
      [0, 600],
      [599, 700],
    ],
    [[0, 1_441]],
    Array.from({ length: 13 }, (_none, at) => [at * 10, at * 10 + 5]),
  ])
    expect((await refused(sp01, { periods: periods as never }))[0]).toBe(400);
  expect(await world.truth("select 1 from ads")).toEqual([]);
  // The platform's may play everywhere, and first.
  const own = await plantMaterial(world);
  const id = await create(admin, { materials: [{ material_id: own }], targets: [nodeOf(world)], priority: 9 });
  expect(await get(admin, id)).toMatchObject({ service_provider_id: null, owner_name: "平台", priority: 9 });
});

test("another's ad does not exist, behind either fence", async () => {
  const id = await create(sp01);
  const answers = async () => [
    (await world.refused(getAdById, sp02, { ad_id: id })).status,
    (await world.refused(updateAdInfo, sp02, { ad_id: id, name: "x" })).status,
    (await world.refused(updateAdPlayStatus, sp02, { ad_id: id, status: 1 })).status,
    (await world.refused(removeAd, sp02, { ad_id: id })).status,
    (await world.call(getAds, sp02, {})).items.length,
  ];
  expect(await answers()).toEqual([404, 404, 404, 404, 0]);
  firstFence.on = false;
  expect(await answers()).toEqual([404, 404, 404, 404, 0]);
  // The platform's plays at a provider's, and is not managed there.
  firstFence.on = true;
  const above = await create(admin, { materials: [{ material_id: await plantMaterial(world) }], targets: [nodeOf(world)] });
  expect((await world.refused(getAdById, sp01, { ad_id: above })).status).toBe(404);
});

test("only what is named is changed; who saves over what they have not seen is told who changed what", async () => {
  const id = await create(sp01);
  const { revision } = await get(sp01, id);
  await world.call(updateAdInfo, admin, { ad_id: id, revision, periods: [[0, 600]], weight: 5 });
  expect(await get(sp01, id)).toMatchObject({ name: "周末新品", weekdays: [6, 7], periods: [[0, 600]], weight: 5, revision: revision + 1 });
  const { status, code, message } = await world.refused(updateAdInfo, sp01, { ad_id: id, revision, name: "周末特价" });
  expect([status, code, message]).toEqual([409, "ad.changed", "admin 刚修改了「周末新品」的播放时段、占比，请重新打开后再改"]);
  // Saved as it stands it is no change.
  const same = await world.call(updateAdInfo, sp01, { ad_id: id, revision: revision + 1, weight: 5, targets: [nodeOf(world, "mch01")] });
  expect(same.revision).toBe(revision + 1);
  expect((await get(sp01, id)).history.map(({ by, title, what }) => `${by} ${title} ${what}`).toSorted()).toEqual([
    "admin 修改广告 播放时段、占比",
    "sp01 新建广告 ",
  ]);
});

test("the platform changes a provider's ad, but not so that it plays elsewhere or shows another's", async () => {
  const id = await create(sp01);
  expect((await world.refused(updateAdInfo, admin, { ad_id: id, targets: [nodeOf(world, "mch02")] })).fields).toMatchObject({
    targets: expect.stringContaining("不在该服务商之下"),
  });
  expect((await world.refused(updateAdInfo, admin, { ad_id: id, targets: [nodeOf(world)] })).fields).toHaveProperty("targets");
  expect(
    (await world.refused(updateAdInfo, admin, { ad_id: id, materials: [{ material_id: await plantMaterial(world) }] })).fields,
  ).toHaveProperty("materials");
  expect((await world.refused(updateAdInfo, admin, { ad_id: id, priority: 9 })).fields).toHaveProperty("priority");
});

test("twenty who saw the same and save at once: one does, the others are told", async () => {
  const id = await create(sp01);
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_none, at) =>
      world.call(updateAdInfo, sp01, { ad_id: id, revision: 1, name: `名称 ${at}`, targets: [nodeOf(world, "mch01", at % 2)] }),
    ),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await get(sp01, id)).toMatchObject({ revision: 2, target_count: 1 });
});

test("it is enabled only with materials that passed and before its end, and it is said which one is missing", async () => {
  const waiting = await picture({ name: "没审的图", status: 0 });
  const id = await create(sp01, { materials: [{ material_id: await picture() }, { material_id: waiting }] });
  const refused = await world.refused(updateAdPlayStatus, sp01, { ad_id: id, status: 1 });
  expect([refused.status, refused.message]).toEqual([409, "「周末新品」不能启用：素材「没审的图」还没有审核"]);
  expect((await get(sp01, id)).blocked).toBe("素材「没审的图」还没有审核");
  expect((await world.refused(createAd, sp01, { ...draft(), materials: [{ material_id: waiting }], status: 1 })).code).toBe("ad.blocked");
  await world.truth("update ad_materials set status = 1, approved_sha256 = sha256 where id = $1", [waiting]);
  expect(await world.call(updateAdPlayStatus, sp01, { ad_id: id, status: 1 })).toEqual({ ok: true, changed: 1, refused: [] });
  expect((await world.call(updateAdPlayStatus, sp01, { ad_id: id, status: 1 })).changed).toBe(0);
  // What plays can't be changed to what may not.
  const other = await picture({ status: 3, name: "被拒的图" });
  expect((await world.refused(updateAdInfo, sp01, { ad_id: id, materials: [{ material_id: other }] })).message).toContain(
    "素材「被拒的图」",
  );
  expect(
    (await world.refused(updateAdInfo, sp01, { ad_id: id, starts_on: addDays(today(), -9), ends_on: addDays(today(), -1) })).message,
  ).toContain("已过结束日期");
  expect((await get(sp01, id)).materials).toHaveLength(2);
  // Of many those that may are changed, and of the others it is said why.
  const over = await create(sp01, { name: "去年的", starts_on: addDays(today(), -9), ends_on: addDays(today(), -1) });
  const fine = await create(sp01);
  const answer = await world.call(updateAdPlayStatus, sp01, { ad_ids: [over, fine], status: 1 });
  expect([answer.changed, answer.refused.map(({ name, reason }) => [name, reason])]).toEqual([
    1,
    [["去年的", `「去年的」不能启用：已过结束日期 ${addDays(today(), -1)}`]],
  ]);
});

test("a material that gets another content while its ad is being enabled: the ad waits, and stays paused", async () => {
  const material = await picture({ name: "换掉的图" });
  const id = await create(sp01, { materials: [{ material_id: material }] });
  const blocked = async () =>
    (await world.truth("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%held as materialized%'")).length;
  const enabling = await withScope(world.services.pool, platformScope("another content"), async (tx) => {
    await tx
      .updateTable("ad_materials")
      .set({ status: 0, sha256: "a".repeat(64) })
      .where("id", "=", material)
      .execute();
    const asked = world.refused(updateAdPlayStatus, sp01, { ad_id: id, status: 1 });
    await expect.poll(blocked).toBe(1);
    return { asked };
  });
  expect((await enabling.asked).message).toBe("「周末新品」不能启用：素材「换掉的图」还没有审核");
  expect((await get(sp01, id)).status).toBe(0);
});

test("devices under the old and the new targets look again, and nobody else; paused it is no news", async () => {
  const id = await create(sp01);
  const [merchant, store, other] = [nodeOf(world, "mch01").item_id, nodeOf(world, "mch04", 0).item_id, nodeOf(world, "mch03").item_id];
  const paused = await versions();
  await world.call(updateAdInfo, sp01, { ad_id: id, name: "改名" });
  expect(await versions()).toEqual(paused);
  await world.call(updateAdPlayStatus, sp01, { ad_id: id, status: 1 });
  const enabled = await versions();
  await world.call(updateAdInfo, sp01, { ad_id: id, targets: [nodeOf(world, "mch04", 0)] });
  const moved = await versions();
  await world.call(removeAd, sp01, { ad_id: id });
  const removed = await versions();
  const grew = (before: Record<string, number>, after: Record<string, number>, node: string) => (after[node] ?? 1) - (before[node] ?? 1);
  expect([grew(paused, enabled, merchant), grew(paused, enabled, store)]).toEqual([1, 0]);
  expect([grew(enabled, moved, merchant), grew(enabled, moved, store)]).toEqual([1, 1]);
  expect([grew(moved, removed, merchant), grew(moved, removed, store), removed[other]]).toEqual([0, 1, undefined]);
  expect((await world.refused(getAdById, sp01, { ad_id: id })).status).toBe(404);
  expect((await world.refused(removeAd, sp01, { ad_id: id })).status).toBe(404);
});

test("five hundred of one owner are enabled at most, whoever tries at once", async () => {
  await world.truth(
    `insert into ads (id, service_provider_id, name, status, starts_on, ends_on, weekdays, periods, priority, weight, created_by, created_at, updated_at)
     select gen_random_uuid(), $1, '广告', 1, current_date, current_date + 30, '{1}', '[[0,1440]]', 1, 1, 'test', now(), now() from generate_series(1, 498)`,
    [owner()],
  );
  const ids = [];
  for (let at = 0; at < 6; at += 1) ids.push(await create(sp01));
  const settled = await Promise.allSettled(ids.map((ad_id) => world.call(updateAdPlayStatus, sp01, { ad_id, status: 1 })));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await world.truth("select count(*)::int as n from ads where status = 1")).toEqual([{ n: 500 }]);
  // One of them may still be changed, and the platform has its own count.
  const [full] = ids.filter((_id, at) => settled[at]?.status === "fulfilled");
  await world.call(updateAdInfo, sp01, { ad_id: full!, name: "改名" });
});

test("each act stands in the audit log once, at whose it is", async () => {
  const id = await create(sp01, { requestId: "01a1f71c-7600-7000-8000-0123456789aa" });
  expect(
    await create(sp01, {
      requestId: "01a1f71c-7600-7000-8000-0123456789aa",
      materials: (await get(sp01, id)).materials.map(({ material_id }) => ({ material_id })),
    }),
  ).toBe(id);
  await world.call(updateAdPlayStatus, admin, { ad_id: id, status: 1 });
  await world.call(updateAdPlayStatus, admin, { ad_id: id, status: 0 });
  await world.call(removeAd, sp01, { ad_id: id });
  const rows = await world.truth<{ login: string; title: string; what: string; provider: string }>(
    "select login, title, detail #>> '{after,改动}' as what, service_provider_id as provider from audit_log where target_kind = 'ad' and target_id = $1 order by id",
    [id],
  );
  const inWords = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  expect(rows.map(({ login, title, what, provider }) => [login, title, what, provider === owner()]).toSorted(inWords)).toEqual([
    ["admin", "启用或暂停广告", "启用", true],
    ["admin", "启用或暂停广告", "暂停", true],
    ["sp01", "删除广告", "删除", true],
    ["sp01", "新建广告", null, true],
  ]);
  expect(await world.truth("select 1 from ad_targets where owner_id = $1", [PLATFORM_ID])).toEqual([]);
});

test("the filter 当前 finds the ads whose flag says so, at any hour of the week", async () => {
  await Promise.all(
    [
      { periods: [[0, 1_440]], weekdays: [1, 2, 3, 4, 5, 6, 7] },
      {
        periods: [
          [540, 720],
          [1_380, 1_440],
        ],
        weekdays: [6, 7],
      },
      { periods: [[0, 1]], weekdays: [1, 3] },
      { periods: [[0, 1_440]], weekdays: [1, 2, 3, 4, 5, 6, 7], starts_on: addDays(today(), 3) },
      { periods: [[0, 1_440]], weekdays: [1, 2, 3, 4, 5, 6, 7], ends_on: addDays(today(), 2) },
    ].map((more) => create(sp01, more as never)),
  );
  const start_ms = Date.parse(dayStart(today()));
  const found = (flag: 0 | 1, now_ms: number) =>
    withScope(world.services.pool, platformScope("test"), async (tx) => {
      const { rows } = await sql<{
        id: string;
      }>`select a.id from ads a where ${adsWhere(platformScope("test"), { play_period: flag }, now_ms)}`.execute(tx);
      return rows.map(({ id }) => id).toSorted();
    });
  const rows = (await world.call(getAds, sp01, {})).items;
  for (const minutes of [0, 1, 539, 540, 719, 720, 1_379, 1_439, 1_440, 3 * 1_440 - 1, 3 * 1_440, 5 * 1_440 + 600, 6 * 1_440]) {
    const at_ms = start_ms + minutes * 60_000;
    for (const flag of [0, 1] as const) {
      const said = rows.filter((row) => periodOf(row, at_ms) === flag).map(({ id }) => id);
      expect([minutes, flag, await found(flag, at_ms)]).toEqual([minutes, flag, said.toSorted()]);
    }
  }
  expect((await world.call(getAds, sp01, { play_period: 1 })).items.map(({ play_period }) => play_period)).not.toContain(0);
});
