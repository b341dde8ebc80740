import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticate, getAccount, manualLogin } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addGroupAccount,
  addMerchantAccount,
  addTeamAccount,
  getGroup,
  getTeam,
  listGroupChoices,
  listGroups,
  listMerchantRows,
  listTeams,
  moveTeam,
  setGroupState,
  setTeamState,
  summariseGroups,
  summariseTeams,
  updateGroup,
  updateTeam,
} from "../../contract/index.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "group01" | "group02" | "team01" | "sale01", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  const logins = ["admin", "sp01", "sp02", "group01", "group02", "team01", "sale01"] as const;
  tokens = Object.fromEntries(await Promise.all(logins.map(of))) as typeof tokens;
});
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "新设",
  leader: "欧阳清",
  login: `t${randomUUID().slice(0, 12)}`,
  ...more,
});
const groupOf = async (table: string, column: string, id: string) =>
  (await world.truth(`select business_group_id from ${table} where ${column} = $1`, [id])).map((row) => row["business_group_id"]);

test("a group and a team come with one account each, whose password is told once, and the leader is nowhere in full", async () => {
  for (const [endpoint, list, name] of [
    [addGroupAccount, listGroups, "青山集团"],
    [addTeamAccount, listTeams, "青山团队"],
  ] as const) {
    const given = fresh({ name });
    const first = await world.call(endpoint, tokens.sp01, given);
    expect(await world.call(endpoint, tokens.sp01, given)).toEqual({ ...first, password: null });
    const withIt = { username: given.login, password: first.password!, rememberMe: false };
    expect((await world.refused(authenticate, undefined, withIt)).message).toBe("请设置新密码");
    const rows = await world.call(list, tokens.sp01, { keyword: "青山" });
    expect(rows.items).toMatchObject([{ name, leader: "欧**", merchantCount: 0, monthPaidCents: 0, state: "active" }]);
    const audit = await world.truth("select detail from audit_log where target_id = $1", [first.id]);
    expect(audit).toHaveLength(1);
    expect(JSON.stringify([audit, rows])).not.toContain("欧阳清");
  }
});

test("a group adds to itself and to no other; only those who create them do", async () => {
  const { groups } = world.tree;
  const { id } = await world.call(addTeamAccount, tokens.group01, fresh());
  expect(await groupOf("business_teams", "id", id)).toEqual([groups.group01]);
  expect((await world.refused(addTeamAccount, tokens.group01, fresh({ businessGroupId: groups.group02 }))).fields).toHaveProperty(
    "businessGroupId",
  );
  expect((await world.refused(addTeamAccount, tokens.sp02, fresh({ businessGroupId: groups.group02 }))).fields).toHaveProperty(
    "businessGroupId",
  );
  for (const token of [tokens.admin, tokens.team01]) expect((await world.refused(addTeamAccount, token, fresh())).status).toBe(403);
  for (const token of [tokens.admin, tokens.group01]) expect((await world.refused(addGroupAccount, token, fresh())).status).toBe(403);
  expect((await world.call(listGroupChoices, tokens.group01, {})).items.map((one) => one.id)).toEqual([groups.group01]);
});

test("a moved team takes its salesmen and merchants along, and what each group sees follows at once", async () => {
  const { teams, groups, merchants } = world.tree;
  const id = teams.team01;
  const seenBy = async (token: string) => (await world.call(listMerchantRows, token, { pageSize: 100 })).items.length;
  const before = [await seenBy(tokens.group01), await seenBy(tokens.group02)];
  const { version } = await world.call(getTeam, tokens.sp01, { id });
  expect((await world.refused(moveTeam, tokens.group01, { id, version, businessGroupId: groups.group02 })).status).toBe(403);
  expect((await world.refused(moveTeam, tokens.sp02, { id, version, businessGroupId: null })).status).toBe(404);
  expect((await world.refused(moveTeam, tokens.sp01, { id, version, businessGroupId: groups.group01 })).fields).toHaveProperty(
    "businessGroupId",
  );
  const moved = await world.call(moveTeam, tokens.sp01, { id, version, businessGroupId: groups.group02 });
  expect(moved).toEqual({ merchantCount: 2, salesmanCount: 1 });
  expect(await groupOf("merchants", "business_team_id", id)).toEqual([groups.group02, groups.group02]);
  expect(await groupOf("salesmen", "business_team_id", id)).toEqual([groups.group02]);
  expect([await seenBy(tokens.group01), await seenBy(tokens.group02)]).toEqual([before[0]! - 2, before[1]! + 2]);
  expect((await world.refused(getTeam, tokens.group01, { id })).status).toBe(404);
  expect((await world.refused(moveTeam, tokens.sp01, { id, version, businessGroupId: null })).status).toBe(409);
  await world.call(moveTeam, tokens.sp01, { id, version: version + 1, businessGroupId: null });
  expect(await groupOf("merchants", "id", merchants.mch01.id)).toEqual([null]);
  await world.call(moveTeam, tokens.sp01, { id, version: version + 2, businessGroupId: groups.group01 });
  const noted = await world.truth("select detail from audit_log where target_id = $1 and endpoint like '%/move'", [id]);
  expect(noted.map((row) => row["detail"])).toContainEqual({
    before: { businessGroupId: groups.group01 },
    after: { businessGroupId: groups.group02, merchantCount: 2, salesmanCount: 1 },
  });
});

