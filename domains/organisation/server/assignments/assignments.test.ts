import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addSalesmanAccount,
  assignMerchants,
  cancelAssignment,
  handOverMerchants,
  listAssignments,
  setSalesmanState,
} from "../../contract/index.ts";
import { applyAssignments } from "./apply-assignments.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "agent02" | "group01" | "team01" | "sale01", string>;
const worlds: World[] = [];
const [TODAY, TOMORROW, LATER] = ["2026-11-20", "2026-11-21", "2026-11-25"];
const DAY_MS = 86_400_000;
beforeEach(async () => {
  world = await openWorld();
  worlds.push(world);
  await signAllIn();
});
afterEach(async () => {
  for (const one of worlds.splice(0)) await one.close();
});
afterAll(async () => {
  for (const one of worlds) await one.close();
});
async function signAllIn(): Promise<void> {
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  const logins = ["admin", "sp01", "sp02", "agent02", "group01", "team01", "sale01"] as const;
  tokens = Object.fromEntries(await Promise.all(logins.map(of))) as typeof tokens;
}
const colleague = async (token: string, name = "司马青") =>
  (
    await world.call(addSalesmanAccount, token, {
      requestId: randomUUID(),
      name,
      phone: "13912345678",
      login: `s${randomUUID().slice(0, 12)}`,
    })
  ).id;
const salesmanOf = async (merchant: string) =>
  (await world.truth("select salesman_id from merchants where id = $1", [merchant]))[0]!["salesman_id"];
const run = () => applyAssignments.run(world.services, {});
/** The next days, with sessions of their own: the old ones have gone by then. */
async function wait(days: number): Promise<void> {
  world.services.clock.advance(days * DAY_MS);
  await signAllIn();
}
const items = async (token: string, input: object = {}) => (await world.call(listAssignments, token, input)).items;

test("at once: one, some or all of a salesman's merchants go, with an audit row for each", async () => {
  const { salesmen, merchants } = world.tree;
  const to = await colleague(tokens.team01);
  const one = { id: salesmen.sale01, toId: to, merchantIds: [merchants.mch04.id], from: TODAY };
  expect(await world.call(handOverMerchants, tokens.team01, one)).toEqual({ count: 1, effectiveFrom: TODAY });
  expect([await salesmanOf(merchants.mch01.id), await salesmanOf(merchants.mch04.id)]).toEqual([salesmen.sale01, to]);
  // It is his no more.
  expect((await world.refused(handOverMerchants, tokens.team01, one)).status).toBe(404);
  expect(await world.call(handOverMerchants, tokens.team01, { id: salesmen.sale01, toId: to, from: TODAY })).toMatchObject({ count: 1 });
  expect((await world.refused(handOverMerchants, tokens.team01, { id: salesmen.sale01, toId: to, from: TODAY })).status).toBe(409);
  const noted = await world.truth(
    "select target_id from audit_log where endpoint like '%/hand-over' and target_kind = 'merchant' order by target_id",
  );
  expect(noted.map((row) => row["target_id"])).toEqual([merchants.mch01.id, merchants.mch04.id].toSorted());
});

test("a salesman of another team brings his team and group along", async () => {
  const { salesmen, merchants, teams, groups } = world.tree;
  await world.call(handOverMerchants, tokens.sp01, {
    id: salesmen.sale01,
    toId: salesmen.sale02,
    merchantIds: [merchants.mch04.id],
    from: TODAY,
  });
  expect(await world.truth("select business_team_id, business_group_id from merchants where id = $1", [merchants.mch04.id])).toEqual([
    { business_team_id: teams.team02, business_group_id: groups.group02 },
  ]);
});

test("from a day on: it is seen, nothing moves before the day, all moves with it, and the log names who decided", async () => {
  const { salesmen, merchants } = world.tree;
  const to = await colleague(tokens.team01);
  const asked = { id: salesmen.sale01, toId: to, from: LATER };
  expect(await world.call(handOverMerchants, tokens.team01, asked)).toEqual({ count: 2, effectiveFrom: LATER });
  for (const token of [tokens.team01, tokens.sale01, tokens.sp01, tokens.admin])
    expect(await items(token, { salesmanId: salesmen.sale01 })).toMatchObject([
      { status: 0, effectiveFrom: LATER, merchantCount: 2, merchantNames: ["蜀味川菜", "麦香烘焙"] },
    ]);
  expect((await items(tokens.team01))[0]).toMatchObject({ to: [{ kind: "salesman", name: "司马青", taken: false }], setBy: "team01" });
  expect(await items(tokens.sp02)).toEqual([]);
  await run();
  await wait(4);
  await run();
  expect(await salesmanOf(merchants.mch01.id)).toBe(salesmen.sale01);
  await wait(1);
  await run();
  expect([await salesmanOf(merchants.mch01.id), await salesmanOf(merchants.mch04.id)]).toEqual([to, to]);
  expect(await items(tokens.team01)).toEqual([]);
  await run();
  const noted = await world.truth("select login from audit_log where title = '预约移交生效'");
  expect(noted).toEqual([{ login: "team01" }, { login: "team01" }]);
});

