import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { runTransaction } from "@zhangfang/server/database/db.ts";
import {
  BUILT_SCREENS,
  BUTTONS,
  getAccount,
  getBrand,
  getConfig,
  getPreference,
  listUserItems,
  MENU,
  MENU_TREE,
  setPreference,
} from "../../contract/index.ts";
import { readSession, sessionSql } from "../index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const items = async (login: string) => world.call(listUserItems, await world.signIn(login), { appId: "Fy.Background" });

test("the account answers just the fields of the contract, with one authority by role", async () => {
  const roles = {
    admin: "ROLE_ADMIN",
    sp01: "ROLE_ServiceProvider",
    agent01: "ROLE_Agent",
    group01: "ROLE_BusinessGroup",
    team01: "ROLE_BusinessTeam",
    sale01: "ROLE_BusinessTeam",
    mch01: "ROLE_Merchants",
    area01: "ROLE_Area",
    emp01: "ROLE_Employee",
  };
  for (const [login, role] of Object.entries(roles)) {
    const account = await world.call(getAccount, await world.signIn(login), {});
    expect(Object.keys(account).toSorted()).toEqual(["actingFor", "authorities", "avatar", "firstName", "id", "login", "rootLogin"]);
    expect([account.authorities, account.login]).toEqual([[role], login]);
  }
  expect((await world.call(getAccount, await world.signIn("emp01"), {})).rootLogin).toBe("mch01");
});

test("each level's home and menu: entries in the order of the spec, only screens that exist, a parent for each", async () => {
  const titles = async (login: string) => (await items(login)).filter((item) => item.parentId === 0).map((item) => item.name);
  const order: readonly string[] = MENU_TREE.map(({ title }) => title);
  for (const [login, home] of [
    ["admin", "数据概览"],
    ["sp01", "服务商概览"],
    ...["agent01", "group01", "team01", "sale01"].map((middle) => [middle, "数据概览"] as const),
    ...["mch01", "area01", "emp01"].map((below) => [below, "商户概览"] as const),
  ] as const) {
    const shown = await titles(login);
    expect(shown, login).toEqual(order.filter((title) => shown.includes(title)));
    expect(
      shown.filter((title) => title.endsWith("概览")),
      login,
    ).toEqual([home]);
    expect(shown, login).toContain("数据中心");
  }
  for (const login of ["admin", "sp01", "mch01", "emp01"]) {
    const found = await items(login);
    const ids = new Set(found.map((item) => item.id));
    expect(found.every((item) => item.parentId === 0 || ids.has(item.parentId))).toBe(true);
    for (const item of found.filter((one) => one.type !== "button" && one.parentId !== 0))
      expect(BUILT_SCREENS).toContain(JSON.parse(item.para!).component);
  }
});

test("another app's items are not given", async () => {
  expect((await world.refused(listUserItems, await world.signIn("mch01"), { appId: "Other.App" as never })).status).toBe(400);
});

test("S11: for every account, the buttons and pages it is shown are those that the server lets it use", async () => {
  const built = new Set(
    MENU.filter((item) => item.screen && (BUILT_SCREENS as readonly string[]).includes(item.screen)).map((item) => item.id),
  );
  const shownable = [
    ...MENU.filter((item) => built.has(item.id)).map((item) => item.path),
    ...MENU.filter((item) => item.type === "button" && built.has(item.parentId)).map((item) => item.path),
  ];
  expect(shownable.length).toBeGreaterThan(BUTTONS.length / 2);
  for (const login of Object.keys(world.tree.users)) {
    const token = await world.signIn(login);
    const shown = new Set((await world.call(listUserItems, token, { appId: "Fy.Background" })).map((item) => item.path));
    const principal = await runTransaction(world.services.pool, sessionSql(token, world.services.clock.now_ms())!, async (_tx, row) =>
      readSession(row!, world.services),
    );
    for (const path of shownable) expect(principal.holds([path as ItemPath]), `${login} ${path}`).toBe(shown.has(path));
  }
});

test("the configuration names the caller's own entity and the provider's brand", async () => {
  expect(await world.call(getConfig, await world.signIn("mch02"), {})).toMatchObject({ name: "云岸商户中心", entityName: "江南小笼" });
  expect(await world.call(getConfig, await world.signIn("agent01"), {})).toMatchObject({
    name: "禾木智慧商业",
    entityName: "锦城商务代理",
  });
  expect(await world.call(getConfig, await world.signIn("sale01"), {})).toMatchObject({ entityName: "邓安" });
  expect(await world.call(getConfig, await world.signIn("admin"), {})).toMatchObject({ name: null, entityName: "平台" });
});

test("X1: the brand before login follows the configured hosts alone", async () => {
  const brand = (host: string) => world.call(getBrand, undefined, {}, { host });
  expect((await brand("hemu.example.com")).name).toBe("禾木智慧商业");
  expect((await brand("YUNAN.example.com")).name).toBe("云岸商户中心");
  for (const host of [
    "",
    "evil.com",
    "hemu.example.com.evil.com",
    "hemu.example.com:99",
    "' or '1'='1",
    "%",
    "x".repeat(5000),
    "{hemu.example.com}",
    "hemu.example.com\u0000",
  ]) {
    const answer = await brand(host).catch((error: { code?: string }) => error.code);
    expect(typeof answer === "string" ? answer : answer?.name, host.slice(0, 40)).toBe(host.includes("\u0000") ? "22021" : "账房");
  }
});

test("a preference is the account's own", async () => {
  const [mine, other] = [await world.signIn("mch01"), await world.signIn("mch02")];
  expect(await world.call(getPreference, mine, { key: "list.payOrder" })).toEqual({ value: null });
  await world.call(setPreference, mine, { key: "list.payOrder", value: { columns: ["amount"], pageSize: 20 } });
  await world.call(setPreference, mine, { key: "list.payOrder", value: { columns: ["amount", "status"], pageSize: 50 } });
  expect(await world.call(getPreference, mine, { key: "list.payOrder" })).toEqual({
    value: { columns: ["amount", "status"], pageSize: 50 },
  });
  expect(await world.call(getPreference, other, { key: "list.payOrder" })).toEqual({ value: null });
  expect((await world.refused(setPreference, mine, { key: "big", value: "x".repeat(20_000) })).status).toBe(400);
});
