import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticate, getAccount, manualLogin } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addSalesmanAccount,
  getSalesman,
  handOverMerchants,
  listSalesmanMerchants,
  listSalesmen,
  setSalesmanState,
  summariseSalesmen,
  updateSalesman,
} from "../../contract/index.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "agent01" | "group01" | "team01" | "sale01", string>;
const TODAY = "2026-11-20";
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  const logins = ["admin", "sp01", "sp02", "agent01", "group01", "team01", "sale01"] as const;
  tokens = Object.fromEntries(await Promise.all(logins.map(of))) as typeof tokens;
});
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "司马青",
  phone: "13912345678",
  login: `s${randomUUID().slice(0, 12)}`,
  ...more,
});
const add = (token: string, more: object = {}) => world.call(addSalesmanAccount, token, fresh(more));
const owns = async (id: string) =>
  (await world.truth("select agent_id, business_team_id, business_group_id from salesmen where id = $1", [id]))[0];
const namesOf = async (token: string) => (await world.call(listSalesmen, token, { pageSize: 100 })).items.map((row) => row.name).toSorted();

test("a salesman comes with one account whose password is told once, and with no phone in list or log", async () => {
  const given = fresh({ name: "欧阳东" });
  const first = await world.call(addSalesmanAccount, tokens.sp01, given);
  expect(await world.call(addSalesmanAccount, tokens.sp01, given)).toEqual({ ...first, password: null });
  const withIt = { username: given.login, password: first.password!, rememberMe: false };
  expect((await world.refused(authenticate, undefined, withIt)).message).toBe("请设置新密码");
  const audit = await world.truth("select detail from audit_log where target_id = $1", [first.id]);
  expect(audit).toHaveLength(1);
  const list = await world.call(listSalesmen, tokens.sp01, { keyword: "欧阳" });
  expect(list.items).toMatchObject([{ phone: "139****5678", merchantCount: 0, monthPaidCents: 0, teamName: null, agentName: null }]);
  expect(JSON.stringify([audit, list, await world.call(getSalesman, tokens.sp01, { id: first.id })])).not.toContain("13912345678");
  expect((await world.refused(addSalesmanAccount, tokens.sp01, fresh({ login: "mch01", name: "没有账号" }))).fields).toHaveProperty(
    "login",
  );
  expect(await world.truth("select 1 from salesmen where name = '没有账号'")).toEqual([]);
});

test("each adds below itself: an agent and a team to themselves, a group to one of its teams, a salesman nobody", async () => {
  const { agents, teams, groups } = world.tree;
  const none = { agent_id: null, business_team_id: null, business_group_id: null };
  expect(await owns((await add(tokens.sp01)).id)).toEqual(none);
  expect(await owns((await add(tokens.sp01, { agentId: agents.agent02 })).id)).toEqual({ ...none, agent_id: agents.agent02 });
  expect(await owns((await add(tokens.agent01)).id)).toEqual({ ...none, agent_id: agents.agent01 });
  const ofTeam = { ...none, business_team_id: teams.team01, business_group_id: groups.group01 };
  expect(await owns((await add(tokens.team01)).id)).toEqual(ofTeam);
  expect(await owns((await add(tokens.group01, { businessTeamId: teams.team01 })).id)).toEqual(ofTeam);
  expect((await world.refused(addSalesmanAccount, tokens.group01, fresh())).fields).toHaveProperty("businessTeamId");
  expect((await world.refused(addSalesmanAccount, tokens.group01, fresh({ businessTeamId: teams.team02 }))).fields).toHaveProperty(
    "businessTeamId",
  );
  expect((await world.refused(addSalesmanAccount, tokens.agent01, fresh({ businessTeamId: teams.team01 }))).fields).toHaveProperty(
    "businessTeamId",
  );
  for (const token of [tokens.admin, tokens.sale01]) expect((await world.refused(addSalesmanAccount, token, fresh())).status).toBe(403);
});

test("each sees its own salesmen, found by name or the phone's end, and the counts agree", async () => {
  expect(await namesOf(tokens.sale01)).toEqual(["邓安"]);
  expect(await namesOf(tokens.sp02)).toEqual(["钱塘"]);
  expect((await world.call(listSalesmen, tokens.team01, { keyword: "9001" })).items.map((row) => row.name)).toEqual(["邓安"]);
  expect((await world.call(listSalesmen, tokens.team01, { keyword: "9002" })).items).toEqual([]);
  for (const [login, token] of Object.entries(tokens))
    expect((await world.call(summariseSalesmen, token, {})).count, login).toBe(
      (await world.call(listSalesmen, token, { pageSize: 100 })).items.length,
    );
  const id = world.tree.salesmen.sale01;
  expect((await world.call(listSalesmanMerchants, tokens.sp01, { id })).items.map((one) => one.name)).toEqual(["蜀味川菜", "麦香烘焙"]);
  expect((await world.call(listSalesmanMerchants, tokens.sp01, { id, keyword: "mxhb" })).items).toHaveLength(1);
  expect((await world.refused(listSalesmanMerchants, tokens.sp02, { id })).status).toBe(404);
});

test("an edit over an old version is told; a phone left out stays; strangers find nothing", async () => {
  const { id } = await add(tokens.sp01);
  await world.call(updateSalesman, tokens.sp01, { id, version: 1, name: "改了名" });
  expect((await world.refused(updateSalesman, tokens.sp01, { id, version: 1, name: "又改" })).status).toBe(409);
  expect(await world.truth("select name, phone from salesmen where id = $1", [id])).toEqual([{ name: "改了名", phone: "13912345678" }]);
  for (const token of [tokens.sp02, tokens.agent01, tokens.team01])
    expect((await world.refused(updateSalesman, token, { id, version: 2, name: "外人" })).status).toBe(404);
});

test("closing puts him out at once and nobody signs in; his merchants stay his; opening lets him", async () => {
  const id = world.tree.salesmen.sale01;
  expect((await world.call(getSalesman, tokens.team01, { id })).sessionCount).toBeGreaterThanOrEqual(1);
  const { endedSessions } = await world.call(setSalesmanState, tokens.team01, { id, state: "disabled" });
  expect(endedSessions).toBeGreaterThanOrEqual(1);
  expect((await world.refused(getAccount, tokens.sale01, {})).status).toBe(401);
  expect((await world.refused(setSalesmanState, tokens.sp01, { id, state: "disabled" })).status).toBe(409);
  expect((await world.call(getSalesman, tokens.sp01, { id })).merchantCount).toBe(2);
  const refused = await world.refused(handOverMerchants, tokens.sp01, { id: world.tree.salesmen.sale02, toId: id, from: TODAY });
  expect(refused.fields).toHaveProperty("toId");
  await world.call(setSalesmanState, tokens.sp01, { id, state: "active" });
  await world.call(getAccount, await world.signIn("sale01"), {});
});

test("who stands above logs in as him; he himself and strangers don't", async () => {
  const row = async (token: string) => (await world.call(listSalesmen, token, { keyword: "邓安" })).items[0]!;
  const { loginUserId } = await row(tokens.team01);
  await world.call(manualLogin, tokens.team01, { userId: loginUserId! });
  expect((await row(tokens.sale01)).loginUserId).toBeNull();
  expect((await world.refused(manualLogin, tokens.sp02, { userId: loginUserId! })).status).toBe(404);
});
