import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { getOtherStore, listOtherStores, queryOtherStores, saveOtherStore, summariseOtherStores } from "../../contract/index.ts";
import { otherStoreImport } from "./import-other-stores.ts";
import { writeOtherStore } from "./save-other-store.ts";
import { seenStores } from "./seen-stores.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

test("a platform's store waits until it is mapped, and is saved once for each platform and number", async () => {
  const { mch01 } = world.tree.merchants;
  const token = await world.signIn("mch01");
  const store = { merchantId: mch01.id, platform: "dy" as const, platformStoreId: "7001", name: "抖音春熙路店" };
  const { id } = await world.call(saveOtherStore, token, store);
  expect(await world.call(queryOtherStores, token, { state: "waiting" })).toMatchObject([
    { id, storeId: null, storeName: null, state: "waiting" },
  ]);
  expect(await world.call(saveOtherStore, token, { ...store, storeId: mch01.stores[0]!.id })).toEqual({ id });
  expect(await world.call(queryOtherStores, token, { platform: "dy" })).toMatchObject([
    { id, storeId: mch01.stores[0]!.id, storeName: mch01.stores[0]!.name, state: "mapped" },
  ]);
  expect(await world.call(queryOtherStores, await world.signIn("sp01"), { keyword: "7001" })).toHaveLength(1);
});

test("neither another merchant, nor another's store, nor a row of another tree can be reached", async () => {
  const { mch01, mch02, mch03 } = world.tree.merchants;
  const token = await world.signIn("mch02");
  expect(await world.call(queryOtherStores, token, {})).toEqual([]);
  const save = async (who: string, merchantId: string, storeId: string) =>
    (await world.refused(saveOtherStore, who, { merchantId, platform: "ks", platformStoreId: "1", name: "越界", storeId })).status;
  expect(await save(token, mch01.id, mch01.stores[0]!.id)).toBe(404);
  expect(await save(token, mch02.id, mch01.stores[0]!.id)).toBe(404);
  expect(await save(await world.signIn("sp01"), mch01.id, mch03.stores[0]!.id)).toBe(404);
  expect(await world.truth("select 1 from other_stores where platform = 'ks'")).toEqual([]);
  expect((await world.refused(queryOtherStores, await world.signIn("emp01"), {})).status).toBe(403);
});

test("the screen pages through what was changed last, counts what waits, and finds by the own store's name too", async () => {
  const { mch01 } = world.tree.merchants;
  const token = await world.signIn("mch01");
  const ids: string[] = [];
  for (const n of [1, 2, 3])
    ids.push(
      (
        await world.call(saveOtherStore, token, {
          merchantId: mch01.id,
          platform: "meituan",
          platformStoreId: `mt-${n}`,
          name: `美团${n}号`,
          ...(n === 3 && { storeId: mch01.stores[2]!.id }),
        })
      ).id,
    );
  const list = await world.call(listOtherStores, token, { platform: "meituan", withTotal: true });
  expect(list.items.map((row) => row.id).toSorted((a, b) => a.localeCompare(b))).toEqual(ids.toSorted((a, b) => a.localeCompare(b)));
  expect(list.total).toEqual({ count: 3, more: false });
  expect((await world.call(summariseOtherStores, token, { platform: "meituan", state: "mapped" })).perState).toEqual([
    { state: "waiting", count: 2 },
    { state: "mapped", count: 1 },
  ]);
  expect((await world.call(listOtherStores, token, { keyword: mch01.stores[2]!.name })).items.map((row) => row.id)).toEqual([ids[2]]);
  expect((await world.call(listOtherStores, await world.signIn("mch02"), {})).items).toEqual([]);
  expect(await world.call(getOtherStore, token, { id: ids[2]! })).toEqual(list.items.find((row) => row.id === ids[2]));
  expect((await world.refused(getOtherStore, await world.signIn("mch02"), { id: ids[2]! })).status).toBe(404);
});

