import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoLogin } from "../../../../apps/demo/tree/tree.ts";
import {
  addAccount,
  authenticate,
  changePassword,
  getAccount,
  getActingPolicy,
  manualLogin,
  resetPassword,
  setActingPolicy,
  setPreference,
  setUserState,
} from "../../contract/index.ts";
import { saveOtherStore } from "../../../stores/contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

/** Written by hand from domain.md: strictly below, in one tree; nobody else. Salesmen and a store's people have nobody. */
const FIRST_TREE: DemoLogin[] = [
  "agent01",
  "agent02",
  "group01",
  "group02",
  "team01",
  "team02",
  "sale01",
  "sale02",
  "mch01",
  "mch03",
  "mch04",
  "mch05",
  "mch06",
  "mch07",
  "area01",
  "emp01",
  "fin01",
];
const SECOND_TREE: DemoLogin[] = ["team03", "sale03", "mch02", "mch08"];
const OF_MCH01: DemoLogin[] = ["mch01", "area01", "emp01", "fin01"];
const ALLOWED: Partial<Record<DemoLogin, DemoLogin[]>> = {
  admin: ["sp01", "sp02", ...FIRST_TREE, ...SECOND_TREE],
  sp01: FIRST_TREE,
  sp02: SECOND_TREE,
  agent01: [...OF_MCH01, "mch03"],
  agent02: ["mch06"],
  group01: ["team01", "sale01", ...OF_MCH01, "mch04"],
  group02: ["team02", "sale02", "mch05"],
  team01: ["sale01", ...OF_MCH01, "mch04"],
  team02: ["sale02", "mch05"],
  team03: ["sale03", "mch02"],
  mch01: ["area01", "emp01"],
};

test("S8: every account against every account, and what is not allowed answers as what does not exist", async () => {
  const logins = Object.keys(world.tree.users) as DemoLogin[];
  for (const actor of logins) {
    const token = await world.signIn(actor);
    const unknown = await world.refused(manualLogin, token, { userId: randomUUID() });
    const allowed: DemoLogin[] = [];
    for (const target of logins) {
      try {
        const acting = await world.call(manualLogin, token, { userId: world.tree.users[target] });
        expect(await world.call(getAccount, acting, {})).toMatchObject({ login: target, actingFor: { actorLogin: actor } });
        allowed.push(target);
      } catch (error) {
        expect(error).toMatchObject({ status: unknown.status, code: unknown.code, message: unknown.message });
      }
    }
    expect(allowed.toSorted(), actor).toEqual((ALLOWED[actor] ?? []).toSorted());
  }
});

test("the optional parameters must be the target's own", async () => {
  const { users, providers, teams } = world.tree;
  const token = await world.signIn("sp01");
  expect(
    await world.call(manualLogin, token, { userId: users.mch01, serviceProviderId: providers.sp01, businessTeamId: teams.team01 }),
  ).toBeTruthy();
  expect((await world.refused(manualLogin, token, { userId: users.mch01, serviceProviderId: providers.sp02 })).status).toBe(404);
  expect((await world.refused(manualLogin, token, { userId: users.mch01, businessTeamId: teams.team02 })).status).toBe(404);
});

test("it ends after half an hour however it is used, and can't be used to go on from or for what is closed to it", async () => {
  const { users } = world.tree;
  const acting = await world.call(manualLogin, await world.signIn("sp01"), { userId: users.mch01 });
  expect((await world.refused(manualLogin, acting, { userId: users.emp01 })).code).toBe("acting");
  expect((await world.refused(changePassword, acting, { oldPassword: "x", newPassword: "y" })).code).toBe("acting");
  expect((await world.refused(resetPassword, acting, { id: users.emp01 })).code).toBe("acting");
  expect((await world.refused(setUserState, acting, { id: users.emp01, state: "disabled" })).code).toBe("acting");
  expect((await world.refused(addAccount, acting, { login: "new01", firstName: "新", level: "AE", storeIds: [] })).code).toBe("acting");
  for (const minutes of [14, 14]) {
    world.services.clock.advance(minutes * 60_000);
    await world.call(getAccount, acting, {});
  }
  world.services.clock.advance(2 * 60_000);
  expect((await world.refused(getAccount, acting, {})).status).toBe(401);
});

