import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticate, getAccount } from "../../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../../accounts/server/world-for-tests.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import {
  addAgentAccount,
  addSalesmanAccount,
  assignMerchants,
  cancelAgentContract,
  getAgent,
  listAgents,
  renewAgentContract,
  reviewAgentContract,
  setAgentRatio,
  submitAgentContract,
} from "../../../contract/index.ts";
import { watchAgentContracts } from "./watch-agent-contracts.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
const DAY_MS = 86_400_000;
/** A session of its own each time: the clock leaps. */
const sp01 = () => world.signIn("sp01");
const today = () => shanghaiDay(world.services.clock.now_ms());
const watch = () => watchAgentContracts.run(world.services, {});
const fresh = (more: object = {}) => ({
  requestId: randomUUID(),
  name: "望江代理",
  contactName: "欧阳清",
  contactPhone: "13912345678",
  profitRatio: 30_000,
  login: `a${randomUUID().slice(0, 12)}`,
  ...more,
});
/** A new agent whose first password has been changed as far as it can be. */
async function add(more: object = {}) {
  const given = fresh(more);
  const made = await world.call(addAgentAccount, await sp01(), given);
  const enter = (newPassword?: string) =>
    world.call(authenticate, undefined, {
      username: given.login,
      password: newPassword ? made.password! : "Sommer-Regen-77!",
      ...(newPassword && { newPassword }),
    });
  return { id: made.id, login: given.login, enter };
}
async function sign(id: string, days: number): Promise<void> {
  const token = await sp01();
  const { version } = await world.call(getAgent, token, { id });
  await world.call(submitAgentContract, token, { id, version, contractFrom: today(), contractUntil: addDays(today(), days) });
  await world.call(reviewAgentContract, token, { id, version: version + 1, verdict: "approve" });
}
const statusOf = async (id: string) => (await world.truth("select status from agents where id = $1", [id]))[0]!["status"];
const told = async (login: string) =>
  (
    await world.truth<{ title: string }>(
      "select m.title from messages m join users u on u.id = m.owner_user_id where u.login = $1 and m.kind = 'contract' order by m.created_at, m.title",
      [login],
    )
  ).map((row) => row.title);

test("nobody signs in before the contract is approved; a rejected one says why and is submitted again", async () => {
  const { id, enter } = await add();
  const token = await sp01();
  const of = async () => ({ id, version: (await world.call(getAgent, token, { id })).version });
  expect(await world.call(getAgent, token, { id })).toMatchObject({ contractStatus: 0, contractUntil: null, loginUserId: null });
  await expect(enter("Sommer-Regen-77!")).rejects.toMatchObject({ status: 401 });
  expect((await world.refused(reviewAgentContract, token, { ...(await of()), verdict: "approve" })).status).toBe(409);
  expect((await world.refused(renewAgentContract, token, { ...(await of()), contractUntil: "2027-11-20" })).status).toBe(409);
  const period = { contractFrom: today(), contractUntil: addDays(today(), 365) };
  expect(
    (
      await world.refused(submitAgentContract, token, {
        ...(await of()),
        ...period,
        contractUntil: "2026-11-19",
        contractFrom: "2026-01-01",
      })
    ).fields,
  ).toHaveProperty("contractUntil");
  await world.call(submitAgentContract, token, { ...(await of()), ...period });
  expect((await world.refused(reviewAgentContract, token, { ...(await of()), verdict: "reject" })).fields).toHaveProperty("why");
  await world.call(reviewAgentContract, token, { ...(await of()), verdict: "reject", why: "资质不全" });
  expect(await world.call(getAgent, token, { id })).toMatchObject({ contractStatus: 5, contractWhy: "资质不全" });
  await world.call(submitAgentContract, token, { ...(await of()), ...period });
  const stale = await of();
  await world.call(reviewAgentContract, token, { ...stale, verdict: "approve" });
  expect((await world.refused(reviewAgentContract, token, { ...stale, verdict: "approve" })).status).toBe(409);
  await enter("Sommer-Regen-77!");
  const noted = await world.truth("select 1 from audit_log where target_id = $1 and endpoint like '%/contract/%'", [id]);
  expect(noted).toHaveLength(4);
  await expect(world.truth("update agents set status = 1 where id = $1", [id])).rejects.toMatchObject({ code: "ZF001" });
});

