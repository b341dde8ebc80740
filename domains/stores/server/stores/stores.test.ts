import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { spellAnew } from "@zhangfang/server/pinyin.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { unbindDevice } from "../../../devices/contract/index.ts";
import { getAccount } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  everyDay,
  getStore,
  listStoreChoices,
  listStoreRows,
  listStores,
  listStoresOfMerchant,
  openStore,
  setStoreOpen,
  summariseStores,
  updateStore,
} from "../../contract/index.ts";
import { makeStore, merchantForStores } from "./open-store.ts";

const LOGINS = ["admin", "sp01", "sp02", "agent01", "group01", "team01", "sale01", "mch01", "mch02", "area01", "emp01"] as const;
let world: World;
let tokens: Record<(typeof LOGINS)[number], string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  tokens = Object.fromEntries(await Promise.all(LOGINS.map(async (login) => [login, await world.signIn(login)] as const))) as typeof tokens;
});
const fresh = (more: object = {}) => ({ requestId: randomUUID(), name: "蜀味川菜望江楼店", shortName: "望江楼店", ...more });
const found = async (keyword: string, token = tokens.mch01) =>
  (await world.call(listStoreRows, token, { keyword, pageSize: 100 })).items.map((row) => row.shortName);

test("a merchant opens stores of its own; the same request again finds the one that is there", async () => {
  const given = fresh({ shortName: "锦里店", phone: "13912345678", opening: everyDay("09:00", "22:00") });
  const made = await world.call(openStore, tokens.mch01, given);
  expect(await world.call(openStore, tokens.mch01, given)).toEqual(made);
  expect(await world.truth("select merchant_id from stores where short_name = '锦里店'")).toEqual([
    { merchant_id: world.tree.merchants.mch01.id },
  ]);
  const shown = await world.call(getStore, tokens.mch01, { id: made.id });
  expect(shown).toMatchObject({ number: made.number, phone: "139****5678", hours: "每天 09:00–22:00", version: 1, cashierCount: 0 });
  const audit = await world.truth("select detail from audit_log where target_id = $1", [made.id]);
  expect(audit).toHaveLength(1);
  expect(JSON.stringify(audit)).not.toContain("13912345678");
});

test("those above name the merchant, one in their sight and open; whoever sees a part of the stores opens none", async () => {
  const { mch01, mch02, mch05 } = world.tree.merchants;
  const opened = async (token: string, merchantId?: string) =>
    (await world.refused(openStore, token, fresh(merchantId ? { merchantId } : {}))).status;
  expect((await world.refused(openStore, tokens.sp01, fresh())).fields).toHaveProperty("merchantId");
  expect((await world.refused(openStore, tokens.sp01, fresh({ merchantId: mch02.id }))).fields).toHaveProperty("merchantId");
  expect((await world.refused(openStore, tokens.agent01, fresh({ merchantId: mch05.id }))).fields).toHaveProperty("merchantId");
  expect((await world.refused(openStore, tokens.mch02, fresh({ merchantId: mch01.id }))).fields).toHaveProperty("merchantId");
  for (const login of ["admin", "group01", "sale01", "area01", "emp01"] as const)
    expect(await opened(tokens[login], mch01.id), login).toBe(403);
  for (const login of ["sp01", "agent01", "team01"] as const) await world.call(openStore, tokens[login], fresh({ merchantId: mch01.id }));
  const items = ["/store/store", "/store/store/add"];
  await world.truth("update positions set items = items || $1 where id = $2", [items, world.tree.position]);
  expect(await opened(await world.signIn("fin01"))).toBe(403);
  await world.truth("update merchants set state = 'disabled' where id = $1", [mch05.id]);
  expect((await world.refused(openStore, tokens.sp01, fresh({ merchantId: mch05.id }))).fields).toHaveProperty("merchantId");
  await world.truth("update merchants set state = 'active' where id = $1", [mch05.id]);
});

test("a number is one store's within a provider; another provider may use it too", async () => {
  await world.call(openStore, tokens.mch01, fresh({ number: "CD-001" }));
  expect((await world.refused(openStore, tokens.mch01, fresh({ number: "CD-001" }))).fields).toEqual({ number: "门店编号已存在" });
  expect(
    (await world.refused(openStore, tokens.sp01, fresh({ number: "CD-001", merchantId: world.tree.merchants.mch03.id }))).fields,
  ).toHaveProperty("number");
  await world.call(openStore, tokens.mch02, fresh({ number: "CD-001" }));
});

