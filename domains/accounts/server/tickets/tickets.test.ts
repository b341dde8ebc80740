import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { autoLogin, getAccount, handOverLogin, setUserState } from "../../contract/index.ts";
import { issueTicket, type TicketOrder } from "../index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const issue = (order: TicketOrder) => withScope(world.services.pool, platformScope("test"), (tx) => issueTicket(tx, world.services, order));
const auto = (more: Partial<TicketOrder> = {}) => issue({ kind: "auto", userId: world.tree.users.mch01, ...more });
const refusedAuto = async (input: { requestId: string; serviceProviderId?: string; businessTeamId?: string }) =>
  (await world.refused(autoLogin, undefined, input)).status;

test("S7: of 200 redemptions of a ticket at the same moment one is signed in", async () => {
  const requestId = await auto();
  const results = await Promise.allSettled(Array.from({ length: 200 }, () => world.call(autoLogin, undefined, { requestId })));
  const tokens = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(tokens).toHaveLength(1);
  expect((await world.call(getAccount, tokens[0], {})).login).toBe("mch01");
  expect(await world.truth("select 1 from sessions where user_id = $1", [world.tree.users.mch01])).toHaveLength(1);
});

test("S7: a ticket opens only with just the parameters that are sealed in it", async () => {
  const { providers, teams } = world.tree;
  const sealed = { serviceProviderId: providers.sp01, businessTeamId: teams.team01 };
  const requestId = await auto(sealed);
  for (const tampered of [
    {},
    { serviceProviderId: providers.sp01 },
    { businessTeamId: teams.team01 },
    { ...sealed, serviceProviderId: providers.sp02 },
    { ...sealed, businessTeamId: teams.team02 },
    { ...sealed, businessTeamId: randomUUID() },
  ])
    expect(await refusedAuto({ requestId, ...tampered })).toBe(401);
  expect(await world.call(autoLogin, undefined, { requestId, ...sealed })).toBeTruthy();
  const bare = await auto();
  expect(await refusedAuto({ requestId: bare, serviceProviderId: providers.sp01 })).toBe(401);
  expect(await world.call(autoLogin, undefined, { requestId: bare, serviceProviderId: "" })).toBeTruthy();
});

test("a ticket ends after a minute, is not a stamp, and is worth nothing once its account is disabled", async () => {
  const late = await auto();
  world.services.clock.advance(60_001);
  expect(await refusedAuto({ requestId: late })).toBe(401);
  const stamp = await issue({ kind: "stamp", userId: world.tree.users.mch01 });
  expect(await refusedAuto({ requestId: stamp.split(".")[1]! })).toBe(401);
  const disabled = await auto({ userId: world.tree.users.emp01 });
  await world.call(setUserState, await world.signIn("mch01"), { id: world.tree.users.emp01, state: "disabled" });
  expect(await refusedAuto({ requestId: disabled })).toBe(401);
});

test("a ticket does not stand in the database", async () => {
  const requestId = await auto();
  const rows = await world.truth<{ text: string }>("select to_jsonb(t)::text as text from login_tickets t");
  expect(rows.some((row) => row.text.includes(requestId))).toBe(false);
});

test("S9: a stamp signs its own account in once, and of 50 at the same moment one", async () => {
  const id = world.tree.users.mch02;
  const stamp = await issue({ kind: "stamp", userId: id });
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => world.call(handOverLogin, undefined, { id, targetId: id, stamp }, { query: { id, stamp } })),
  );
  const tokens = results.flatMap((result) => (result.status === "fulfilled" ? [result.value.id_token] : []));
  expect(tokens).toHaveLength(1);
  expect(await world.call(getAccount, tokens[0], {})).toMatchObject({ login: "mch02", actingFor: null });
});

test("S9: a stamp that is changed, moved to another target, late, or differs between query and body is refused", async () => {
  const { users } = world.tree;
  const stamp = await issue({ kind: "stamp", userId: users.mch02 });
  const [at, ticket, mac] = stamp.split(".") as [string, string, string];
  const good = { id: users.mch02, targetId: users.mch02, stamp };
  const wrong = [
    { ...good, targetId: users.mch01 },
    { ...good, id: users.sp02 },
    { ...good, stamp: `${Number(at) + 1}.${ticket}.${mac}` },
    { ...good, stamp: `${at}.${ticket}x.${mac}` },
    { ...good, stamp: `${at}.${ticket}.${"0".repeat(64)}` },
    { ...good, stamp: "1" },
  ];
  for (const input of wrong) expect((await world.refused(handOverLogin, undefined, input)).status).toBe(401);
  expect((await world.refused(handOverLogin, undefined, good, { query: { stamp: "other" } })).status).toBe(401);
  world.services.clock.advance(60_001);
  expect((await world.refused(handOverLogin, undefined, good)).status).toBe(401);
});

test("a stamp for somebody below says who really acts; for anybody else it is worth nothing", async () => {
  const { users } = world.tree;
  const below = await issue({ kind: "stamp", userId: users.mch02, issuedBy: users.sp02 });
  const { id_token } = await world.call(handOverLogin, undefined, { id: users.sp02, targetId: users.mch02, stamp: below });
  expect((await world.call(getAccount, id_token, {})).actingFor?.actorLogin).toBe("sp02");
  for (const [issuedBy, userId] of [
    [users.mch02, users.sp02],
    [users.sp01, users.mch02],
    [users.sp01, users.admin],
    [users.mch03, users.mch01],
  ] as const) {
    const stamp = await issue({ kind: "stamp", userId, issuedBy });
    expect((await world.refused(handOverLogin, undefined, { id: issuedBy, targetId: userId, stamp })).status).toBe(401);
  }
});