test("a sheet maps by numbers: each line is told what is wrong, what stands there already is left alone", async () => {
  const { mch01, mch02 } = world.tree.merchants;
  const numberOf = async (id: string) =>
    (await world.truth<{ number: string }>("select number from stores where id = $1", [id]))[0]!.number;
  const [own, foreign] = [await numberOf(mch01.stores[0]!.id), await numberOf(mch02.stores[0]!.id)];
  const [merchant] = await world.truth<{ number: string }>("select number from merchants where id = $1", [mch01.id]);
  const line = { platform: "饿了么", platformStoreId: "e-1", name: "饿了么春熙路店" };
  const scope = parseScope(`MCH|${mch01.serviceProviderId}|||||${mch01.id}||`);
  const provider = parseScope(`SP|${mch01.serviceProviderId}|||||||`);
  await withScope(world.services.pool, scope, async (tx) => {
    const verdicts = await otherStoreImport.check(tx, scope, [{ ...line, storeNumber: own }, { ...line, storeNumber: foreign }, line], "");
    expect(verdicts).toEqual([
      { value: { merchantId: mch01.id, platform: "ele", platformStoreId: "e-1", name: "饿了么春熙路店", storeId: mch01.stores[0]!.id } },
      { errors: { storeNumber: `商户没有门店「${foreign}」` } },
      { value: { merchantId: mch01.id, platform: "ele", platformStoreId: "e-1", name: "饿了么春熙路店" } },
    ]);
    const now_ms = world.services.clock.now_ms();
    const author = {
      services: world.services,
      scope,
      principal: { id: world.tree.users.mch01 },
      now_ms,
      now: new Date(now_ms).toISOString(),
    };
    await writeOtherStore(author, tx, (verdicts[0] as { value: Parameters<typeof writeOtherStore>[2] }).value);
    expect(await otherStoreImport.check(tx, scope, [{ ...line, storeNumber: own }], "")).toEqual([{ there: true }]);
    // An empty cell says nothing of the mapping, whatever else the line changes; to end it is said.
    expect(await otherStoreImport.check(tx, scope, [line], "")).toEqual([{ there: true }]);
    const mapped = async (more: object) => {
      const [verdict] = await otherStoreImport.check(tx, scope, [{ ...line, ...more }], "");
      await otherStoreImport.create({ ...author, audit: async () => {} } as never, tx, (verdict as { value: never }).value);
      const { rows } = await sql<{ store: string | null }>`select o.mapped_store_id as store from other_stores o
        where o.service_provider_id = ${mch01.serviceProviderId} and o.platform_store_id = 'e-1'`.execute(tx);
      return rows[0]!.store;
    };
    expect(await mapped({ name: "饿了么春熙路旗舰店" })).toBe(mch01.stores[0]!.id);
    expect(await mapped({ storeNumber: "-" })).toBeNull();
    expect(await mapped({ storeNumber: own })).toBe(mch01.stores[0]!.id);
  });
  await withScope(world.services.pool, provider, async (tx) => {
    const verdicts = await otherStoreImport.check(
      tx,
      provider,
      [
        { ...line, storeNumber: own, merchantNumber: merchant!.number },
        { ...line, platformStoreId: "e-2" },
        { ...line, merchantNumber: "nobody" },
        { ...line, platformStoreId: "e-2", storeNumber: own, merchantNumber: merchant!.number },
      ],
      "",
    );
    expect(verdicts).toEqual([
      { there: true },
      { errors: { merchantNumber: "请填写商户编号" } },
      { errors: { merchantNumber: "没有商户「nobody」" } },
      { value: expect.objectContaining({ merchantId: mch01.id, storeId: mch01.stores[0]!.id }) },
    ]);
  });
});

test("a platform's store is one store's at a moment, whichever merchant of the provider maps it", async () => {
  const { mch01, mch02, mch04: other } = world.tree.merchants;
  const provider = await world.signIn("sp01");
  const map = (of: typeof mch01, storeId: string | null, name = "共用店") => ({
    merchantId: of.id,
    platform: "ks" as const,
    platformStoreId: "k-1",
    name,
    storeId,
  });
  await world.call(saveOtherStore, provider, map(mch01, mch01.stores[0]!.id));
  const refused = await world.refused(saveOtherStore, provider, map(other, other.stores[0]!.id));
  expect([refused.status, refused.fields]).toEqual([400, { platformStoreId: expect.stringContaining("另一家商户已映射") }]);
  await world.call(saveOtherStore, provider, map(other, null));
  // Another provider's world is its own.
  await world.call(saveOtherStore, await world.signIn("sp02"), map(mch02, mch02.stores[0]!.id));
  // Two that were mapped before stay, and are named anew as ever; at once only one of two maps it.
  await world.call(saveOtherStore, provider, map(mch01, null));
  const both = await Promise.allSettled([mch01, other].map((of) => world.call(saveOtherStore, provider, map(of, of.stores[0]!.id))));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await world.truth(
    "update other_stores set mapped_store_id = case merchant_id when $1 then $2::uuid else $3::uuid end where platform_store_id = 'k-1' and merchant_id in ($1, $4)",
    [mch01.id, mch01.stores[0]!.id, other.stores[0]!.id, other.id],
  );
  await world.call(saveOtherStore, provider, map(other, other.stores[0]!.id, "改名"));
  await world.truth("delete from other_stores where platform_store_id = 'k-1'");
});