test("an end that comes near is told 30, 7 and 1 days before, once each, and the day after it nobody is signed in any more", async () => {
  const { id, login, enter } = await add({ name: "到期代理" });
  await sign(id, 40);
  await enter("Sommer-Regen-77!");
  const salesman = { requestId: randomUUID(), name: "小到", phone: "13912345678", login: `s${randomUUID().slice(0, 12)}`, agentId: id };
  await world.call(addSalesmanAccount, await sp01(), salesman);
  await world.call(assignMerchants, await sp01(), { ids: [world.tree.merchants.mch07.id], agentId: id });
  const merchant = () => world.truth("select agent_id, state from merchants where id = $1", [world.tree.merchants.mch07.id]);
  const before = await merchant();
  await watch();
  expect(await told("sp01")).toEqual([]);
  const days: string[][] = [];
  for (const ahead of [10, 10, 13, 6, 1]) {
    world.services.clock.advance(ahead * DAY_MS);
    await watch();
    await watch();
    days.push(await told(login));
  }
  const said = (n: number) => `代理商「到期代理」的合同还有 ${n} 天到期`;
  expect(days).toEqual([[said(30)], [said(30)], [said(30), said(7)], [said(30), said(7), said(1)], [said(30), said(7), said(1)]]);
  expect(await statusOf(id)).toBe(2);
  const token = await world.signIn(login);
  await world.call(getAccount, token, {});
  world.services.clock.advance(DAY_MS);
  const late = await world.signIn(login);
  await watch();
  expect(await statusOf(id)).toBe(3);
  expect((await world.refused(getAccount, late, {})).status).toBe(401);
  for (const one of [login, salesman.login]) await expect(world.signIn(one)).rejects.toThrow();
  await expect(enter()).rejects.toMatchObject({ status: 401 });
  expect(await merchant()).toEqual(before);
  expect(await told("sp01")).toContain("代理商「到期代理」的合同已到期");
  expect(await world.truth("select 1 from audit_log where title = '代理商合同到期' and target_id = $1", [id])).toHaveLength(1);
  // Nothing more is given to it until it is renewed; then all is as before.
  const given = { ids: [world.tree.merchants.mch06.id], agentId: id };
  expect((await world.refused(assignMerchants, await sp01(), given)).fields).toHaveProperty("agentId");
  const { version } = await world.call(getAgent, await sp01(), { id });
  const renew = (contractUntil: string) => sp01().then((by) => ({ by, input: { id, version, contractUntil } }));
  const early = await renew(addDays(today(), -1));
  expect((await world.refused(renewAgentContract, early.by, early.input)).fields).toHaveProperty("contractUntil");
  const right = await renew(addDays(today(), 365));
  await world.call(renewAgentContract, right.by, right.input);
  await world.call(getAccount, await world.signIn(login), {});
});

test("a cancelled agent is out at once and for good; its merchants stay; strangers can't", async () => {
  const { id, login } = await add({ name: "注销代理" });
  await sign(id, 100);
  const token = await world.signIn(login);
  await world.call(assignMerchants, await sp01(), { ids: [world.tree.merchants.mch07.id], agentId: id });
  const { version } = await world.call(getAgent, await sp01(), { id });
  const given = { id, version, why: "不再合作" };
  expect((await world.refused(cancelAgentContract, await world.signIn("sp02"), given)).status).toBe(404);
  expect((await world.refused(cancelAgentContract, token, given)).status).toBe(403);
  expect(await world.call(cancelAgentContract, await sp01(), given)).toEqual({ endedSessions: 1 });
  expect((await world.refused(getAccount, token, {})).status).toBe(401);
  await expect(world.signIn(login)).rejects.toThrow();
  expect(await world.truth("select agent_id from merchants where id = $1", [world.tree.merchants.mch07.id])).toEqual([{ agent_id: id }]);
  const next = { id, version: version + 1 };
  expect((await world.refused(renewAgentContract, await sp01(), { ...next, contractUntil: "2030-01-01" })).status).toBe(409);
  expect((await world.refused(cancelAgentContract, await sp01(), { ...next, why: "再来" })).status).toBe(409);
  expect((await world.call(listAgents, await sp01(), { contract: 4 })).items.map((one) => one.id)).toEqual([id]);
});

test("a ratio keeps to the provider's limit", async () => {
  await world.truth("update service_providers set agent_ratio_limit = 50000 where id = $1", [world.tree.providers.sp01]);
  expect((await world.refused(addAgentAccount, await sp01(), fresh({ profitRatio: 50_001 }))).fields).toEqual({
    profitRatio: expect.stringContaining("50"),
  });
  const { id } = await add({ profitRatio: 50_000 });
  const given = { id, version: 1, start: "today" as const };
  expect((await world.refused(setAgentRatio, await sp01(), { ...given, profitRatio: 50_001 })).fields).toHaveProperty("profitRatio");
  await world.call(setAgentRatio, await sp01(), { ...given, profitRatio: 49_999 });
  expect(await world.call(getAgent, await sp01(), { id })).toMatchObject({ ratioLimit: 50_000 });
});
