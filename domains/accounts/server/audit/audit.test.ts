import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealAudit } from "@zhangfang/server/calls/audit-seal.ts";
import { authenticate, listAudit, manualLogin, setPreference, setUserState, updateStaff, verifyAuditLog } from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const audit = async (login: string, input: object = {}) =>
  (await world.call(listAudit, await world.signIn(login), { pageSize: 100, ...input })).items;

test("each level reads its own: who, as whom, what, before and after with people masked, from where", async () => {
  const { users, position, tree } = { ...world.tree, tree: world.tree };
  const root = await world.signIn("mch01");
  await world.call(setUserState, root, { id: users.fin01, state: "disabled" });
  world.services.clock.advance(1000);
  await world.call(setUserState, root, { id: users.fin01, state: "active" });
  world.services.clock.advance(1000);
  const storeIds = tree.merchants.mch01.stores.slice(0, 2).map((store) => store.id);
  await world.call(updateStaff, root, { id: users.fin01, firstName: "王会计", positionId: position, storeIds });
  const [renamed, , disabled] = await audit("mch01");
  expect(renamed).toMatchObject({ login: "mch01", actorLogin: null, title: "修改子账号", targetId: users.fin01, ip: "127.0.0.1" });
  expect(renamed!.changes).toContainEqual({ field: "firstName", before: "财**", after: "王**" });
  expect(disabled!.changes).toEqual([{ field: "state", before: "active", after: "disabled" }]);
  // A provider sees its merchants' rows, another merchant and another provider don't.
  expect((await audit("sp01", { merchantId: world.tree.merchants.mch01.id })).map((row) => row.id)).toContain(renamed!.id);
  for (const other of ["mch02", "sp02", "mch03"]) expect((await audit(other)).map((row) => row.id)).not.toContain(renamed!.id);
  expect((await audit("admin")).map((row) => row.id)).toContain(renamed!.id);
  for (const login of ["fin01", "emp01", "agent01"])
    expect((await world.refused(listAudit, await world.signIn(login), {})).status).toBe(403);
});

test("what somebody did in another's name is found by either, and by being so", async () => {
  const acting = await world.call(manualLogin, await world.signIn("sp01"), { userId: world.tree.users.mch01 });
  await world.call(setPreference, acting, { key: "x", value: 1 });
  const found = await audit("mch01", { acting: true });
  expect(found[0]).toMatchObject({ login: "mch01", actorLogin: "sp01", title: "保存偏好" });
  expect((await audit("mch01", { keyword: "sp01", title: "偏好" })).map((row) => row.id)).toEqual([found[0]!.id]);
  expect((await audit("mch01", { acting: false })).some((row) => row.actorLogin !== null)).toBe(false);
});

test("days are Shanghai's, pages follow one another, and a filter on something foreign finds nothing", async () => {
  expect(await audit("mch01", { from: "2026-11-21" })).toEqual([]);
  expect((await audit("mch01", { from: "2026-11-20", to: "2026-11-20" })).length).toBeGreaterThan(3);
  const token = await world.signIn("mch01");
  const first = await world.call(listAudit, token, { pageSize: 10, withTotal: true });
  expect(first.total!.count).toBeGreaterThanOrEqual(first.items.length);
  expect(await audit("mch01", { merchantId: world.tree.merchants.mch02.id })).toEqual([]);
  expect(await audit("mch01", { targetId: randomUUID() })).toEqual([]);
});

test("a provider's chain is walked on demand: it fits, and says which row does not once one was changed or taken away", async () => {
  const sp = await world.signIn("sp01");
  for (const username of ["mch04", "mch08"]) await world.call(authenticate, undefined, { username, password: "Demo#2026" });
  world.services.clock.advance(120_000);
  await sealAudit(world.services);
  const well = await world.call(verifyAuditLog, sp, {});
  expect(well).toMatchObject({ chains: 1, brokenCount: 0, broken: [], pending: 0 });
  expect(well.checked).toBeGreaterThan(3);
  // Another provider's rows are no part of it, the platform walks all chains.
  expect((await world.call(verifyAuditLog, await world.signIn("admin"), {})).chains).toBeGreaterThan(1);
  const [victim] = await world.truth<{ audit_id: string }>("select audit_id from audit_seals where tenant = $1 order by seq limit 1", [
    world.tree.providers.sp01,
  ]);
  await world.truth("update audit_log set login = 'nobody' where id = $1", [victim!.audit_id]);
  expect(await world.call(verifyAuditLog, sp, {})).toMatchObject({ brokenCount: 1, broken: [victim!.audit_id] });
  expect(await world.call(verifyAuditLog, await world.signIn("sp02"), {})).toMatchObject({ brokenCount: 0 });
  // That it was done, and what came of it, stands in the log itself.
  const said = (await audit("sp01", { title: "核验" })).flatMap((row) => row.changes);
  expect(said).toContainEqual({ field: "broken", before: null, after: "1" });
  expect((await world.refused(verifyAuditLog, await world.signIn("mch01"), {})).status).toBe(403);
});
