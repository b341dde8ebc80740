import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findBanks, findBranches } from "../../contract/index.ts";
import { type ApplymentWorld, come, openApplymentWorld } from "../testing/applyment-world.ts";

let world: ApplymentWorld;
beforeAll(async () => {
  world = await openApplymentWorld();
});
beforeEach(async () => {
  await world.clean();
  await emptyTables(world.owner, "bank_lists");
  // Nothing is remembered of the test before.
  world.services.clock.advance(61_000);
});
afterAll(() => world.close());

const DAY = 86_400_000;
const branchesNow = (q: string, more: object = {}) => world.call("sp01", findBranches, { bank: "1000009580", area: "510100", q, ...more });
const branches = (q: string, more: object = {}) => come(() => branchesNow(q, more));
const banks = (login: "sp01" | "sp02" | "agent01", given: { kind: "corporate" | "personal"; q: string }) =>
  come(() => world.call(login, findBanks, given));
const kept = () => world.owner<{ key: string; n: number }>("select key, jsonb_array_length(entries) as n from bank_lists order by key");
const down = () => world.simulator.control("POST faults", { kind: "error-500", operation: "bank-list", times: 50 });

test("a bank of 其他银行 and its branch are found by parts of their names, all pages read once for everybody", async () => {
  expect(await banks("agent01", { kind: "corporate", q: "农村" })).toEqual({
    why: "",
    items: [{ code: "1000009580", name: "成都农村商业银行" }],
    more: 0,
    fetching: false,
  });
  // What needs no branch is not offered.
  expect((await banks("sp01", { kind: "corporate", q: "招商" })).items).toEqual([]);
  const found = await branches("青羊 第40支行");
  expect(found.items).toEqual([{ code: expect.stringMatching(/^\d{12}$/) as string, name: "成都农村商业银行成都市青羊第40支行" }]);
  expect(await branches("")).toMatchObject({ more: 220 });
  expect(await kept()).toEqual([
    { key: "banks:corporate", n: 235 },
    { key: "branches:1000009580:28", n: 240 },
    { key: "cities:26", n: 2 },
    { key: "provinces", n: 5 },
  ]);
  // 北京 is a city of itself, however its code is written.
  for (const area of ["110000", "110100"]) expect((await branches("", { area })).items[0]?.name).toMatch(/北京市/);
});

test("half a list or an empty one does not pass for the whole, and what nobody may pick is not asked about", async () => {
  await banks("sp01", { kind: "corporate", q: "" });
  // Its last page comes before its total.
  expect(await branches("", { bank: "1000009548" })).toMatchObject({ why: expect.stringContaining("请手填"), items: [] });
  expect(await branches("", { bank: "7777777" })).toMatchObject({ why: expect.stringContaining("没有这家银行"), items: [] });
  expect((await kept()).map(({ key }) => key)).toEqual(["banks:corporate", "cities:26", "provinces"]);
  // A no is believed for minutes.
  const no = { kind: "refuse", operation: "bank-list", status: 404, code: "RESOURCE_NOT_EXISTS", message: "查询结果为空", times: 1 };
  await world.simulator.control("POST faults", no);
  for (let times = 0; times < 2; times++) expect((await branches("")).why).toMatch(/一家也没有，请手填/);
  world.services.clock.advance(11 * 60_000);
  expect((await branches("")).items).toHaveLength(20);
  // And never over what is there.
  world.services.clock.advance(31 * DAY);
  await world.simulator.control("POST faults", { ...no, times: 4 });
  expect((await branches("")).items).toHaveLength(20);
  await world.simulator.control("DELETE faults");
  expect(await kept()).toContainEqual({ key: "branches:1000009580:28", n: 240 });
});

test("a list lives for thirty days, serves on while WeChat Pay is down, and without any it has to be typed", async () => {
  await banks("sp01", { kind: "corporate", q: "" });
  await branches("");
  await down();
  expect((await branches("")).why).toBe("");
  world.services.clock.advance(31 * DAY);
  expect((await branches("")).why).toBe("");
  expect(await branches("", { bank: "1000009547" })).toEqual({
    why: "微信支付的银行名录暂时查不到，请手填",
    items: [],
    more: 0,
    fetching: false,
  });
  await world.simulator.control("DELETE faults");
  world.services.clock.advance(61_000);
  expect((await branches("", { bank: "1000009547" })).items[0]?.name).toMatch(/^成都银行/);
  // A city that the list has not, and an area that is none.
  expect((await branches("", { area: "650100" })).why).toMatch(/请手填/);
  expect((await branches("", { area: "999900" })).why).toMatch(/请先选/);
  // Another provider, without an account of its own, is served from what is kept.
  expect((await come(() => world.call("sp02", findBranches, { bank: "1000009547", area: "510100", q: "" }))).items.length).toBe(20);
  expect((await banks("sp02", { kind: "personal", q: "" })).why).toMatch(/进件账户/);
});

test("what did not come is asked for once by all who want it meanwhile, and by nobody for a minute", async () => {
  await banks("sp01", { kind: "corporate", q: "" });
  await branches("");
  const other = async () => {
    const { why, items } = await branches("", { bank: "1000009501" });
    return [why, items.length];
  };
  const DOWN = ["微信支付的银行名录暂时查不到，请手填", 0];
  await world.simulator.control("POST faults", { kind: "error-500", operation: "bank-list", times: 1 });
  expect(await Promise.all([other(), other(), other()])).toEqual([DOWN, DOWN, DOWN]);
  // WeChat Pay would answer by now; another list is asked for.
  expect(await other()).toEqual(DOWN);
  expect((await branches("", { bank: "1000009547" })).items).toHaveLength(20);
  world.services.clock.advance(61_000);
  expect(await other()).toEqual(["", 20]);
});

test("who waits for a long list hears soon that it is being fetched, and has it when they ask again", async () => {
  await banks("sp01", { kind: "corporate", q: "" });
  await branches("");
  await world.simulator.control("POST faults", { kind: "slow", operation: "bank-list", times: 1, delay_ms: 6_000 });
  const other = { bank: "1000009547" };
  expect(await branchesNow("", other)).toEqual({ why: "", items: [], more: 0, fetching: true });
  expect((await branches("", other)).items).toHaveLength(20);
  // One that is old serves meanwhile.
  world.services.clock.advance(31 * DAY);
  await world.simulator.control("POST faults", { kind: "slow", operation: "bank-list", times: 1, delay_ms: 6_000 });
  expect(await branchesNow("", other)).toMatchObject({ fetching: false, items: expect.objectContaining({ length: 20 }) as never });
});
