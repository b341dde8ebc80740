import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticate, getAccount } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addMerchantAccount,
  assignMerchants,
  getMerchant,
  listAttributionChoices,
  listMerchantRows,
  setMerchantState,
  summariseMerchants,
  updateMerchant,
} from "../../contract/index.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "agent01" | "team01" | "sale01", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  tokens = Object.fromEntries(
    await Promise.all((["admin", "sp01", "sp02", "agent01", "team01", "sale01"] as const).map(of)),
  ) as typeof tokens;
});
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "成都望江茶社有限公司",
  shortName: "望江茶社",
  contactName: "欧阳清",
  contactPhone: "13912345678",
  login: `m${randomUUID().slice(0, 12)}`,
  ...more,
});
const add = (token: string, more: object = {}) => world.call(addMerchantAccount, token, fresh(more));
const found = async (keyword: string, token = tokens.sp01) =>
  (await world.call(listMerchantRows, token, { keyword, pageSize: 100 })).items.map((row) => row.shortName);

test("a merchant comes with one account whose password is told once; the same request again finds it without", async () => {
  const given = fresh({ name: "成都锦里茶社有限公司", shortName: "锦里茶社" });
  const first = await world.call(addMerchantAccount, tokens.sp01, given);
  const again = await world.call(addMerchantAccount, tokens.sp01, given);
  expect(again).toEqual({ ...first, password: null });
  expect((await world.refused(addMerchantAccount, tokens.sp01, { ...given, shortName: "别的" })).status).toBe(409);
  expect(await world.truth("select 1 from merchants where short_name = '锦里茶社'")).toHaveLength(1);
  const [stored] = await world.truth("select k.answer from idempotency_keys k where key = $1", [given.requestId]);
  expect(JSON.stringify(stored)).not.toContain(first.password);
  // Good for one thing: to choose a password with.
  const withIt = { username: given.login, password: first.password!, rememberMe: false };
  expect((await world.refused(authenticate, undefined, withIt)).message).toBe("请设置新密码");
  await world.call(authenticate, undefined, { ...withIt, newPassword: "Sommer-Regen-77!" });
  const audit = await world.truth<{ detail: unknown }>("select detail from audit_log where target_id = $1", [first.id]);
  expect(audit).toHaveLength(1);
  expect(JSON.stringify(audit)).not.toMatch(/13912345678|欧阳清/);
});

test("a taken login blames its field and leaves no merchant behind", async () => {
  const refused = await world.refused(addMerchantAccount, tokens.sp01, fresh({ login: "mch01", shortName: "没有账号的" }));
  expect(refused.fields).toEqual({ login: expect.stringContaining("已存在") });
  expect(await world.truth("select 1 from merchants where short_name = '没有账号的'")).toEqual([]);
});

test("an agent and a team add to themselves, a salesman to nobody, and only the provider sets a rate", async () => {
  const { agents, teams, groups } = world.tree;
  const own = async (id: string) =>
    (await world.truth("select agent_id, business_team_id, business_group_id, fee_rate from merchants where id = $1", [id]))[0];
  expect(await own((await add(tokens.agent01)).id)).toMatchObject({ agent_id: agents.agent01, business_team_id: null, fee_rate: 210 });
  expect(await own((await add(tokens.team01)).id)).toMatchObject({ business_team_id: teams.team01, business_group_id: groups.group01 });
  expect((await world.refused(addMerchantAccount, tokens.sale01, fresh())).status).toBe(403);
  expect((await world.refused(addMerchantAccount, tokens.admin, fresh())).status).toBe(403);
  expect((await world.refused(addMerchantAccount, tokens.agent01, fresh({ agentId: agents.agent02 }))).fields).toHaveProperty("agentId");
  expect((await world.refused(addMerchantAccount, tokens.agent01, fresh({ feeRate: 100 }))).fields).toHaveProperty("feeRate");
});

test("a merchant is found by a part of its names, by initials with either reading, by number and by the phone's end", async () => {
  const { id, number } = await add(tokens.sp01, { name: "重庆长江鱼庄有限公司", shortName: "长江鱼庄", contactPhone: "13700006612" });
  for (const keyword of ["长江", "鱼庄有限", "cjyz", "zjyz", "Chongqing", "ZQ", "cq", number, number.slice(2, 7), "6612", "00006612", "鱼"])
    expect(await found(keyword), keyword).toContain("长江鱼庄");
  for (const keyword of ["江长", "6613", "612", "%", "_", "yzc", "xx"]) expect(await found(keyword), keyword).not.toContain("长江鱼庄");
  expect(await found("长江", tokens.sp02)).toEqual([]);
  await world.call(updateMerchant, tokens.sp01, { id, version: 1, name: "重庆嘉陵鱼庄有限公司", shortName: "嘉陵鱼庄" });
  expect(await found("jlyz")).toContain("嘉陵鱼庄");
  expect(await found("cjyz")).toEqual([]);
});

test("what is personal is masked in the list and in the details", async () => {
  const { id } = await add(tokens.sp01, { legalPerson: "司马光远" });
  const shown = await world.call(getMerchant, tokens.sp01, { id });
  expect(shown).toMatchObject({ contactName: "欧**", contactPhone: "139****5678", legalPerson: "司**" });
  const list = await world.call(listMerchantRows, tokens.sp01, { pageSize: 100 });
  expect(JSON.stringify(list)).not.toMatch(/13912345678|欧阳清|司马光远/);
});