test("before its day it can be cancelled, by whoever decided or somebody above, and by nobody below", async () => {
  const { salesmen, merchants } = world.tree;
  const to = await colleague(tokens.team01);
  await world.call(handOverMerchants, tokens.team01, { id: salesmen.sale01, toId: to, from: TOMORROW });
  const [mine] = await items(tokens.group01);
  expect(mine).toMatchObject({ cancellable: true });
  expect((await world.refused(cancelAssignment, tokens.agent02, { id: mine!.id })).status).toBe(404);
  expect((await world.refused(cancelAssignment, tokens.sale01, { id: mine!.id })).status).toBe(403);
  expect(await world.call(cancelAssignment, tokens.group01, { id: mine!.id })).toEqual({ count: 2 });
  expect((await world.refused(cancelAssignment, tokens.group01, { id: mine!.id })).status).toBe(409);

  await world.call(assignMerchants, tokens.sp01, { ids: [merchants.mch04.id], salesmanId: salesmen.sale02, from: TOMORROW });
  const [above] = await items(tokens.team01);
  // Neither who decided nor whom it goes to stands in the team's sight.
  expect(above).toMatchObject({ cancellable: false, setBy: null, to: [{ kind: "salesman", name: null, taken: false }] });
  expect((await world.refused(cancelAssignment, tokens.team01, { id: above!.id })).status).toBe(409);
  const around = { id: salesmen.sale01, toId: to, merchantIds: [merchants.mch04.id], from: TODAY };
  expect((await world.refused(handOverMerchants, tokens.team01, around)).message).toContain("1 家商户已由上级预约");
  await wait(1);
  await run();
  expect(await salesmanOf(merchants.mch01.id)).toBe(salesmen.sale01);
  expect(await salesmanOf(merchants.mch04.id)).toBe(salesmen.sale02);
});

test("a newer decision takes the place of one to come, at once or for another day", async () => {
  const { salesmen, merchants } = world.tree;
  const [first, second] = [await colleague(tokens.team01, "一号"), await colleague(tokens.team01, "二号")];
  const ids = [merchants.mch01.id, merchants.mch04.id];
  await world.call(handOverMerchants, tokens.team01, { id: salesmen.sale01, toId: first, from: TOMORROW });
  await world.call(assignMerchants, tokens.sp01, { ids: [merchants.mch04.id], salesmanId: second, from: LATER });
  await world.call(assignMerchants, tokens.sp01, { ids: [merchants.mch01.id], salesmanId: second });
  await wait(2);
  await run();
  expect(await Promise.all(ids.map(salesmanOf))).toEqual([second, salesmen.sale01]);
  await wait(4);
  await run();
  expect(await Promise.all(ids.map(salesmanOf))).toEqual([second, second]);
});

test("what can't be done on its day stays as it was and says why", async () => {
  const { salesmen, merchants } = world.tree;
  const to = await colleague(tokens.team01);
  await world.call(handOverMerchants, tokens.team01, { id: salesmen.sale01, toId: to, from: TOMORROW });
  await world.call(setSalesmanState, tokens.team01, { id: to, state: "disabled" });
  await wait(1);
  await run();
  expect(await salesmanOf(merchants.mch01.id)).toBe(salesmen.sale01);
  expect(await items(tokens.team01)).toMatchObject([{ status: 3, why: "业务员不存在或已停用", cancellable: false }]);
  expect(await world.truth("select 1 from audit_log where title = '预约移交未能生效'")).toHaveLength(2);
});

test("neither the past nor a day beyond a year, nobody out of sight, and not to himself", async () => {
  const { salesmen } = world.tree;
  const asked = { id: salesmen.sale01, toId: salesmen.sale02, from: TODAY };
  expect((await world.refused(handOverMerchants, tokens.sp01, { ...asked, from: "2026-11-19" })).fields).toHaveProperty("from");
  expect((await world.refused(handOverMerchants, tokens.sp01, { ...asked, from: "2028-01-01" })).fields).toHaveProperty("from");
  expect((await world.refused(handOverMerchants, tokens.sp01, { ...asked, toId: salesmen.sale03 })).fields).toHaveProperty("toId");
  expect((await world.refused(handOverMerchants, tokens.team01, asked)).fields).toHaveProperty("toId");
  expect((await world.refused(handOverMerchants, tokens.sp01, { ...asked, toId: salesmen.sale01 })).fields).toHaveProperty("toId");
  expect((await world.refused(handOverMerchants, tokens.sp02, asked)).status).toBe(404);
  expect((await world.refused(handOverMerchants, tokens.sale01, asked)).status).toBe(403);
});
