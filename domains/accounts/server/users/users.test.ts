import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ERROR_HEADER, USER_EXISTS } from "@zhangfang/contract/problem.ts";
import {
  addAccount,
  authenticate,
  getAccount,
  listUserItems,
  listUsers,
  resetPassword,
  resetPasswords,
  setUserState,
} from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const first = (username: string, password: string, newPassword?: string) =>
  world.call(authenticate, undefined, { username, password, ...(newPassword && { newPassword }) });

test("a merchant's root adds an employee; the one-time password opens only together with a new one, within a day", async () => {
  const root = await world.signIn("mch01");
  const [storeId] = world.tree.merchants.mch01.stores.map((store) => store.id);
  const made = await world.call(addAccount, root, { login: "emp02", firstName: "店员二", level: "AE", storeIds: [storeId!] });
  expect((await world.refused(authenticate, undefined, { username: "emp02", password: made.password })).code).toBe("login.change-password");
  expect(
    (await world.refused(authenticate, undefined, { username: "emp02", password: made.password, newPassword: "short" })).fields,
  ).toHaveProperty("newPassword");
  expect(
    (await world.refused(authenticate, undefined, { username: "emp02", password: made.password, newPassword: made.password })).fields,
  ).toHaveProperty("newPassword");
  const { id_token } = await first("emp02", made.password, "Shop#2026yes");
  expect(await world.call(getAccount, id_token, {})).toMatchObject({ id: made.id, authorities: ["ROLE_Employee"], rootLogin: "mch01" });
  expect(
    (await world.refused(authenticate, undefined, { username: "emp02", password: made.password, newPassword: "Shop#2027yes" })).code,
  ).toBe("login.failed");
  const late = await world.call(resetPassword, root, { id: made.id });
  world.services.clock.advance(24 * 3600_000 + 1);
  expect(
    (await world.refused(authenticate, undefined, { username: "emp02", password: late.password, newPassword: "Shop#2028yes" })).code,
  ).toBe("login.failed");
});

test("a login that is taken, whatever its case and whoever has it, is refused with the header that the client reads", async () => {
  const root = await world.signIn("mch01");
  for (const login of ["emp01", "EMP01", "sp02"]) {
    const refusal = await world.refused(addAccount, root, { login, firstName: "重名", level: "AE", storeIds: [world.tree.stores[0]!.id] });
    expect([refusal.status, refusal.headers[ERROR_HEADER]]).toEqual([400, USER_EXISTS]);
  }
});

test("what a body says about rights is not taken: levels up, other trees, other nodes, foreign stores and positions", async () => {
  const { tree } = world;
  const [sp, mch, other] = [await world.signIn("sp01"), await world.signIn("mch01"), await world.signIn("mch02")];
  const status = async (token: string, input: object) =>
    (await world.refused(addAccount, token, { login: `x${randomUUID().slice(0, 8)}`, firstName: "越权", level: "AE", ...input } as never))
      .status;
  expect(await status(mch, { level: "ADMIN" })).toBe(404);
  expect(await status(mch, { level: "SP", serviceProviderId: tree.providers.sp01 })).toBe(404);
  expect(await status(sp, { level: "AG", nodeId: tree.merchants.mch02.id })).toBe(404);
  expect(await status(sp, { level: "MCH", nodeId: tree.merchants.mch02.id })).toBe(404);
  expect(await status(sp, { level: "MCH", nodeId: tree.merchants.mch02.id, serviceProviderId: tree.providers.sp02 })).toBe(404);
  expect(await status(sp, { level: "SP", serviceProviderId: tree.providers.sp02 })).toBe(400);
  expect(
    await status(mch, { level: "AE", storeIds: [tree.merchants.mch03.stores[0]!.id] }).catch((error: { code?: string }) => error.code),
  ).toBe("23503");
  expect(await status(other, { level: "MCH", positionId: tree.position }).catch((error: { code?: string }) => error.code)).toBe("23503");
  expect(await status(mch, { level: "MCH" })).toBe(400);
  const smuggled = await world.call(addAccount, mch, {
    login: "emp03",
    firstName: "店员三",
    level: "AE",
    storeIds: [tree.merchants.mch01.stores[1]!.id],
    ...({ rootLogin: "emp03", authorities: ["ROLE_ADMIN"], role: "ROLE_Merchants", merchantId: tree.merchants.mch02.id } as object),
  });
  expect(await world.truth("select role, root_login, merchant_id from users where id = $1", [smuggled.id])).toEqual([
    { role: "ROLE_Employee", root_login: "mch01", merchant_id: tree.merchants.mch01.id },
  ]);
});

test("each level adds just what it creates", async () => {
  const { tree } = world;
  const nodes = {
    SP: undefined,
    AG: tree.agents.agent01,
    GP: tree.groups.group01,
    TM: tree.teams.team01,
    SM: tree.salesmen.sale01,
    MCH: tree.merchants.mch07.id,
  } as const;
  for (const [login, creates] of [
    ["admin", ["SP"]],
    ["sp01", ["AG", "GP", "TM", "SM", "MCH"]],
    ["mch07", []],
  ] as const) {
    const token = await world.signIn(login);
    const made: string[] = [];
    for (const [level, nodeId] of Object.entries(nodes)) {
      await world
        .call(addAccount, token, {
          login: `${login}.${level}`,
          firstName: "新账号",
          level: level as "SP",
          serviceProviderId: tree.providers.sp01,
          nodeId,
        })
        .then(
          () => made.push(level),
          () => {},
        );
    }
    expect(made, login).toEqual(creates);
  }
  // Agents, groups, teams, salesmen and a store's people hold neither item that opens the call.
  for (const login of ["agent01", "group01", "team01", "sale01", "area01", "emp01", "fin01"])
    expect((await world.refused(addAccount, await world.signIn(login), { login: "nobody1", firstName: "无", level: "AE" })).status).toBe(
      403,
    );
});

