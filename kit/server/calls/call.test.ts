import pg from "pg";
import { sql } from "kysely";
import { z } from "zod";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import type { Endpoint, ItemPath } from "@zhangfang/contract/endpoint.ts";
import { implement, type Doors, type Principal, type Route } from "./call.ts";
import { Refusal, refusalOf } from "./errors.ts";
import { parseScope } from "../database/scope.ts";
import { callAs, testServices, type TestServices } from "../testing.ts";

const PROVIDER = "00000000-0000-7000-8000-000000000001";
const USER = "00000000-0000-7000-8000-000000000002";
const BOSS = "00000000-0000-7000-8000-000000000003";
const SCOPE = `SP|${PROVIDER}|||||||${USER}`;
/** Who stands behind each token; a token that is not here opens nothing. */
const SESSIONS: Readonly<Record<string, { readonly items: readonly ItemPath[]; readonly actorId?: string }>> = {
  "token-of-one-who-may-00000": { items: ["/notes/add"] },
  "token-of-one-who-may-not-0": { items: ["/something/else"] },
  "token-of-one-who-acts-0000": { items: ["/notes/add"], actorId: BOSS },
};
const [MAY, MAY_NOT, ACTS] = Object.keys(SESSIONS) as [string, string, string];
const doors: Doors = {
  sessionSql: (token) => (token in SESSIONS ? `select set_config('app.scope', '${SCOPE}', true) as scope, '${token}' as token` : undefined),
  readSession: (row) => {
    const { items, actorId } = SESSIONS[String(row["token"])]!;
    return {
      kind: "user",
      id: USER,
      name: "clerk",
      scope: parseScope(SCOPE),
      ...(actorId && { actorId }),
      holds: (asked) => asked.some((item) => items.includes(item)),
    } satisfies Principal;
  },
  device: () => Promise.reject(new Refusal(401, "device", "设备签名无效")),
};

let services: TestServices;
let owner: pg.Client;
beforeAll(async () => {
  services = await testServices();
  owner = new pg.Client(services.owner);
  await owner.connect();
  await owner.query("create table notes (text text not null); grant all on notes to zhangfang_app");
});
beforeEach(() => owner.query("truncate notes, audit_log"));
afterAll(async () => {
  await owner.end();
  await services.close();
});
const rows = async (table: "notes" | "audit_log") => (await owner.query<Record<string, unknown>>(`select * from ${table}`)).rows;

const output = z.object({ text: z.string() });
const addNote = write({ path: "/api/notes", title: "记一笔", access: "/notes/add", input: z.object({ text: z.string().max(10) }), output });
const writeNote = implement(addNote, async (ctx, { text }) => {
  await sql`insert into notes values (${text})`.execute(ctx.tx);
  ctx.note({ targetKind: "note", targetId: text, after: { text } });
  return { text };
});
const call = (route: Route, token: string | undefined, input: object) =>
  callAs(services, doors, route as Route & { endpoint: Endpoint }, token, input as never);
/** What the caller would be told. */
const refused = async (route: Route, token: string | undefined, input: object) => {
  const error = await call(route, token, input).then(
    () => new Error("was not refused"),
    (thrown: unknown) => thrown,
  );
  const refusal = refusalOf(error);
  if (!refusal) throw error;
  return refusal;
};

test("the change and its audit row come together: who, which call, to what", async () => {
  expect(await call(writeNote, MAY, { text: "午餐" })).toEqual({ text: "午餐" });
  expect(await rows("notes")).toEqual([{ text: "午餐" }]);
  const [audit, ...others] = await rows("audit_log");
  expect(others).toEqual([]);
  expect(audit).toMatchObject({
    service_provider_id: PROVIDER,
    user_id: USER,
    actor_user_id: null,
    login: "clerk",
    endpoint: "/api/notes",
    title: "记一笔",
    target_kind: "note",
    target_id: "午餐",
    detail: { after: { text: "午餐" } },
    trace_id: "test",
  });
});

test("whoever acts for somebody else stands in the audit row beside them", async () => {
  await call(writeNote, ACTS, { text: "代记" });
  expect(await rows("audit_log")).toMatchObject([{ user_id: USER, actor_user_id: BOSS, login: "clerk" }]);
});

