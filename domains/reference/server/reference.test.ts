import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import {
  addTrade,
  countDivisionUses,
  listDivisions,
  listRegions,
  listTradeChoices,
  listTrades,
  setTradeState,
  updateDivision,
  updateTrade,
} from "../contract.ts";

let world: World;
let admin: string;
let merchant: string;
beforeAll(async () => {
  world = await openWorld();
  admin = await world.signIn("admin");
  merchant = await world.signIn("mch01");
});
afterAll(() => world.close());
const requestId = () => world.services.ids.uuid(world.services.clock.now_ms());

test("the nation has 31 provinces with codes; every division but those lies in one that is there", async () => {
  const counts = await world.truth<{ level: number; n: number }>(
    "select level, count(*)::int as n from divisions group by level order by level",
  );
  expect(counts).toEqual([
    { level: 1, n: 31 },
    { level: 2, n: 342 },
    { level: 3, n: expect.any(Number) },
  ]);
  expect(await world.truth("select code from divisions where level > 1 and parent_code is null or name = '' or short_name = ''")).toEqual(
    [],
  );
  const named = await world.truth(
    "select name, short_name from divisions where code = any('{15,65,1101,4228,130321,110101}') order by code",
  );
  expect(named.map(({ short_name }) => short_name)).toEqual(["北京", "东城", "青龙", "内蒙古", "恩施", "新疆"]);
});

test("pages of a level follow their codes and miss nothing", async () => {
  const codes: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.call(listDivisions, admin, { level: 2, pageSize: 100, withTotal: true, ...(cursor && { cursor }) });
    expect(page.total).toEqual({ count: 342, more: false });
    codes.push(...page.items.map(({ code }) => code));
    cursor = page.next ?? undefined;
  } while (cursor);
  expect(codes).toHaveLength(342);
  expect(codes).toEqual([...new Set(codes)].toSorted());
  const found = await world.call(listDivisions, admin, { level: 3, provinceCode: "51", keyword: "锦江" });
  expect(found.items).toMatchObject([{ code: "510104", parentName: "四川 成都市", below: 0, hidden: false }]);
});

test("an address can name what is open: a closed province takes its cities with it, and comes back with them", async () => {
  const open = await world.call(listRegions, merchant, {});
  expect(open.find(({ name }) => name === "四川省")!.cities[0]).toMatchObject({
    name: "成都市",
    districts: expect.arrayContaining(["锦江区"]),
  });
  // A municipality is a city of itself, with all its districts and counties.
  const chongqing = open.find(({ name }) => name === "重庆市")!;
  expect(chongqing.cities).toMatchObject([{ name: "重庆市", districts: expect.arrayContaining(["渝中区", "云阳县"]) }]);

  expect(await world.call(countDivisionUses, admin, { code: "51" })).toEqual({ merchants: 4, stores: expect.any(Number) });
  expect(await world.call(countDivisionUses, admin, { code: "5001" })).toMatchObject({ merchants: 1 });
  await world.call(updateDivision, admin, { code: "51", enabled: false });
  expect((await world.call(listRegions, merchant, {})).some(({ name }) => name === "四川省")).toBe(false);
  const city = (await world.call(listDivisions, admin, { level: 2, keyword: "5101" })).items[0];
  expect(city).toMatchObject({ enabled: true, hidden: true });
  expect((await world.refused(updateDivision, admin, { code: "51", enabled: false })).status).toBe(409);
  await world.call(updateDivision, admin, { code: "51", enabled: true, shortName: "川" });
  expect((await world.call(listRegions, merchant, {})).find(({ name }) => name === "四川省")!.cities).toHaveLength(21);
  const audit = await world.truth(
    "select detail from audit_log where endpoint = '/api/divisions/update' and detail -> 'after' ->> 'shortName' = '川'",
  );
  expect(audit[0]!["detail"]).toEqual({
    before: { name: "四川省", shortName: "四川", enabled: false },
    after: { name: "四川省", shortName: "川", enabled: true },
  });
});

test("trades stand in groups, once each, and no deeper", async () => {
  const all = await world.call(listTrades, admin, { pageSize: 100, withTotal: true });
  expect(all.total!.count).toBe(all.items.length);
  // Each group is followed by its own.
  let group = "";
  for (const row of all.items) {
    if (row.parentId === null) group = row.name;
    else expect(row.parentName).toBe(group);
  }
  const parentId = all.items.find(({ name }) => name === "餐饮")!.id;
  const given = { requestId: requestId(), parentId, name: "茶饮", feeRate: 250, certificates: ["食品经营许可证", "", " "] };
  const { id } = await world.call(addTrade, admin, given);
  expect(await world.call(addTrade, admin, given)).toEqual({ id });
  expect((await world.refused(addTrade, admin, { ...given, requestId: requestId() })).fields).toEqual({ name: "同级已有这个行业" });
  expect((await world.refused(addTrade, admin, { ...given, requestId: requestId(), name: "奶茶", parentId: id })).fields).toEqual({
    parentId: "上级行业不存在",
  });
  expect(await world.call(listTradeChoices, merchant, {})).toContainEqual({
    name: "茶饮",
    group: "餐饮",
    feeRate: 250,
    certificates: ["食品经营许可证"],
  });
  await world.call(setTradeState, admin, { id: parentId, enabled: false });
  expect((await world.call(listTradeChoices, merchant, {})).some(({ group: top }) => top === "餐饮")).toBe(false);
  await world.call(setTradeState, admin, { id: parentId, enabled: true });
  expect((await world.refused(setTradeState, admin, { id: parentId, enabled: true })).status).toBe(409);
});

test("a trade that merchants have keeps its name, and can change otherwise", async () => {
  const row = (await world.call(listTrades, admin, { keyword: "川湘菜" })).items[0]!;
  expect(row.merchants).toBe(1);
  expect((await world.refused(updateTrade, admin, { id: row.id, name: "川菜", certificates: [] })).fields).toEqual({
    name: "已有 1 家商户属于「川湘菜」，不能改名",
  });
  await world.call(updateTrade, admin, { id: row.id, name: "川湘菜", feeRate: 380, certificates: ["食品经营许可证", "卫生许可证"] });
  expect((await world.call(listTrades, admin, { keyword: "川湘菜" })).items[0]).toMatchObject({
    feeRate: 380,
    certificates: ["食品经营许可证", "卫生许可证"],
  });
});

test("only the platform changes them", async () => {
  for (const login of ["sp01", "agent01", "mch01", "emp01"]) {
    const token = await world.signIn(login);
    expect((await world.refused(updateDivision, token, { code: "11", enabled: false })).status).toBe(403);
    expect((await world.refused(addTrade, token, { requestId: requestId(), name: "越权" })).status).toBe(403);
    expect((await world.refused(listDivisions, token, {})).status).toBe(403);
  }
});