test("it ends with the actor: disabled, reset, or the actor's node closed", async () => {
  const { users } = world.tree;
  const acting = await world.call(manualLogin, await world.signIn("team01"), { userId: users.mch04 });
  await world.call(resetPassword, await world.signIn("sp01"), { id: users.team01 });
  expect((await world.refused(getAccount, acting, {})).status).toBe(401);
});

test("both sides' audit logs say it, and every write carries both names", async () => {
  const { users, merchants, providers } = world.tree;
  await emptyTables(world.truth, "audit_log");
  const acting = await world.call(manualLogin, await world.signIn("admin"), { userId: users.mch01 });
  await world.call(setPreference, acting, { key: "list.columns", value: ["a"] });
  const rows = await world.truth(
    "select endpoint, login, user_id, actor_user_id, service_provider_id, merchant_id, target_id from audit_log order by at, id",
  );
  const act = { endpoint: manualLogin.path, login: "admin", user_id: users.admin, actor_user_id: null, target_id: users.mch01 };
  expect(rows).toContainEqual({ ...act, service_provider_id: null, merchant_id: null });
  expect(rows).toContainEqual({ ...act, service_provider_id: providers.sp01, merchant_id: merchants.mch01.id });
  expect(rows).toContainEqual({
    endpoint: setPreference.path,
    login: "mch01",
    user_id: users.mch01,
    actor_user_id: users.admin,
    service_provider_id: providers.sp01,
    merchant_id: merchants.mch01.id,
    target_id: "list.columns",
  });
});

test("whoever acts looks and changes nothing until the provider allows it, and no longer once it is taken back", async () => {
  const { users } = world.tree;
  const provider = await world.signIn("sp01");
  // What would be a change there is refused; leaving and the own columns are not.
  const acting = await world.call(manualLogin, await world.signIn("admin"), { userId: users.sp01 });
  const rename = { merchantId: world.tree.merchants.mch01.id, platform: "dy" as const, platformStoreId: "dy-1", name: "抖音店" };
  expect((await world.call(getAccount, acting, {})).actingFor).toMatchObject({ actorLogin: "admin", readOnly: true });
  expect((await world.refused(saveOtherStore, acting, rename)).code).toBe("acting.read-only");
  await world.call(setPreference, acting, { key: "list.columns", value: ["a"] });
  expect((await world.refused(setActingPolicy, acting, { writes: true })).code).toBe("acting");
  await world.call(setActingPolicy, provider, { writes: true });
  expect(await world.call(getActingPolicy, provider, {})).toMatchObject({ writes: true, changedBy: "sp01" });
  expect((await world.call(getAccount, acting, {})).actingFor).toMatchObject({ readOnly: false });
  await world.call(saveOtherStore, acting, rename);
  // Another provider's tree is not opened by it.
  const other = await world.call(manualLogin, await world.signIn("admin"), { userId: users.mch02 });
  expect((await world.call(getAccount, other, {})).actingFor).toMatchObject({ readOnly: true });
  await world.call(setActingPolicy, provider, { writes: false });
  expect((await world.refused(saveOtherStore, acting, rename)).code).toBe("acting.read-only");
});

test("acting for somebody does not count as their own sign-in", async () => {
  await world.truth("update users set last_login_at = null where login = 'mch03'");
  await world.call(manualLogin, await world.signIn("sp01"), { userId: world.tree.users.mch03 });
  expect(await world.truth("select last_login_at from users where login = 'mch03'")).toEqual([{ last_login_at: null }]);
  await world.call(authenticate, undefined, { username: "mch03", password: "Demo#2026" });
  expect(
    (await world.truth<{ last_login_at: string }>("select last_login_at from users where login = 'mch03'"))[0]!.last_login_at,
  ).not.toBeNull();
});
