import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addAccount,
  authenticate,
  endUserSessions,
  getAccount,
  getGrant,
  getUser,
  listAccountNodes,
  listUserItems,
  listUsers,
  setGrant,
  unlockUser,
} from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const paths = async (token: string) =>
  (await world.call(listUserItems, token, { appId: "Fy.Background" })).filter((item) => item.parentId !== 0).map((item) => item.path);

test("an account that is locked says until when, is found by it, and signs in again once somebody above unlocks it", async () => {
  const sp = await world.signIn("sp01");
  const tries = { username: "mch04", password: "Wrong#0000" };
  for (let n = 0; n < 5; n++) await world.refused(authenticate, undefined, tries, { ip: "10.4.4.4" }).catch(() => undefined);
  await world.truth("update login_failures set count = 5, locked_until = $1 where key like 'a:%'", [
    new Date(world.services.clock.now_ms() + 60_000).toISOString(),
  ]);
  expect((await world.refused(authenticate, undefined, tries, { ip: "10.4.4.4" })).code).toBe("login.locked");
  const locked = await world.call(listUsers, sp, { locked: true });
  expect(locked.items.map((row) => row.login)).toEqual(["mch04"]);
  expect(locked.items[0]!.lockedUntil).toBe(new Date(world.services.clock.now_ms() + 60_000).toISOString());
  expect((await world.call(listUsers, sp, { locked: false, pageSize: 100 })).items.map((row) => row.login)).not.toContain("mch04");
  expect((await world.refused(unlockUser, await world.signIn("sp02"), { id: world.tree.users.mch04 })).status).toBe(404);
  await world.call(unlockUser, sp, { id: world.tree.users.mch04 });
  expect((await world.call(authenticate, undefined, { ...tries, password: "Demo#2026" }, { ip: "10.4.4.4" })).id_token).toBeTruthy();
});

test("names of people below are masked; the details say where they are signed in, and a forced logout ends it", async () => {
  const { users } = world.tree;
  const sp = await world.signIn("sp01");
  const token = await world.signIn("mch05");
  const [row] = (await world.call(listUsers, sp, { keyword: "mch05" })).items;
  expect(row).toMatchObject({ login: "mch05", sessions: 1, limited: false, lockedUntil: null });
  expect(row!.firstName).toMatch(/^.\*+$/u);
  const details = await world.call(getUser, sp, { id: users.mch05 });
  expect(details).toMatchObject({ devices: [{ ip: "127.0.0.1", device: "test", actorLogin: null }], can: { grant: true, loginAs: true } });
  expect(await world.call(endUserSessions, sp, { id: users.mch05 })).toEqual({ ended: 1 });
  expect((await world.refused(getAccount, token, {})).status).toBe(401);
  expect((await world.refused(endUserSessions, sp, { id: users.mch02 })).status).toBe(404);
  // A root's own people are not masked for it.
  const staff = await world.call(getUser, await world.signIn("mch01"), { id: users.fin01 });
  expect(staff).toMatchObject({ firstName: "财务苏算", positionName: "财务", can: { grant: false, loginAs: false } });
  expect(staff.stores).toHaveLength(2);
});

test("a root that is narrowed holds what is left, its positions hold no more, and get it back with it", async () => {
  const { users } = world.tree;
  const sp = await world.signIn("sp01");
  const grant = await world.call(getGrant, sp, { id: users.mch01 });
  expect(grant).toMatchObject({ login: "mch01", granted: null, accounts: 4 });
  const before = await paths(await world.signIn("fin01"));
  const fin = await world.signIn("fin01");
  const emp = await world.signIn("emp01");
  await world.call(setGrant, sp, { id: users.mch01, items: ["/", "/dataCentre/payOrder", "/bypass/bypass"] });
  // Everybody under the root signs in again.
  for (const token of [fin, emp]) expect((await world.refused(getAccount, token, {})).status).toBe(401);
  expect(await paths(await world.signIn("mch01"))).toEqual(expect.arrayContaining(["/", "/dataCentre/payOrder"]));
  expect(await paths(await world.signIn("mch01"))).not.toContain("/dataCentre/payOrder/refund");
  expect(await paths(await world.signIn("fin01"))).toEqual(["/", "/dataCentre/payOrder"]);
  expect(await paths(await world.signIn("emp01"))).not.toContain("/dataCentre/payOrder/refund");
  expect(await world.call(getUser, sp, { id: users.mch01 })).toMatchObject({ limited: true });
  await world.call(setGrant, sp, { id: users.mch01, items: null });
  expect(await paths(await world.signIn("fin01"))).toEqual(before);
  for (const wrong of [["/admin/serviceProvider"], ["/nothing"]])
    expect((await world.refused(setGrant, sp, { id: users.mch01, items: wrong })).fields).toHaveProperty("items");
  for (const id of [users.fin01, users.emp01, users.sp01, users.mch02, randomUUID()])
    expect((await world.refused(setGrant, sp, { id, items: null })).status).toBe(404);
});

test("a root that sees some stores gives no more of them away, and its people lose what it loses", async () => {
  const { tree } = world;
  const [first, second] = tree.merchants.mch03.stores.map((store) => store.id);
  const admin = await world.signIn("sp01");
  const made = await world.call(addAccount, admin, {
    login: "mch03b",
    firstName: "二号老板",
    level: "MCH",
    nodeId: tree.merchants.mch03.id,
    storeIds: [first!],
  });
  const token = await world.signIn("mch03b");
  const add = (login: string, storeIds: string[]) => ({ login, firstName: "店员", level: "AE" as const, storeIds });
  expect((await world.refused(addAccount, token, add("emp31", [second!]))).fields).toHaveProperty("storeIds");
  const employee = await world.call(addAccount, token, add("emp31", [first!]));
  const scope = async () =>
    (await world.truth<{ scope: string }>("select app.scope_of(u) as scope from users u where id = $1", [employee.id]))[0]!.scope;
  expect(await scope()).toContain(first!);
  await world.truth("update user_stores set store_id = $1 where user_id = $2", [second, made.id]);
  expect(await scope()).toContain("|{}|");
});

test("whoever adds an account chooses among open nodes of the own tree", async () => {
  const names = async (login: string, level: "MCH" | "SP" | "AG" | "TM") =>
    (await world.call(listAccountNodes, await world.signIn(login), { level })).items.length;
  expect([await names("sp01", "MCH"), await names("sp02", "MCH"), await names("sp01", "AG")]).toEqual([6, 2, 2]);
  expect([await names("admin", "SP"), await names("admin", "MCH"), await names("sp01", "SP")]).toEqual([2, 0, 0]);
});