test.each([
  ["nobody", undefined, 401],
  ["a token of nothing that we know", "token-of-nobody-at-all-0000", 401],
  ["a token that is too short to be one", "short", 401],
  ["somebody without the item", MAY_NOT, 403],
] as const)("%s is refused before anything happens", async (_who, token, status) => {
  expect((await refused(writeNote, token, { text: "午餐" })).status).toBe(status);
  expect([await rows("notes"), await rows("audit_log")]).toEqual([[], []]);
});

test("without the item nobody learns whether the input was right", async () => {
  expect((await refused(writeNote, MAY_NOT, { text: 1 })).status).toBe(403);
  expect(await refused(writeNote, MAY, { text: "超过十个字的一行很长的文字" })).toMatchObject({
    status: 400,
    fields: { text: expect.any(String) },
  });
});

test("what is closed to those who act for others is closed to them alone", async () => {
  const closed = implement({ ...addNote, closedToActing: true }, async (_ctx, { text }) => ({ text }));
  expect((await refused(closed, ACTS, { text: "密码" })).code).toBe("acting");
  expect(await call(closed, MAY, { text: "密码" })).toEqual({ text: "密码" });
});

test("a change whose handler fails afterwards is gone with its audit row", async () => {
  const failing = implement(addNote, async (ctx, { text }) => {
    await sql`insert into notes values (${text})`.execute(ctx.tx);
    await ctx.audit(ctx.tx, { targetKind: "note" });
    throw new Refusal(409, "conflict", "已被处理");
  });
  expect((await refused(failing, MAY, { text: "午餐" })).status).toBe(409);
  expect([await rows("notes"), await rows("audit_log")]).toEqual([[], []]);
});

test("an answer holds what the contract declares and nothing else; one that lacks it undoes the change", async () => {
  const generous = implement(addNote, async (_ctx, { text }) => ({ text, passwordHash: "secret" }) as { text: string });
  expect(await call(generous, MAY, { text: "午餐" })).toEqual({ text: "午餐" });
  await owner.query("truncate audit_log");
  const poor = implement(addNote, async (ctx, { text }) => {
    await sql`insert into notes values (${text})`.execute(ctx.tx);
    return {} as { text: string };
  });
  await expect(call(poor, MAY, { text: "午餐" })).rejects.toThrow();
  expect([await rows("notes"), await rows("audit_log")]).toEqual([[], []]);
});

test("a read can't write, whatever its handler tries", async () => {
  const look = read({ path: "/api/notes/look", title: "看", access: "signed-in", input: z.object({}), output });
  const sly = implement(look, async (ctx) => {
    await sql`insert into notes values ('sly')`.execute(ctx.tx);
    return { text: "" };
  });
  await expect(call(sly, MAY, {})).rejects.toMatchObject({ code: "25006" });
  expect(await rows("notes")).toEqual([]);
});

test("beyond its deadline a call is told to come back, and nothing of it stays", async () => {
  const slow = implement({ ...addNote, deadline_ms: 60 }, async (ctx, { text }) => {
    await sql`insert into notes values (${text})`.execute(ctx.tx);
    await sql`select pg_sleep(5)`.execute(ctx.tx);
    return { text };
  });
  expect(await refused(slow, MAY, { text: "午餐" })).toMatchObject({ status: 503, code: "deadline", headers: { "retry-after": "1" } });
  expect(await rows("notes")).toEqual([]);
});

test("a call that talks to the outside has no transaction around it and opens its own", async () => {
  const around = implement({ ...addNote, outside: true }, async (ctx, { text }) => {
    expect(() => ctx.tx).toThrow("no transaction");
    await ctx.transaction(async (tx) => {
      await sql`insert into notes values (${text})`.execute(tx);
      await ctx.audit(tx, { targetKind: "note" });
    });
    throw new Refusal(503, "busy", "通道没有应答");
  });
  expect((await refused(around, MAY, { text: "午餐" })).status).toBe(503);
  expect([(await rows("notes")).length, (await rows("audit_log")).length]).toEqual([1, 1]);
});
