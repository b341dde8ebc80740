import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAuditRows } from "./audit.ts";
import { sealAudit, verifyAudit } from "./audit-seal.ts";
import { withScope } from "../database/db.ts";
import { platformScope } from "../database/scope.ts";
import { testServices, type TestServices } from "../testing.ts";

let services: TestServices;
let owner: pg.Client;
beforeAll(async () => {
  services = await testServices();
  owner = new pg.Client(services.owner);
  await owner.connect();
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (let n = 0; n < 30; n++)
      await tx
        .insertInto("audit_log")
        .values({
          id: services.ids.uuid(n),
          at: new Date(Date.parse("2026-11-01T00:00:00Z") + n).toISOString(),
          endpoint: "/x",
          title: "改价",
          detail: JSON.stringify({ n }),
        })
        .execute();
  });
  expect(await sealAudit(services)).toBe(30);
});
afterAll(async () => {
  await owner.end();
  await services.close();
});
const broken = async (statement: string): Promise<number> => {
  await owner.query("begin");
  await owner.query("alter table audit_log disable trigger all");
  await owner.query(statement);
  await owner.query("commit");
  return (await verifyAudit(services)).length;
};

test("an untouched log verifies, and sealing again adds nothing", async () => {
  expect(await verifyAudit(services)).toEqual([]);
  expect(await sealAudit(services)).toBe(0);
});
test("the service itself can neither change nor remove an audit row", async () => {
  for (const statement of [
    "update audit_log set title = 'x'",
    "delete from audit_log",
    "update audit_seals set seq = 0",
    "truncate audit_log",
  ])
    await expect(services.pool.query(statement), statement).rejects.toThrow(/permission denied/);
});
test("a row changed by the database's owner shows", async () => {
  expect(await broken(`update audit_log set title = '改价!' where detail ->> 'n' = '7'`)).toBe(1);
  expect(await broken(`update audit_log set title = '改价' where detail ->> 'n' = '7'`)).toBe(0);
});
test("a row removed shows", async () => expect(await broken(`delete from audit_log where detail ->> 'n' = '12'`)).toBe(1));
test("the contents of two rows swapped show, besides the row removed before", async () =>
  expect(
    await broken(`update audit_log set detail = jsonb_build_object('n', 23 - (detail ->> 'n')::int) where detail ->> 'n' in ('10', '13')`),
  ).toBe(3));
test("rows that go at once say what each would say alone", async () => {
  const at_ms = Date.parse("2026-11-02T00:00:00Z");
  const [alone, ...together] = [1, 2, 3].map((n) => services.ids.uuid(at_ms + n));
  const row = (id: string) => ({
    id,
    service_provider_id: null,
    merchant_id: "00000000-0000-7000-8000-000000000001",
    at: new Date(at_ms).toISOString(),
    user_id: null,
    actor_user_id: null,
    login: `店员 "小王" \\ 'x'`,
    endpoint: "/x",
    title: "领券",
    target_kind: "coupon",
    target_id: null,
    detail: JSON.stringify({ after: { 备注: `"😀" \\ 'x'` } }),
    ip: "::1",
    trace_id: "t",
  });
  await withScope(services.pool, platformScope("test"), async (tx) => {
    await addAuditRows(tx, []);
    await addAuditRows(tx, [row(alone!)]);
    await addAuditRows(tx, together.map(row));
  });
  const { rows } = await owner.query("select * from audit_log where id = any($1) order by id", [[alone, ...together]]);
  expect(rows.map(({ id: _own, ...rest }) => rest)).toEqual(rows.map(() => ({ ...rows[0], id: undefined })));
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ login: row("").login, detail: JSON.parse(row("").detail), target_id: null });
});
test("what is young is sealed without a look at the rest, each in its tenant's chain", async () => {
  await sealAudit(services);
  const had = await verifyAudit(services);
  const OWN = "00000000-0000-7000-8000-0000000000aa";
  const add = (at: string) =>
    withScope(services.pool, platformScope("test"), (tx) =>
      tx
        .insertInto("audit_log")
        .values({ id: services.ids.uuid(Date.parse(at)), service_provider_id: OWN, at, endpoint: "/x", title: "改价", detail: "{}" })
        .execute(),
    );
  await add("2026-11-01T01:00:00Z");
  await add("2026-11-01T03:00:00Z");
  expect(await sealAudit(services, "2026-11-01T02:00:00Z")).toBe(1);
  expect(await sealAudit(services, "2026-11-01T02:00:00Z")).toBe(0);
  expect(await sealAudit(services)).toBe(1);
  await add("2026-11-01T04:00:00Z");
  expect(await sealAudit(services, "2026-11-01T02:00:00Z")).toBe(1);
  expect(await verifyAudit(services)).toEqual(had);
});