test("two who edit the same version: the second is told; what the form left out stays", async () => {
  const { id } = await add(tokens.sp01);
  const edit = { id, version: 1, name: "望江茶社新名", shortName: "望江新" };
  await world.call(updateMerchant, tokens.sp01, edit);
  expect((await world.refused(updateMerchant, tokens.sp01, edit)).status).toBe(409);
  expect(await world.truth("select contact_phone, version from merchants where id = $1", [id])).toEqual([
    { contact_phone: "13912345678", version: 2 },
  ]);
  expect((await world.refused(updateMerchant, tokens.agent01, { ...edit, version: 2 })).status).toBe(404);
});

test("a hand-over brings the salesman's team and group along, spares what is not named, and is written down for each merchant", async () => {
  const { agents, teams, groups, salesmen } = world.tree;
  const ids = [(await add(tokens.sp01)).id, (await add(tokens.sp01, { agentId: agents.agent02 })).id];
  expect(await world.call(assignMerchants, tokens.sp01, { ids, salesmanId: salesmen.sale01 })).toMatchObject({ count: 2 });
  const rows = () =>
    world.truth(
      "select agent_id, business_group_id, business_team_id, salesman_id from merchants where id = any($1) order by agent_id nulls first",
      [ids],
    );
  const brought = { business_group_id: groups.group01, business_team_id: teams.team01, salesman_id: salesmen.sale01 };
  expect(await rows()).toEqual([
    { agent_id: null, ...brought },
    { agent_id: agents.agent02, ...brought },
  ]);
  expect((await world.refused(assignMerchants, tokens.sp01, { ids, businessTeamId: teams.team02 })).fields).toHaveProperty("salesmanId");
  await world.call(assignMerchants, tokens.sp01, { ids, businessTeamId: teams.team02, salesmanId: null });
  expect((await rows()).map((row) => row["business_group_id"])).toEqual([groups.group02, groups.group02]);
  const noted = await world.truth(
    "select 1 from audit_log where target_kind = 'merchant' and endpoint like '%/assign' and target_id = any($1)",
    [ids],
  );
  expect(noted).toHaveLength(4);
});

test("nobody hands over what is not in sight, across providers, or to a closed node; all or none", async () => {
  const { merchants, salesmen, agents } = world.tree;
  const [mine, foreign] = [merchants.mch06.id, merchants.mch02.id];
  expect((await world.refused(assignMerchants, tokens.sp01, { ids: [mine, foreign], agentId: null })).status).toBe(404);
  expect((await world.refused(assignMerchants, tokens.admin, { ids: [mine, foreign], agentId: null })).fields).toHaveProperty("ids");
  expect((await world.refused(assignMerchants, tokens.sp01, { ids: [mine], salesmanId: salesmen.sale03 })).fields).toHaveProperty(
    "salesmanId",
  );
  await world.truth("update agents set state = 'disabled' where id = $1", [agents.agent01]);
  expect((await world.refused(assignMerchants, tokens.sp01, { ids: [mine], agentId: agents.agent01 })).fields).toHaveProperty("agentId");
  await world.truth("update agents set state = 'active' where id = $1", [agents.agent01]);
  expect((await world.truth("select agent_id from merchants where id = $1", [mine]))[0]!["agent_id"]).toBe(agents.agent02);
});

test("a whole filter is handed over as it stands on the server, in the caller's sight", async () => {
  const { agents } = world.tree;
  for (const n of [1, 2, 3]) await add(tokens.sp01, { name: `批量移交测试${n}号店`, shortName: `移交${n}` });
  expect(await world.call(assignMerchants, tokens.sp01, { filter: { keyword: "批量移交" }, agentId: agents.agent01 })).toMatchObject({
    count: 3,
  });
  expect(await found("批量移交", tokens.agent01)).toHaveLength(3);
});

test("closing ends the sessions of the merchant and its stores and nobody signs in; opening lets them", async () => {
  const { id } = world.tree.merchants.mch01;
  const [owner, clerk] = [await world.signIn("mch01"), await world.signIn("emp01")];
  expect((await world.call(getMerchant, tokens.sp01, { id })).sessionCount).toBeGreaterThanOrEqual(2);
  const { endedSessions } = await world.call(setMerchantState, tokens.sp01, { id, state: "disabled" });
  expect(endedSessions).toBeGreaterThanOrEqual(2);
  for (const token of [owner, clerk]) expect((await world.refused(getAccount, token, {})).status).toBe(401);
  expect((await world.refused(setMerchantState, tokens.sp01, { id, state: "disabled" })).status).toBe(409);
  expect((await world.call(listMerchantRows, tokens.sp01, { state: "disabled" })).items.map((row) => row.id)).toEqual([id]);
  await world.call(setMerchantState, tokens.sp01, { id, state: "active" });
  await world.call(getAccount, await world.signIn("mch01"), {});
  expect((await world.refused(setMerchantState, tokens.agent01, { id, state: "disabled" })).status).toBe(403);
});

test("each sees its own merchants, the counts agree, and the choices stay in the tree", async () => {
  for (const [login, token] of Object.entries(tokens)) {
    const list = await world.call(listMerchantRows, token, { pageSize: 100, withTotal: true });
    const sums = await world.call(summariseMerchants, token, {});
    expect(sums.count, login).toBe(list.total?.count);
    expect(sums.storeCount, login).toBe(list.items.reduce((sum, row) => sum + row.storeCount, 0));
  }
  const { agents, salesmen } = world.tree;
  const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id).toSorted();
  expect(ids((await world.call(listAttributionChoices, tokens.sp01, {})).salesmen)).toEqual([salesmen.sale01, salesmen.sale02].toSorted());
  expect(await world.call(listAttributionChoices, tokens.agent01, {})).toMatchObject({
    agents: [{ id: agents.agent01 }],
    teams: [],
    salesmen: [],
  });
});
