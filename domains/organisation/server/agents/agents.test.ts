import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticate, getAccount, manualLogin } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { addAgentAccount, getAgent, listAgents, setAgentRatio, setAgentState, summariseAgents, updateAgent } from "../../contract/index.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "agent01", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  tokens = Object.fromEntries(await Promise.all((["admin", "sp01", "sp02", "agent01"] as const).map(of))) as typeof tokens;
});
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "望江代理",
  contactName: "欧阳清",
  contactPhone: "13912345678",
  profitRatio: 30_000,
  login: `a${randomUUID().slice(0, 12)}`,
  ...more,
});
const add = (more: object = {}) => world.call(addAgentAccount, tokens.sp01, fresh(more));
const ratioOn = async (id: string, day: string) =>
  (await world.truth("select app.agent_ratio(service_provider_id, id, $2) as ratio from agents where id = $1", [id, day]))[0]!["ratio"];
const row = async (id: string) => (await world.call(listAgents, tokens.sp01, { pageSize: 100 })).items.find((one) => one.id === id);

test("an agent comes with one account whose password is told once; the same request again finds it without", async () => {
  const given = fresh({ name: "锦里代理" });
  const first = await world.call(addAgentAccount, tokens.sp01, given);
  expect(await world.call(addAgentAccount, tokens.sp01, given)).toEqual({ ...first, password: null });
  expect((await world.refused(addAgentAccount, tokens.sp01, { ...given, profitRatio: 99_000 })).status).toBe(409);
  expect(await world.truth("select 1 from agents where name = '锦里代理'")).toHaveLength(1);
  const withIt = { username: given.login, password: first.password!, rememberMe: false };
  expect((await world.refused(authenticate, undefined, withIt)).message).toBe("请设置新密码");
  const audit = await world.truth("select detail from audit_log where target_id = $1", [first.id]);
  expect(audit).toHaveLength(1);
  expect(JSON.stringify(audit)).not.toMatch(/13912345678|欧阳清/);
  expect(JSON.stringify(await world.call(listAgents, tokens.sp01, {}))).not.toMatch(/13912345678|欧阳清/);
});

test("a taken login leaves no agent behind; only a provider adds one", async () => {
  expect((await world.refused(addAgentAccount, tokens.sp01, fresh({ login: "mch01", name: "没有账号的" }))).fields).toHaveProperty("login");
  expect(await world.truth("select 1 from agents where name = '没有账号的'")).toEqual([]);
  for (const token of [tokens.admin, tokens.agent01]) expect((await world.refused(addAgentAccount, token, fresh())).status).toBe(403);
});

test("a ratio holds from today or tomorrow on, days before keep theirs, and a newer one replaces one to come", async () => {
  const { id } = await add();
  const today = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
  const dayAt = (n: number) => new Date(Date.parse(`${today}T00:00:00Z`) + n * 86_400_000).toISOString().slice(0, 10);
  expect(await world.call(setAgentRatio, tokens.sp01, { id, version: 1, profitRatio: 20_000, start: "tomorrow" })).toEqual({
    effectiveFrom: dayAt(1),
  });
  expect([await ratioOn(id, dayAt(-1)), await ratioOn(id, today), await ratioOn(id, dayAt(1))]).toEqual([30_000, 30_000, 20_000]);
  await world.call(setAgentRatio, tokens.sp01, { id, version: 2, profitRatio: 25_000, start: "today" });
  expect([await ratioOn(id, dayAt(-1)), await ratioOn(id, today), await ratioOn(id, dayAt(1))]).toEqual([30_000, 25_000, 25_000]);
  expect((await world.refused(setAgentRatio, tokens.sp01, { id, version: 2, profitRatio: 1, start: "today" })).status).toBe(409);
  const { ratios, profitRatio } = await world.call(getAgent, tokens.sp01, { id });
  expect(profitRatio).toBe(25_000);
  expect(ratios.map((one) => [one.profitRatio, one.effectiveFrom, one.setBy])).toEqual([
    [25_000, today, expect.any(String)],
    [20_000, dayAt(1), expect.any(String)],
    [30_000, "1970-01-01", null],
  ]);
});