test("a sheet's rows become stores in one transaction; a number that is taken is told and the rest go on", async () => {
  const scope = platformScope("an import of the test");
  const made = await withScope(world.services.pool, scope, async (tx) => {
    const merchant = await merchantForStores({ scope }, tx, world.tree.merchants.mch04.id);
    const told: string[] = [];
    for (const number of ["CQ-1", "CQ-2", "CQ-1"])
      told.push(
        await makeStore(world, tx, merchant, { name: `麦香烘焙${number}`, shortName: number, number }).then(
          (one) => one.number,
          (refusal: Error) => refusal.message,
        ),
      );
    return told;
  });
  expect(made).toEqual(["CQ-1", "CQ-2", "门店编号已存在"]);
  expect(await world.truth("select 1 from stores where number like 'CQ-%'")).toHaveLength(2);
});

test("a place is two figures, and a week has a day that is open", async () => {
  const wrong = async (more: object) => Object.keys((await world.refused(openStore, tokens.mch01, fresh(more))).fields ?? {});
  expect(await wrong({ latitude: 30.6 })).toEqual(["longitude"]);
  expect(await wrong({ latitude: 130.6, longitude: 104 })).toEqual(["latitude"]);
  expect(await wrong({ opening: Array.from({ length: 7 }, () => null) })).toEqual(["opening"]);
  expect(await wrong({ opening: everyDay("9:00", "25:00") })).toContain("opening.0.from");
});

test("a store is found by a part of its names, by initials with either reading, by number and by the phone's end", async () => {
  const { id, number } = await world.call(
    openStore,
    tokens.mch01,
    fresh({ name: "蜀味川菜重庆长江路店", shortName: "长江路店", phone: "13700006612" }),
  );
  for (const keyword of ["长江", "重庆长江", "cjld", "zjld", "changjiang", "SWCCZQ", number, number.slice(2, 7), "6612", "00006612", "江"])
    expect(await found(keyword), keyword).toContain("长江路店");
  for (const keyword of ["江长", "6613", "612", "%", "_", "ldjc", "xx"]) expect(await found(keyword), keyword).not.toContain("长江路店");
  expect(await found("长江", tokens.mch02)).toEqual([]);
  expect(await found("长江", tokens.sp01)).toEqual(["长江路店"]);
  expect((await world.call(listStores, tokens.sp01, { keyword: "cjl" })).map((row) => row.id)).toEqual([id]);
  const { merchants } = world.tree;
  expect(await world.call(listStoresOfMerchant, tokens.sp01, { keyword: "长江", merchantsId: merchants.mch03.id })).toEqual([]);
  await world.call(updateStore, tokens.mch01, { id, version: 1, name: "蜀味川菜嘉陵江店", shortName: "嘉陵江店" });
  expect(await found("jljd")).toEqual(["嘉陵江店"]);
  expect(await found("长江")).toEqual([]);
  expect(await found("6612")).toEqual(["嘉陵江店"]);
});

test("two who edit the same version: the second is told; employees edit nothing", async () => {
  const { id } = await world.call(openStore, tokens.mch01, fresh());
  const edit = { id, version: 1, name: "望江楼新店", shortName: "新店", opening: everyDay("10:00", "02:00") };
  await world.call(updateStore, tokens.mch01, edit);
  expect((await world.refused(updateStore, tokens.mch01, edit)).status).toBe(409);
  expect((await world.call(getStore, tokens.mch01, { id })).hours).toBe("每天 10:00–次日 02:00");
  expect((await world.refused(updateStore, tokens.mch02, { ...edit, version: 2 })).status).toBe(404);
  const [own] = world.tree.merchants.mch01.stores;
  expect((await world.refused(updateStore, tokens.emp01, { ...edit, id: own!.id })).status).toBe(403);
});

test("a device that was unbound stands no more in its store, and the store opens as before", async () => {
  const [, second] = world.tree.merchants.mch01.stores;
  const before = await world.call(getStore, tokens.mch01, { id: second!.id });
  await world.call(unbindDevice, tokens.mch01, { id: before.devices[0]!.id });
  const after = await world.call(getStore, tokens.mch01, { id: second!.id });
  expect(after.devices).toEqual(before.devices.slice(1));
  const { items } = await world.call(listStoreRows, tokens.mch01, {});
  expect(items.find(({ id }) => id === second!.id)?.deviceCount).toBe(before.devices.length - 1);
});

test("closing puts the store's people out and refuses its devices; others stay; opening lets them back", async () => {
  const [first, , third] = world.tree.merchants.mch01.stores;
  const shown = await world.call(getStore, tokens.mch01, { id: first!.id });
  expect(shown.employees.map((one) => one.login)).toEqual(["area01", "emp01", "fin01"]);
  expect(shown).toMatchObject({ accountCount: 3, openDeviceCount: first!.devices.length, cashierCount: 2 });
  expect(shown.sessionCount).toBeGreaterThanOrEqual(2);
  expect(shown.areas.map((one) => one.name)).toEqual(["城东区"]);
  const { endedSessions } = await world.call(setStoreOpen, tokens.mch01, { id: first!.id, state: "disabled" });
  expect(endedSessions).toBe(shown.sessionCount);
  for (const login of ["area01", "emp01"] as const) expect((await world.refused(getAccount, tokens[login], {})).status).toBe(401);
  await world.call(getAccount, tokens.mch01, {});
  expect((await world.refused(setStoreOpen, tokens.mch01, { id: first!.id, state: "disabled" })).status).toBe(409);
  expect((await world.call(listStoreRows, tokens.mch01, { state: "disabled" })).items.map((row) => row.id)).toEqual([first!.id]);
  await world.call(setStoreOpen, tokens.sp01, { id: first!.id, state: "active" });
  expect((await world.refused(setStoreOpen, tokens.agent01, { id: third!.id, state: "disabled" })).status).toBe(403);
  expect((await world.refused(setStoreOpen, tokens.sp02, { id: third!.id, state: "disabled" })).status).toBe(404);
});

