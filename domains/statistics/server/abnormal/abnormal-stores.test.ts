import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "@zhangfang/contract/time.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { listMessages } from "../../../messages/contract.ts";
import { messages } from "../../../messages/server/index.ts";
import {
  getAbnormalLimits,
  handleAbnormalStores,
  listAbnormalStores,
  reopenAbnormalStore,
  setAbnormalLimits,
  summariseAbnormalStores,
} from "../../contract/abnormal.ts";
import { statistics } from "../index.ts";
import { findAbnormalStores } from "./find-abnormal-stores.ts";

const TODAY = "2026-11-20";
const back = (days: number): string => addDays(TODAY, -days);
import { fileRows } from "@zhangfang/server/testing/file-rows.ts";
import { abnormalExport } from "./export-abnormal.ts";

let world: World;
let sp01: string;
beforeAll(async () => {
  world = await openWorld([...statistics.routes, ...messages.routes]);
  await world.truth("update stores set created_at = '2026-01-01'");
});
afterAll(() => world.close());
beforeEach(async () => {
  sp01 = await world.signIn("sp01");
  for (const table of ["abnormal_stores", "abnormal_limits", "takings_fresh", "takings_daily_folded", "messages"])
    await world.truth(`delete from ${table}`);
  await world.truth("update devices set last_seen_at = $1", [new Date(world.services.clock.now_ms()).toISOString()]);
  // Everybody sells every day, so that each test spoils one store.
  for (let day = 1; day <= 40; day++)
    await world.truth(
      "insert into takings_daily_folded (service_provider_id, day, merchant_id, store_id, pay_count, paid_cents) select service_provider_id, $1, merchant_id, id, 5, 50000 from stores",
      [back(day)],
    );
});
const stores = () => world.tree.merchants.mch01.stores;
const sell = (store: string, from: number, to: number, set: string): Promise<unknown> =>
  world.truth(`update takings_daily_folded set ${set} where store_id = $1 and day between $2 and $3`, [store, back(from), back(to)]);
const look = () => findAbnormalStores.run(world.services, {});
const found = async (token = sp01) =>
  (await world.call(listAbnormalStores, token, { pageSize: 100 })).items.map(({ storeId, reason, status }) => ({
    storeId,
    reason,
    status,
  }));

test("where everybody sells as always, nothing is found", async () => {
  await look();
  expect(await found()).toEqual([]);
});

test("a store without an order for as many whole days as the limit says is found, with its last day; a day earlier it is not", async () => {
  const [store] = stores();
  await sell(store!.id, 6, 1, "pay_count = 0, paid_cents = 0");
  await look();
  // It has fallen already, and is not silent yet.
  expect((await found()).map(({ reason }) => reason)).toEqual([2]);
  await sell(store!.id, 7, 7, "pay_count = 0, paid_cents = 0");
  await look();
  const { items } = await world.call(listAbnormalStores, sp01, { reason: 1 });
  expect(items).toMatchObject([{ storeId: store!.id, reason: 1, since: back(7), facts: { days: 7, lastDay: back(8) }, status: 0 }]);
  const file = async (login: string, filter: object) => {
    const [user] = await world.truth<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
    return fileRows(world.services, abnormalExport as never, user!.scope, filter);
  };
  const words = `7 天无订单，最后一单 ${back(8)}`;
  expect(await file("sp01", { reason: 1 })).toMatchObject([{ reason: "无订单", facts: words, status: "待处理", note: null }]);
  expect([await file("sp01", { reason: 4 }), await file("sp02", {})]).toEqual([[], []]);
});

test("takings that fall by the limit against the mean of four weeks are found, with both figures", async () => {
  const [store] = stores();
  await sell(store!.id, 7, 1, "pay_count = 2, paid_cents = 25000");
  await look();
  const { items } = await world.call(listAbnormalStores, sp01, {});
  expect(items).toMatchObject([{ storeId: store!.id, reason: 2, facts: { weekCents: 175_000, meanCents: 350_000 } }]);
  await world.truth("delete from abnormal_stores");
  await sell(store!.id, 7, 7, "paid_cents = 25100");
  await look();
  expect(await found()).toEqual([]);
});