test("one of several stands for a store, and one that waits is told which store it looks like", async () => {
  const { mch01 } = world.tree.merchants;
  const token = await world.signIn("mch01");
  const [first, second] = [mch01.stores[0]!, mch01.stores[1]!];
  const save = (platformStoreId: string, storeId: string | null, primary?: boolean, name = "快手门店") =>
    world.call(saveOtherStore, token, {
      merchantId: mch01.id,
      platform: "ks",
      platformStoreId,
      name,
      storeId,
      ...(primary !== undefined && { primary }),
    });
  const primaries = async () =>
    (await world.call(queryOtherStores, token, { platform: "ks" }))
      .filter(({ isPrimary }) => isPrimary)
      .map(({ platformStoreId, storeId }) => [platformStoreId, storeId]);
  await save("k1", first.id);
  await save("k2", first.id);
  expect(await primaries()).toEqual([["k1", first.id]]);
  await save("k2", first.id, true);
  expect(await primaries()).toEqual([["k2", first.id]]);
  // A change of name leaves it what it is; another mapping makes it the first of the other store.
  await save("k2", first.id, undefined, "改了名");
  expect(await primaries()).toEqual([["k2", first.id]]);
  await save("k2", second.id);
  expect(await primaries()).toEqual([["k2", second.id]]);
  await save("k1", second.id, true);
  expect(await primaries()).toEqual([["k1", second.id]]);
  const [store] = await world.truth<{ short_name: string }>("select short_name from stores where id = $1", [first.id]);
  await save("k3", null, undefined, `蜀味（${store!.short_name}）抖音`);
  expect((await world.call(queryOtherStores, token, { platform: "ks", state: "waiting" }))[0]).toMatchObject({
    suggestedId: first.id,
    suggestedWhy: "名字",
  });
});

describe("which own store a platform's store is", () => {
  // Of the first merchant's stores two have a place, 2 km apart; about 1,112 m are a hundredth of a degree of latitude.
  const [LAT, LON] = [30.65, 104.08];
  beforeAll(async () => {
    const [near, far] = world.tree.merchants.mch01.stores;
    await world.truth(
      "update stores set latitude = $2, longitude = $3, address = '红星路三段1号', short_name = '春熙路店' where id = $1 returning id",
      [near!.id, LAT, LON],
    );
    await world.truth("update stores set latitude = $2, longitude = $3, short_name = '建设路店' where id = $1 returning id", [
      far!.id,
      LAT + 0.018,
      LON,
    ]);
  });
  test.each<[string, { name: string; address?: string; north?: number; east?: number }, 0 | 1 | null, string]>([
    ["stands 278 m away, by another name", { name: "蜀味", north: 0.0025 }, 0, "相距 278 米"],
    ["stands 299 m away", { name: "蜀味", north: 0.00269 }, 0, "相距 299 米"],
    ["stands 301 m away", { name: "蜀味", north: 0.00271 }, null, ""],
    ["stands 287 m away to the east, where a degree is shorter", { name: "蜀味", north: 0, east: 0.003 }, 0, "相距 287 米"],
    ["has the name, and no place is known", { name: "蜀味（建设路店）" }, 1, "名字"],
    ["has the name of a store that is far from where it stands", { name: "蜀味（建设路店）", north: 0.5 }, null, ""],
    ["has the name of one and stands at the other", { name: "蜀味（建设路店）", north: 0 }, 0, "相距 0 米"],
    ["has the address", { name: "蜀味", address: "锦江区 红星路三段1号 2 楼" }, 0, "地址"],
    ["has all of it", { name: "蜀味春熙路", address: "红星路三段1号", north: 0.001 }, 0, "名字、地址、相距 111 米"],
    ["has nothing", { name: "蜀味", address: "天府三街" }, null, ""],
  ])("one that %s", async (_what, { name, address = "", north, east = 0 }, expected, why) => {
    const { mch01 } = world.tree.merchants;
    const place = north === undefined ? {} : { place: { latitude: LAT + north, longitude: LON + east } };
    await withScope(world.services.pool, platformScope("a platform tells its stores"), (tx) =>
      seenStores(tx, world.services, { service_provider_id: mch01.serviceProviderId, merchant_id: mch01.id, platform: "dy" }, [
        { poiId: "near-1", name, address, ...place },
      ]),
    );
    const [row] = await world.call(queryOtherStores, await world.signIn("mch01"), { keyword: "near-1" });
    expect([row!.suggestedId, row!.suggestedWhy]).toEqual([expected === null ? null : mch01.stores[expected]!.id, why]);
  });
});

