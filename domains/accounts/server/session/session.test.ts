import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { setAreaStores, setNodeState } from "../../../organisation/server/index.ts";
import { setStoreState } from "../../../stores/server/index.ts";
import {
  changePassword,
  endOtherSessions,
  getAccount,
  listSessions,
  logout,
  manualLogin,
  resetPassword,
  setUserState,
} from "../../contract/index.ts";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import { updatePosition, updateUser } from "../index.ts";
import { openWorld, type World } from "../world-for-tests.ts";
import { startSession } from "./start-session.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const inPlatform = <T>(fn: (tx: Transaction) => Promise<T>) => withScope(world.services.pool, platformScope("test"), fn);
const dead = async (token: string) => expect((await world.refused(getAccount, token, {})).status).toBe(401);
const alive = async (token: string) => expect((await world.call(getAccount, token, {})).id).toBeTruthy();

test("no token, a made-up token and a tampered token are nobody", async () => {
  const token = await world.signIn("mch01");
  for (const wrong of [
    undefined,
    "x".repeat(43),
    token.slice(0, -1) + (token.endsWith("A") ? "B" : "A"),
    `${token}x`,
    "'; select 1; --".padEnd(43, "x"),
  ])
    expect((await world.refused(getAccount, wrong, {})).status).toBe(401);
});

test("S4: after logout the next call with the token fails, and only with that token", async () => {
  const [token, other] = [await world.signIn("mch01"), await world.signIn("mch01")];
  await world.call(logout, token, {});
  await dead(token);
  await alive(other);
});

test("S4: a session that acts for another ends with the logout of the one that made it, and with no other", async () => {
  const [maker, other] = [await world.signIn("sp01"), await world.signIn("sp01")];
  const actAs = (token: string) => world.call(manualLogin, token, { userId: world.tree.users.mch01 });
  const [made, another] = [await actAs(maker), await actAs(other)];
  await alive(made);
  await world.call(logout, maker, {});
  await dead(made);
  await alive(another);
  // The other way round the maker goes on.
  await world.call(logout, another, {});
  await alive(other);
});

test("S4: after an account is disabled or its password is reset by somebody above, its next call fails", async () => {
  const [sp, merchant] = [await world.signIn("sp01"), await world.signIn("mch07")];
  await world.call(resetPassword, sp, { id: world.tree.users.mch07 });
  await dead(merchant);
  const [root, employee] = [await world.signIn("mch01"), await world.signIn("emp01")];
  await world.call(setUserState, root, { id: world.tree.users.emp01, state: "disabled" });
  await dead(employee);
  await expect(world.signIn("emp01")).rejects.toMatchObject({ status: 401 });
  await world.call(setUserState, root, { id: world.tree.users.emp01, state: "active" });
  await alive(await world.signIn("emp01"));
});

test("S4: after a change of role, of stores, of position or of an area the next call fails", async () => {
  const { tree, services } = world;
  const stores = tree.merchants.mch01.stores.map((store) => store.id);
  const changes: [login: string, change: (tx: Transaction) => Promise<void>][] = [
    ["emp01", (tx) => updateUser(tx, services, tree.users.emp01, { areaIds: [tree.area] })],
    ["emp01", (tx) => updateUser(tx, services, tree.users.emp01, { storeIds: stores.slice(1, 2) })],
    ["fin01", (tx) => updateUser(tx, services, tree.users.fin01, { storeIds: stores.slice(3) })],
    ["fin01", (tx) => updatePosition(tx, services, tree.users.mch01, tree.position, ["/", "/dataCentre/payOrder"])],
    ["fin01", (tx) => updateUser(tx, services, tree.users.fin01, { positionId: null })],
    ["area01", (tx) => setAreaStores(tx, services, { serviceProviderId: tree.providers.sp01, id: tree.area }, stores.slice(2))],
    [
      "area01",
      async (tx) => void (await setStoreState(tx, services, { serviceProviderId: tree.providers.sp01, id: stores[2]! }, "disabled")),
    ],
  ];
  for (const [login, change] of changes) {
    const token = await world.signIn(login);
    await inPlatform(change);
    await dead(token);
  }
  await inPlatform((tx) => updateUser(tx, services, tree.users.fin01, { positionId: tree.position }));
});

test("a sub-account whose last store is taken away sees none, not all", async () => {
  const { tree } = world;
  const token = await world.signIn("fin01");
  await world.truth("delete from user_stores where user_id = $1", [tree.users.fin01]);
  const scope = await inPlatform(
    async (tx) =>
      (
        await (
          await import("kysely")
        ).sql<{
          scope: string;
        }>`select scope from app.open_session(${sha256(token)}, ${new Date(world.services.clock.now_ms()).toISOString()})`.execute(tx)
      ).rows[0]!.scope,
  );
  expect(scope.split("|")[7]).toBe("{}");
});