test("merchants added while their team moves end up in its group", async () => {
  const { teams, groups } = world.tree;
  const { version } = await world.call(getTeam, tokens.sp01, { id: teams.team02 });
  const adding = Array.from({ length: 6 }, () =>
    world.call(addMerchantAccount, tokens.sp01, {
      requestId: randomUUID(),
      name: "搬家路上的店",
      shortName: "路上的店",
      contactName: "文新",
      contactPhone: "13912345678",
      login: `m${randomUUID().slice(0, 12)}`,
      businessTeamId: teams.team02,
    }),
  );
  await Promise.all([...adding, world.call(moveTeam, tokens.sp01, { id: teams.team02, version, businessGroupId: groups.group01 })]);
  expect(new Set(await groupOf("merchants", "business_team_id", teams.team02))).toEqual(new Set([groups.group01]));
  await world.call(moveTeam, tokens.sp01, { id: teams.team02, version: version + 1, businessGroupId: groups.group02 });
});

test("an edit over an old version is told; a leader left out stays; strangers find nothing", async () => {
  const { teams, groups } = world.tree;
  for (const [update, get, list, id] of [
    [updateGroup, getGroup, listGroups, groups.group02],
    [updateTeam, getTeam, listTeams, teams.team02],
  ] as const) {
    const { version, leader } = await world.call(get, tokens.sp01, { id });
    await world.call(update, tokens.sp01, { id, version, name: "川北改名" });
    expect((await world.refused(update, tokens.sp01, { id, version, name: "又改" })).status).toBe(409);
    expect((await world.call(list, tokens.sp01, { keyword: "川北改名" })).items).toMatchObject([{ id, leader }]);
    expect((await world.refused(update, tokens.sp02, { id, version: version + 1, name: "外人" })).status).toBe(404);
  }
  expect((await world.refused(updateTeam, tokens.group01, { id: teams.team02, version: 9, name: "外人" })).status).toBe(404);
});

test("closing puts out everybody below at once, merchants stay; opening lets them in", async () => {
  const { groups, teams } = world.tree;
  const id = groups.group01;
  const shown = await world.call(getGroup, tokens.sp01, { id });
  expect(shown.sessionCount).toBeGreaterThanOrEqual(3);
  expect(shown.teams.map((one) => one.id)).toContain(teams.team01);
  await world.call(setGroupState, tokens.sp01, { id, state: "disabled" });
  for (const token of [tokens.group01, tokens.team01, tokens.sale01]) expect((await world.refused(getAccount, token, {})).status).toBe(401);
  await expect(world.signIn("team01")).rejects.toThrow();
  expect(await world.call(getGroup, tokens.sp01, { id })).toMatchObject({ state: "disabled", merchantCount: shown.merchantCount });
  const { version } = await world.call(getTeam, tokens.sp01, { id: teams.team02 });
  expect((await world.refused(moveTeam, tokens.sp01, { id: teams.team02, version, businessGroupId: id })).fields).toHaveProperty(
    "businessGroupId",
  );
  await world.call(setGroupState, tokens.sp01, { id, state: "active" });
  const group = await world.signIn("group01");
  const team = await world.signIn("team01");
  await world.call(setTeamState, group, { id: teams.team01, state: "disabled" });
  expect((await world.refused(getAccount, team, {})).status).toBe(401);
  expect((await world.refused(setTeamState, group, { id: teams.team01, state: "disabled" })).status).toBe(409);
  await world.call(setTeamState, group, { id: teams.team01, state: "active" });
});

test("the counts agree, and who stands above logs in", async () => {
  for (const token of [tokens.admin, tokens.sp01, tokens.sp02])
    expect((await world.call(summariseGroups, token, {})).count).toBe(
      (await world.call(listGroups, token, { pageSize: 100 })).items.length,
    );
  for (const token of [tokens.admin, tokens.sp01, tokens.sp02, tokens.group01])
    expect((await world.call(summariseTeams, token, {})).count).toBe((await world.call(listTeams, token, { pageSize: 100 })).items.length);
  const row = (await world.call(listTeams, tokens.group01, { keyword: "成渝" })).items[0]!;
  await world.call(manualLogin, tokens.group01, { userId: row.loginUserId! });
  expect((await world.refused(manualLogin, tokens.sp02, { userId: row.loginUserId! })).status).toBe(404);
});