test("another mapping begins on a day, and none begins later than today or before the present one", async () => {
  const { mch01 } = world.tree.merchants;
  const token = await world.signIn("mch01");
  const [first, second] = [mch01.stores[0]!.id, mch01.stores[1]!.id];
  const today = shanghaiDay(world.services.clock.now_ms());
  const poi = { merchantId: mch01.id, platform: "dy" as const, platformStoreId: "dated", name: "迁店" };
  const on = async (day: string) =>
    (
      await world.truth<{ store: string | null }>("select app.mapped_store($1, $2, 'dy', 'dated', $3::date) as store", [
        mch01.serviceProviderId,
        mch01.id,
        day,
      ])
    )[0]!.store;
  const wrong = async (more: object) => (await world.refused(saveOtherStore, token, { ...poi, ...more })).fields;
  await world.call(saveOtherStore, token, { ...poi, storeId: first });
  expect([await on("2020-01-01"), await on(today)]).toEqual([first, first]);
  expect(await wrong({ storeId: second, fromDay: addDays(today, 1) })).toEqual({ fromDay: "生效日不能晚于今天" });
  await world.call(saveOtherStore, token, { ...poi, storeId: second, fromDay: addDays(today, -3) });
  expect([await on(addDays(today, -4)), await on(addDays(today, -3)), await on(today)]).toEqual([first, second, second]);
  expect((await world.call(queryOtherStores, token, { keyword: "dated" }))[0]).toMatchObject({
    storeId: second,
    mappedFrom: addDays(today, -3),
  });
  expect(await wrong({ storeId: first, fromDay: addDays(today, -4) })).toEqual({
    fromDay: `现在的映射从 ${addDays(today, -3)} 起，新的不能更早`,
  });
  expect(await wrong({ storeId: second, fromDay: today })).toEqual({ fromDay: "映射的门店没有变，生效日不用改" });
  // What stands in a closed 门店日 of either store keeps it.
  await world.truth(
    `insert into store_days (service_provider_id, id, merchant_id, store_id, day, status, figures, proposed_at, proposed_by, proposed_level, closed_at, closed_by)
      values ($1, gen_random_uuid(), $2, $3, $4, 'closed', '{}', now(), gen_random_uuid(), 'MCH', now(), gen_random_uuid())`,
    [mch01.serviceProviderId, mch01.id, first, addDays(today, -2)],
  );
  expect(await wrong({ storeId: first, fromDay: addDays(today, -2) })).toEqual({
    fromDay: `${addDays(today, -2)} 的门店日已结，生效日要在它之后`,
  });
  // A change of name, or the same again, moves no day; without a day it is today's.
  await world.call(saveOtherStore, token, { ...poi, storeId: second, name: "迁店二" });
  await world.call(saveOtherStore, token, { ...poi, storeId: second, fromDay: addDays(today, -3) });
  await world.call(saveOtherStore, token, { ...poi, storeId: null });
  expect([await on(addDays(today, -1)), await on(today)]).toEqual([second, null]);
  await world.call(saveOtherStore, token, { ...poi, storeId: first });
  expect([await on(addDays(today, -4)), await on(addDays(today, -1)), await on(today)]).toEqual([first, second, first]);
});