test("too many refunds and devices that are silent too long are found", async () => {
  const [one, other] = stores();
  await sell(one!.id, 3, 3, "refund_count = 8");
  const [device] = await world.truth<{ id: string }>("select id from devices where store_id = $1", [other!.id]);
  const seen = new Date(world.services.clock.now_ms() - 25 * 3600_000).toISOString();
  await world.truth("update devices set last_seen_at = $2 where id = $1", [device!.id, seen]);
  await look();
  const { items } = await world.call(listAbnormalStores, sp01, {});
  const told = new Map(items.map(({ storeId, reason, facts }) => [storeId, [reason, facts.refunds ?? facts.offline]]));
  expect(told).toEqual(
    new Map([
      [one!.id, [3, 8]],
      [other!.id, [4, 1]],
    ]),
  );
});

test("what goes on is one finding with the newest figures, what is handled stays so, and what is over is closed", async () => {
  const [store] = stores();
  await sell(store!.id, 7, 1, "pay_count = 0, paid_cents = 0");
  await look();
  await look();
  const [row] = (await world.call(listAbnormalStores, sp01, {})).items;
  expect(await found()).toHaveLength(1);
  await world.call(handleAbnormalStores, sp01, { ids: [row!.id], note: "装修" });
  await look();
  expect(await found()).toEqual([{ storeId: store!.id, reason: 1, status: 1 }]);
  await world.call(reopenAbnormalStore, sp01, { id: row!.id });
  expect(await found()).toEqual([{ storeId: store!.id, reason: 1, status: 0 }]);
  world.services.clock.advance(86_400_000);
  await sell(store!.id, 1, 1, "pay_count = 9, paid_cents = 90000");
  await look();
  expect((await found(await world.signIn("sp01"))).filter(({ reason }) => reason === 1)).toEqual([
    { storeId: store!.id, reason: 1, status: 2 },
  ]);
  world.services.clock.advance(-86_400_000);
});

test("handling is all or nothing, and closed to those who do not look after the store", async () => {
  const [one, other] = stores();
  for (const store of [one, other]) await sell(store!.id, 7, 1, "pay_count = 0, paid_cents = 0");
  await look();
  const ids = (await world.call(listAbnormalStores, sp01, {})).items.map(({ id }) => id);
  await world.call(handleAbnormalStores, sp01, { ids: [ids[0]!], note: "装修" });
  expect((await world.refused(handleAbnormalStores, sp01, { ids, note: "都好了" })).status).toBe(409);
  expect((await world.call(summariseAbnormalStores, sp01, {})).perStatus).toEqual([
    { status: 0, count: 1 },
    { status: 1, count: 1 },
    { status: 2, count: 0 },
  ]);
  const sp02 = await world.signIn("sp02");
  expect((await world.refused(handleAbnormalStores, sp02, { ids: [ids[1]!], note: "x" })).status).toBe(404);
  expect(await found(sp02)).toEqual([]);
  expect((await world.refused(listAbnormalStores, await world.signIn("mch01"), {})).status).toBe(403);
});

test("a provider's own limits hold for its stores alone, and nobody overwrites what they did not see", async () => {
  const [store] = stores();
  await sell(store!.id, 3, 1, "pay_count = 0, paid_cents = 0");
  expect(await world.call(getAbnormalLimits, sp01, {})).toMatchObject({ silentDays: 7, version: 0 });
  const limits = { silentDays: 3, dropPercent: 90, refundPercent: 50, offlineHours: 48 };
  await world.call(setAbnormalLimits, sp01, { version: 0, ...limits });
  expect((await world.refused(setAbnormalLimits, sp01, { version: 0, ...limits })).status).toBe(409);
  await look();
  expect(await found()).toEqual([{ storeId: store!.id, reason: 1, status: 0 }]);
  const admin = await world.signIn("admin");
  expect((await world.refused(getAbnormalLimits, admin, {})).fields).toHaveProperty("serviceProviderId");
  expect(await world.call(getAbnormalLimits, admin, { serviceProviderId: world.tree.providers.sp01 })).toMatchObject({
    ...limits,
    version: 1,
  });
});

test("those who look after the stores are told once how many were found", async () => {
  const [one, other] = stores();
  for (const store of [one, other]) await sell(store!.id, 7, 1, "pay_count = 0, paid_cents = 0");
  await look();
  await look();
  const told = async (login: string) => (await world.call(listMessages, await world.signIn(login), {})).items.map(({ title }) => title);
  expect(await told("sp01")).toEqual(["新发现 2 家异常门店"]);
  expect(await told("sp02")).toEqual([]);
  expect(await told("mch01")).toEqual([]);
});