test("of many who set a ratio over one version just one does", async () => {
  const { id } = await add();
  const asked = Array.from({ length: 40 }, (_none, n) =>
    world.call(setAgentRatio, tokens.sp01, { id, version: 1, profitRatio: n, start: "today" }),
  );
  const done = (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(1);
  expect(await world.truth("select 1 from agent_ratios where agent_id = $1", [id])).toHaveLength(2);
});

test("an edit over an old version is told; what the form left out stays; other providers find nothing", async () => {
  const { id } = await add();
  await world.call(updateAgent, tokens.sp01, { id, version: 1, name: "改名代理" });
  expect((await world.refused(updateAgent, tokens.sp01, { id, version: 1, name: "又改" })).status).toBe(409);
  expect(await world.truth("select contact_phone from agents where id = $1", [id])).toEqual([{ contact_phone: "13912345678" }]);
  expect((await world.refused(updateAgent, tokens.sp02, { id, version: 2, name: "外人" })).status).toBe(404);
  expect((await world.refused(setAgentRatio, tokens.sp02, { id, version: 2, profitRatio: 1, start: "today" })).status).toBe(404);
  expect((await world.refused(getAgent, tokens.sp02, { id })).status).toBe(404);
  expect((await world.refused(setAgentRatio, tokens.agent01, { id, version: 2, profitRatio: 1, start: "today" })).status).toBe(403);
});

test("closing puts out the agent at once and nobody signs in; opening lets them; figures and merchants stay", async () => {
  const id = world.tree.agents.agent01;
  const before = await row(id);
  expect(before?.merchantCount).toBe(2);
  expect((await world.call(getAgent, tokens.sp01, { id })).sessionCount).toBeGreaterThanOrEqual(1);
  const { endedSessions } = await world.call(setAgentState, tokens.sp01, { id, state: "disabled" });
  expect(endedSessions).toBeGreaterThanOrEqual(1);
  expect((await world.refused(getAccount, tokens.agent01, {})).status).toBe(401);
  expect((await world.refused(setAgentState, tokens.sp01, { id, state: "disabled" })).status).toBe(409);
  expect(await row(id)).toEqual({ ...before, state: "disabled", loginUserId: null });
  expect((await world.call(summariseAgents, tokens.sp01, { state: "disabled" })).count).toBe(1);
  await world.call(setAgentState, tokens.sp01, { id, state: "active" });
  await world.call(getAccount, await world.signIn("agent01"), {});
});

test("this month's volume and commission are what was paid and what was posted for it", async () => {
  const { id } = await add({ name: "佣金代理", profitRatio: 40_000 });
  const provider = world.tree.providers.sp01;
  const { id: merchant, stores } = world.tree.merchants.mch01;
  const now = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
  const book = async (day: string, paid: number, net: number) => {
    await world.truth(
      `insert into takings_daily_folded (service_provider_id, day, merchant_id, store_id, agent_id, paid_cents) values ($1, $2, $3, $4, $5, $6)`,
      [provider, day, merchant, stores[0]!.id, id, paid],
    );
    await world.truth(
      `insert into commission_daily (service_provider_id, receiver, receiver_id, agent_id, day, difference_cents, ratio_cents, clawed_cents)
       values ($1, 'agent', $2, $2, $3, 20, $4, 20)`,
      [provider, id, day, net],
    );
  };
  await book("2020-01-01", 7_000_000, 7_000);
  await book(now, 100_000, 150);
  expect(await row(id)).toMatchObject({ monthPaidCents: 100_000, monthCommissionCents: 150 });
});

test("who stands above logs in as the agent, and nobody else does", async () => {
  const { loginUserId } = (await row(world.tree.agents.agent02))!;
  await world.call(manualLogin, tokens.sp01, { userId: loginUserId! });
  expect((await world.refused(manualLogin, tokens.sp02, { userId: loginUserId! })).status).toBe(404);
});
