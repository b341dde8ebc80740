import { expect, test } from "vitest";
import type { Services } from "@zhangfang/server/services.ts";
import { quick } from "./quick.ts";

const PUT = 'insert into "pay_orders" ("id") values ($1) on conflict do nothing returning *';
const HOLD = 'select * from "pay_orders" where "service_provider_id" = $1 and "id" = $2 for update';

/** A pool of one connection that answers each question with one order, and keeps what it was asked. */
async function opened() {
  const asked: string[] = [];
  let stand = 0;
  const query = (given: string | { readonly text: string; readonly values: readonly string[] }) => {
    asked.push(typeof given === "string" ? given : given.text);
    if (typeof given === "string") return Promise.resolve({ command: "", rowCount: 0, rows: [] });
    return Promise.resolve({ command: "", rowCount: 1, rows: [{ service_provider_id: "p", id: given.values.at(-1), stand: ++stand }] });
  };
  const pool = quick({ connect: () => Promise.resolve({ query }) } as unknown as Services["pool"]);
  const client = (await pool.connect()) as unknown as { query(given: unknown): Promise<{ rows: { id: string; stand: number }[] }> };
  const ask = async (text: string, ...values: string[]) => (await client.query({ text, values })).rows[0]?.stand;
  return { asked, ask, say: (text: string) => client.query(text) };
}

test("an order is held as it was put down, without being asked for, until something changes it", async () => {
  const { asked, ask, say } = await opened();
  await say("begin");
  expect(await ask(PUT, "a")).toBe(1);
  expect(await ask(HOLD, "p", "a")).toBe(1);
  expect(asked).toEqual(["begin", PUT]);
  // Another one, or another provider's, is asked for.
  expect([await ask(HOLD, "p", "b"), await ask(HOLD, "q", "a")]).toEqual([2, 3]);
  await ask('update "pay_orders" set "status" = $1', "a");
  expect(await ask(HOLD, "p", "a")).toBe(5);
});

test.each(["commit", "rollback", "begin; set local statement_timeout = 1"])("%s forgets what was put down", async (end) => {
  const { ask, say } = await opened();
  await ask(PUT, "a");
  await say(end);
  expect(await ask(HOLD, "p", "a")).toBe(2);
});