test("closing any node ends its whole subtree and nobody else, and nobody below signs in until it is opened again", async () => {
  const { tree, services } = world;
  const first = tree.providers.sp01;
  const everybody = Object.keys(tree.users);
  const below = {
    provider: everybody.filter((login) => !["admin", "sp02", "team03", "sale03", "mch02", "mch08"].includes(login)),
    agent: ["agent01"],
    group: ["group01", "team01", "sale01"],
    team: ["team01", "sale01"],
    salesman: ["sale01"],
    merchant: ["mch01", "area01", "emp01", "fin01"],
  };
  const nodes = {
    provider: first,
    agent: tree.agents.agent01,
    group: tree.groups.group01,
    team: tree.teams.team01,
    salesman: tree.salesmen.sale01,
    merchant: tree.merchants.mch01.id,
  };
  for (const kind of Object.keys(nodes) as (keyof typeof nodes)[]) {
    const tokens = new Map<string, string>();
    for (const login of everybody) tokens.set(login, await world.signIn(login));
    const node = { kind, serviceProviderId: first, id: nodes[kind] };
    await inPlatform((tx) => setNodeState(tx, services, node, "disabled"));
    const ended: string[] = [];
    for (const [login, token] of tokens) await world.call(getAccount, token, {}).catch(() => void ended.push(login));
    expect(ended.toSorted(), kind).toEqual(below[kind].toSorted());
    for (const login of below[kind])
      await expect(world.signIn(login), `${login} under a closed ${kind}`).rejects.toMatchObject({ status: 401 });
    await inPlatform((tx) => setNodeState(tx, services, node, "active"));
    await alive(await world.signIn(below[kind][0]!));
  }
});

test("whoever signs in while a node above is being closed has no session left afterwards", async () => {
  const { tree, services } = world;
  const node = { kind: "merchant" as const, serviceProviderId: tree.providers.sp01, id: tree.merchants.mch05.id };
  for (let round = 0; round < 5; round++) {
    const signIns = () => Array.from({ length: 8 }, () => world.signIn("mch05").catch(() => {}));
    const before = signIns();
    await inPlatform((tx) => setNodeState(tx, services, node, "disabled"));
    await Promise.all([...before, ...signIns()]);
    expect(await world.truth("select 1 from sessions where user_id = $1 and ended_at is null", [tree.users.mch05])).toEqual([]);
    await inPlatform((tx) => setNodeState(tx, services, node, "active"));
  }
});

test("the use of a session is marked once a minute at most", async () => {
  const { clock } = world.services;
  const token = await world.signIn("mch04");
  const seen = async () =>
    (await world.truth<{ seen_at: string }>("select seen_at from sessions where token_hash = $1", [sha256(token)]))[0]!.seen_at;
  const start = await seen();
  clock.advance(59_000);
  await alive(token);
  clock.advance(2_000);
  await Promise.all(Array.from({ length: 10 }, () => alive(token)));
  await expect.poll(seen).toBe(new Date(Date.parse(start) + 61_000).toISOString());
  clock.advance(30_000);
  await alive(token);
  expect(await seen()).toBe(new Date(Date.parse(start) + 61_000).toISOString());
});

test("my devices shows my own live sessions, with who acts for me, and ends the others", async () => {
  const { tree } = world;
  await world.truth("update sessions set ended_at = now() where user_id = $1", [tree.users.mch06]);
  const [mine, other] = [await world.signIn("mch06"), await world.signIn("mch06")];
  const acting = await world.call(manualLogin, await world.signIn("sp01"), { userId: tree.users.mch06 });
  const { items } = await world.call(listSessions, mine, {});
  expect(items.map((item) => `${item.current} ${item.actorLogin}`).toSorted()).toEqual(["false null", "false sp01", "true null"]);
  expect(items[0]!.current).toBe(true);
  expect((await world.refused(endOtherSessions, acting, {})).code).toBe("acting");
  expect(await world.call(endOtherSessions, mine, {})).toEqual({ ended: 2 });
  await alive(mine);
  await dead(other);
  await dead(acting);
});

test("changing the own password asks for the old one, ends the other sessions and is closed to whoever acts for somebody", async () => {
  const { tree } = world;
  const [mine, other] = [await world.signIn("mch08"), await world.signIn("mch08")];
  const acting = await world.call(manualLogin, await world.signIn("sp02"), { userId: tree.users.mch08 });
  expect((await world.refused(changePassword, acting, { oldPassword: DEMO_PASSWORD, newPassword: "Fresh#2026x" })).code).toBe("acting");
  expect((await world.refused(changePassword, mine, { oldPassword: "Wrong#0000", newPassword: "Fresh#2026x" })).fields).toHaveProperty(
    "oldPassword",
  );
  expect((await world.refused(changePassword, mine, { oldPassword: DEMO_PASSWORD, newPassword: "weak" })).fields).toHaveProperty(
    "newPassword",
  );
  await world.call(changePassword, mine, { oldPassword: DEMO_PASSWORD, newPassword: "Fresh#2026x" });
  await alive(mine);
  await dead(other);
  await dead(acting);
  for (let n = 0; n < 5; n++) await world.refused(changePassword, mine, { oldPassword: "Wrong#0000", newPassword: "Fresh#2027x" });
  expect((await world.refused(changePassword, mine, { oldPassword: "Fresh#2026x", newPassword: "Fresh#2027x" })).code).toBe("login.locked");
});

test("a session never starts for a disabled actor", async () => {
  const { tree } = world;
  await world.truth("update users set state = 'disabled' where login = 'agent02'");
  await expect(
    inPlatform((tx) =>
      startSession(tx, world.services, { userId: tree.users.mch06, actorId: tree.users.agent02, limits: "acting", ip: "127.0.0.1" }),
    ),
  ).rejects.toMatchObject({ status: 401 });
});
