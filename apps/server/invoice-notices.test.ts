import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { listInvoices, startRed } from "@zhangfang/domains/invoices/contract/index.ts";
import { COMPANY, type InvoiceWorld, openInvoiceWorld, PERSON } from "@zhangfang/domains/invoices/server/testing/invoice-world.ts";
import { doors, routes } from "./domains.ts";
import { openHttp } from "./http.ts";

// 诺诺's callback over HTTP. Nobody knows its signature, so whatever comes is heard: it may make us ask, and nothing else.
let world: InvoiceWorld;
let app: FastifyInstance;
/** What happens once between the platform's answer about an invoice and its hearing. */
let meanwhile: (() => Promise<void>) | undefined;
let url = "";
beforeAll(async () => {
  world = await openInvoiceWorld((opened) => ({
    ...opened,
    provider: {
      ...opened.provider,
      async query(account, number) {
        const answer = await opened.provider.query(account, number);
        const happens = meanwhile;
        meanwhile = undefined;
        await happens?.();
        return answer;
      },
    },
  }));
  app = await openHttp(world.services, doors, routes, { limits: false });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(async () => {
  await app.close();
  await world.close();
});

const shop = () => world.tree.merchants.mch01;
const LATER_S = 3_600;
/** What the platform would send when all is done. */
const told = (number: string) =>
  new URLSearchParams({
    operater: "callback",
    orderno: number,
    content: JSON.stringify({ c_status: "1", c_fphm: "26510000000000000000" }),
  });
async function hear(number: string, provider = shop().serviceProviderId, body: string | URLSearchParams = told(number)): Promise<unknown> {
  const answer = await fetch(`${url}/notify/invoices/${provider}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
  return [answer.status, await answer.json()];
}
const HEARD = [200, { status: "0000", message: "同步成功" }];
type Table = "invoices" | "invoice_reds";
/** The row of a table, and how long until it is asked about. */
async function row(table: Table) {
  const [one] = await world.owner<{ status: number; number: string; next_at: string | null; rest: string }>(
    `select status, number, next_at, md5((to_jsonb(t) - 'next_at')::text) as rest from ${table} t order by created_at desc limit 1`,
  );
  const wait_s = one!.next_at === null ? null : Math.round((Date.parse(one!.next_at) - world.services.clock.now_ms()) / 1_000);
  return { ...one!, wait_s };
}
const putOff = (table: Table) =>
  world.owner(`update ${table} set next_at = $1`, [new Date(world.services.clock.now_ms() + LATER_S * 1_000).toISOString()]);
const asked = async (operation: string) => (await world.owner("select 1 from invoice_calls where operation = $1", [operation])).length;

/** Told of it falsely, and then truly, again and again. */
async function heardOf(table: Table, operation: string, sweep: string): Promise<void> {
  await putOff(table);
  const before = await row(table);
  // Forged: another's address, a number of nobody's, what is no notice at all.
  expect(await hear(before.number, randomUUID())).toEqual(HEARD);
  const [other] = await world.owner<{ id: string }>("select id from service_providers where id <> $1 limit 1", [shop().serviceProviderId]);
  expect(await hear(before.number, other!.id)).toEqual(HEARD);
  expect(await hear(`${before.number.slice(0, -1)}x`)).toEqual(HEARD);
  for (const body of ["", "orderno=", "orderno=%27%20or%201=1", "{", "x".repeat(30_000)])
    expect(await hear("", undefined, body)).toEqual(HEARD);
  expect(await row(table)).toEqual(before);
  // A number of ours makes us ask in a second; what the notice says of it is believed by nobody.
  expect(await hear(before.number)).toEqual(HEARD);
  expect(await row(table)).toEqual({ ...before, next_at: expect.any(String), wait_s: 1 });
  const calls = await asked(operation);
  // Replayed: one question comes of it.
  for (let again = 0; again < 5; again++) expect(await hear(before.number)).toEqual(HEARD);
  world.services.clock.advance(1_000);
  await world.sweep(sweep);
  await world.sweep(sweep);
  expect(await asked(operation)).toBe(calls + 1);
}

test("a notice of an invoice makes us ask once and moves nothing by itself, forged or replayed", async () => {
  await world.control({ fault: "slow" });
  const { token } = await world.paid(10_000);
  await world.apply(token, 10_000, PERSON);
  await world.run(1);
  await heardOf("invoices", "query", "issue-invoices");
  expect(await row("invoices")).toMatchObject({ status: 1 });
  await world.run();
  const done = await row("invoices");
  expect(done).toMatchObject({ status: 2, next_at: null });
  // Of what is settled nobody is asked any more.
  const calls = await asked("query");
  expect(await hear(done.number)).toEqual(HEARD);
  await world.run(1);
  expect([await row("invoices"), await asked("query")]).toEqual([done, calls]);
});
test("a notice of a red letter does the same", async () => {
  const { token } = await world.paid(10_000);
  await world.apply(token, 10_000, COMPANY);
  await world.run(3);
  const [invoice] = (await world.call("mch01", listInvoices, {})).items;
  await world.control({ fault: "red-waiting" });
  await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 2 });
  await world.run(2);
  expect((await row("invoice_reds")).status).toBe(2);
  await heardOf("invoice_reds", "red-query", "chase-invoice-reds");
  expect(await row("invoice_reds")).toMatchObject({ status: 2 });
  expect(await world.status("invoices")).toEqual([4]);
});

test("notices that come while the job asks settle it once: one question, one invoice, one of each file", async () => {
  const { token } = await world.paid(10_000);
  await world.apply(token, 10_000, PERSON);
  await world.run(1);
  const { status, number } = await row("invoices");
  expect(status).toBe(1);
  const before = await asked("query");
  // The answer is that it came out; before it is heard the platform tells of it, again and again, and other processes look for what is due.
  let happened = 0;
  meanwhile = async () => {
    happened += 1;
    const told = Array.from({ length: 8 }, () => hear(number));
    await Promise.all([...told, world.sweep("issue-invoices"), world.sweep("issue-invoices")]);
    for (const answer of told) expect(await answer).toEqual(HEARD);
  };
  world.services.clock.advance(60_000);
  await Promise.all([world.sweep("issue-invoices"), world.sweep("issue-invoices")]);
  expect([happened, await asked("query"), (await row("invoices")).status]).toEqual([1, before + 1, 2]);
  // What was told of meanwhile makes nobody ask later.
  await world.run(2);
  expect(await asked("query")).toBe(before + 1);
  const counts = await world.owner(
    `select (select count(*)::int from invoices) as invoices, (select count(*)::int from invoice_files) as files,
      (select count(distinct format)::int from invoice_files) as formats, (select status from invoice_applications) as application`,
  );
  expect(counts).toEqual([{ invoices: 1, files: 3, formats: 3, application: 2 }]);
});