test("a reset reaches whoever stands below and nobody else; of several, all or none", async () => {
  const { users } = world.tree;
  const sp = await world.signIn("sp01");
  const unknown = await world.refused(resetPassword, sp, { id: randomUUID() });
  for (const id of [users.admin, users.sp01, users.sp02, users.mch02]) {
    const refusal = await world.refused(resetPassword, sp, { id });
    expect([refusal.status, refusal.code, refusal.message]).toEqual([unknown.status, unknown.code, unknown.message]);
  }
  const hashes = () => world.truth("select id, password_hash from users order by id");
  const before = await hashes();
  expect((await world.refused(resetPasswords, sp, { ids: [users.mch03, users.mch04, users.mch02] })).status).toBe(404);
  expect(await hashes()).toEqual(before);
  const answers = await world.call(resetPasswords, sp, { ids: [users.mch03, users.mch04, users.mch03] });
  expect(answers.map((answer) => answer.login)).toEqual(["mch03", "mch04"]);
  expect(new Set(answers.map((answer) => answer.password)).size).toBe(2);
  expect((await world.refused(resetPassword, await world.signIn("mch01"), { id: users.mch01 })).status).toBe(404);
});

test("a reset lifts the lock, and the password that was answered stands nowhere in the database", async () => {
  const { users } = world.tree;
  for (let n = 0; n < 3; n++)
    await world.refused(authenticate, undefined, { username: "mch05", password: "Wrong#0000" }, { ip: "10.5.5.5" });
  const { password } = await world.call(resetPassword, await world.signIn("sp01"), { id: users.mch05 });
  expect(
    (await world.call(authenticate, undefined, { username: "mch05", password, newPassword: "Again#2026" }, { ip: "10.5.5.5" })).id_token,
  ).toBeTruthy();
  const rows = await world.truth<{ text: string }>(
    "select to_jsonb(a)::text as text from audit_log a union all select to_jsonb(i)::text from idempotency_keys i",
  );
  expect(rows.some((row) => row.text.includes(password))).toBe(false);
});

test("the last root of a node can't be disabled, not even when two disable one another at once; its sub-accounts can", async () => {
  const { tree } = world;
  const [admin, sp] = [await world.signIn("admin"), await world.signIn("sp02")];
  expect((await world.refused(setUserState, admin, { id: tree.users.sp02, state: "disabled" })).code).toBe("account.last-root");
  expect((await world.refused(setUserState, sp, { id: tree.users.mch08, state: "disabled" })).code).toBe("account.last-root");
  const second = await world.call(addAccount, sp, {
    login: "mch08b",
    firstName: "第二个老板",
    level: "MCH",
    nodeId: tree.merchants.mch08.id,
  });
  const results = await Promise.allSettled(
    [tree.users.mch08, second.id].map((id) => world.call(setUserState, sp, { id, state: "disabled" })),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  await world.call(setUserState, await world.signIn("mch01"), { id: tree.users.fin01, state: "disabled" });
  expect((await world.refused(setUserState, await world.signIn("mch01"), { id: tree.users.fin01, state: "disabled" })).status).toBe(409);
  await world.call(setUserState, await world.signIn("mch01"), { id: tree.users.fin01, state: "active" });
});

test("the list shows whom the caller administers, and pages through them all", async () => {
  const logins = async (login: string) => {
    const token = await world.signIn(login);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await world.call(listUsers, token, { cursor, pageSize: 10, withTotal: true });
      found.push(...answer.items.map((item) => item.login));
      expect(answer.total!.count).toBeGreaterThanOrEqual(answer.items.length);
      cursor = answer.next ?? undefined;
    } while (cursor);
    return found;
  };
  const first = await logins("sp01");
  expect(new Set(first).size).toBe(first.length);
  for (const inside of ["agent01", "team02", "sale01", "mch07", "emp01"]) expect(first).toContain(inside);
  for (const outside of ["admin", "sp01", "sp02", "mch02", "team03"]) expect(first).not.toContain(outside);
  expect((await logins("mch01")).toSorted()).toEqual(["area01", "emp01", "emp02", "emp03", "fin01"]);
  expect(await logins("admin")).toContain("mch02");
});

test("a sub-account holds its position and nothing beyond, and administers nobody", async () => {
  const token = await world.signIn("fin01");
  const items = await world.call(listUserItems, token, { appId: "Fy.Background" });
  expect(
    items
      .filter((item) => item.parentId !== 0)
      .map((item) => item.path)
      .toSorted(),
  ).toEqual([
    "/",
    "/dataCentre/exports",
    "/dataCentre/payOrder",
    "/dataCentre/payOrder/export",
    "/dataCentre/payRefund",
    "/dataCentre/payRefund/export",
  ]);
  expect((await world.refused(listUsers, token, {})).status).toBe(403);
});