test("each sees its own stores, the counts agree, and filters narrow within", async () => {
  const { merchants, agents, area, providers, storeGroup } = world.tree;
  for (const [login, token] of Object.entries(tokens)) {
    const list = await world.call(listStoreRows, token, { pageSize: 100, withTotal: true });
    const sums = await world.call(summariseStores, token, {});
    expect(sums.count, login).toBe(list.total?.count);
  }
  const ids = async (token: string, filter: object) =>
    (await world.call(listStoreRows, token, { pageSize: 100, ...filter })).items.map((row) => row.id).toSorted();
  const [first, second] = merchants.mch01.stores.map((store) => store.id);
  expect(await ids(tokens.emp01, {})).toEqual([first]);
  expect(await ids(tokens.area01, {})).toEqual([first!, second!].toSorted((a, b) => a.localeCompare(b)));
  expect(await ids(tokens.mch01, { areaId: area })).toEqual([first!, second!].toSorted((a, b) => a.localeCompare(b)));
  expect(await ids(tokens.mch02, { areaId: area })).toEqual([]);
  expect(await ids(tokens.sp01, { agentId: agents.agent02 })).toEqual(merchants.mch06.stores.map((store) => store.id));
  expect(await ids(tokens.agent01, { serviceProviderId: providers.sp02 })).toEqual([]);
  expect(await ids(tokens.sp01, { province: "四川省", city: "绵阳市" })).toEqual(
    merchants.mch05.stores.map((store) => store.id).toSorted(),
  );
  expect(await world.call(listStoreChoices, tokens.mch01, {})).toEqual({
    groups: [{ id: storeGroup, name: "核心商圈" }],
    areas: [{ id: area, name: "城东区" }],
  });
  expect(await ids(tokens.mch01, { groupId: storeGroup })).toEqual(
    [first!, merchants.mch01.stores.at(-1)!.id].toSorted((a, b) => a.localeCompare(b)),
  );
  expect(await world.call(listStoreChoices, tokens.mch02, { merchantId: merchants.mch01.id })).toEqual({ groups: [], areas: [] });
});

test("a store goes with its merchant when that is handed over, and so does one that is opened later", async () => {
  const merchantId = world.tree.merchants.mch01.id;
  const agent = world.tree.agents.agent01;
  const seen = async (token: string) => (await found("蜀味川菜", token)).length;
  const before = await seen(tokens.agent01);
  expect(before).toBeGreaterThan(0);
  await world.truth("update merchants set agent_id = null where id = $1", [merchantId]);
  expect(await seen(tokens.agent01)).toBeLessThan(before);
  await world.call(openStore, tokens.mch01, fresh({ shortName: "换手后开的店" }));
  expect(await found("换手后开的店", tokens.agent01)).toEqual([]);
  await world.truth("update merchants set agent_id = $2 where id = $1", [merchantId, agent]);
  expect(await found("换手后开的店", tokens.agent01)).toEqual(["换手后开的店"]);
  expect(
    await world.truth(`select s.id from stores s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
      where (s.agent_id, s.business_group_id, s.business_team_id, s.salesman_id)
        is distinct from (m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id)`),
  ).toEqual([]);
});

test("at night what stores and merchants are found by is made anew where it is not what names say today", async () => {
  const { id } = await world.call(openStore, tokens.mch01, fresh({ name: "重庆小面", shortName: "渝面" }));
  for (const table of ["stores", "merchants"] as const) {
    const before = await world.truth(`select id, pinyin from ${table} order by id`);
    await world.truth(`update ${table} set pinyin = 'cqxm'`);
    await spellAnew(table).run(world.services, {});
    expect(await world.truth(`select id, pinyin from ${table} order by id`)).toEqual(
      before.map(({ id: one }) => ({ id: one, pinyin: expect.stringMatching(/[a-z]{5}/) })),
    );
  }
  expect(await world.truth("select pinyin from stores where id = $1", [id])).toEqual([{ pinyin: "ym yumian cqxm zqxm chongqingxiaomian" }]);
  expect(await found("chongqingxiao")).toContain("渝面");
});
