import { randomUUID } from "node:crypto";
import pg from "pg";
import { sql } from "kysely";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { write } from "@zhangfang/contract/endpoint.ts";
import { implement, type Doors } from "./call.ts";
import { conflict } from "./errors.ts";
import { parseScope } from "../database/scope.ts";
import { callAs, testServices, type TestServices } from "../testing.ts";

const USERS = {
  "token-of-the-first-one-000": "00000000-0000-7000-8000-000000000001",
  "token-of-the-second-one-00": "00000000-0000-7000-8000-000000000002",
} as const;
const [FIRST, SECOND] = Object.keys(USERS) as [string, string];
const scopeOf = (user: string) => `ADMIN||||||||${user}`;
const doors: Doors = {
  sessionSql: (token) =>
    `select set_config('app.scope', '${scopeOf(USERS[token as keyof typeof USERS])}', true) as scope, '${USERS[token as keyof typeof USERS]}' as id`,
  readSession: (row) => ({
    kind: "user",
    id: String(row["id"]),
    name: String(row["id"]),
    scope: parseScope(scopeOf(String(row["id"]))),
    holds: () => true,
  }),
  device: () => Promise.reject(new Error("no device here")),
};

let services: TestServices;
let owner: pg.Client;
beforeAll(async () => {
  services = await testServices();
  owner = new pg.Client(services.owner);
  await owner.connect();
  await owner.query(
    "create table payouts (id int generated always as identity, cents int not null); grant all on payouts to zhangfang_app",
  );
});
beforeEach(() => owner.query("truncate payouts, audit_log, idempotency_keys"));
afterAll(async () => {
  await owner.end();
  await services.close();
});
const count = async (table: string) => Number((await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n);

const input = z.object({ requestId: z.uuid(), cents: z.int(), remark: z.object({ a: z.string(), b: z.string() }).optional() });
const payOut = write({
  path: "/api/payouts",
  title: "付款",
  access: "signed-in",
  idempotent: "requestId",
  input,
  output: z.object({ id: z.int() }),
});
const payOnce = implement(payOut, async (ctx, { cents }) => {
  const { rows } = await sql<{ id: number }>`insert into payouts (cents) values (${cents}) returning id`.execute(ctx.tx);
  return { id: rows[0]!.id };
});
const pay = (token: string, given: z.input<typeof input>) => callAs(services, doors, payOnce, token, given) as Promise<{ id: number }>;

test("of 200 contenders with one key one pays; all hear the same, and one audit row says so", async () => {
  const given = { requestId: randomUUID(), cents: 100 };
  const answers = await Promise.all(Array.from({ length: 200 }, () => pay(FIRST, given)));
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  expect([await count("payouts"), await count("audit_log"), await count("idempotency_keys")]).toEqual([1, 1, 1]);
});

test("the same body in another order of its fields is the same body", async () => {
  const requestId = randomUUID();
  const first = await pay(FIRST, { requestId, cents: 100, remark: { a: "1", b: "2" } });
  expect(await pay(FIRST, { remark: { b: "2", a: "1" }, cents: 100, requestId })).toEqual(first);
  expect(await count("payouts")).toBe(1);
});

test("the key with another body is refused and pays nothing", async () => {
  const requestId = randomUUID();
  await pay(FIRST, { requestId, cents: 100 });
  await expect(pay(FIRST, { requestId, cents: 101 })).rejects.toMatchObject({ status: 409, code: "idempotency.reused" });
  expect([await count("payouts"), await count("audit_log")]).toEqual([1, 1]);
});

test("the key on another call is refused", async () => {
  const requestId = randomUUID();
  await pay(FIRST, { requestId, cents: 100 });
  const other = implement({ ...payOut, path: "/api/other-payouts" }, async () => ({ id: 0 }));
  await expect(callAs(services, doors, other, FIRST, { requestId, cents: 100 })).rejects.toMatchObject({
    status: 409,
    code: "idempotency.reused",
  });
});

test("two callers with the same key are two payments", async () => {
  const given = { requestId: randomUUID(), cents: 100 };
  const [one, other] = await Promise.all([pay(FIRST, given), pay(SECOND, given)]);
  expect(one.id).not.toBe(other.id);
  expect([await count("payouts"), await count("audit_log")]).toEqual([2, 2]);
});

test("a refusal keeps no key: the same request may come again and then work", async () => {
  let closed = true;
  const route = implement(payOut, async (ctx, given) => {
    if (closed) throw conflict("余额不足");
    return payOnce.handler(ctx, given as never) as Promise<{ id: number }>;
  });
  const given = { requestId: randomUUID(), cents: 100 };
  await expect(callAs(services, doors, route, FIRST, given)).rejects.toMatchObject({ status: 409 });
  expect(await count("idempotency_keys")).toBe(0);
  closed = false;
  expect(await callAs(services, doors, route, FIRST, given)).toEqual({ id: expect.any(Number) });
  expect(await count("payouts")).toBe(1);
});
