import { readdirSync, readFileSync } from "node:fs";
import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { bookRules, breachesOf, postToBook, type Book, type BookMove } from "./book.ts";
import { openPool, withScope, type Transaction } from "./db.ts";
import { migrate, RUNTIME_ROLE } from "./migrate.ts";
import { parseScope, platformScope } from "./scope.ts";
import { testServices, type TestServices } from "./testing.ts";

const [PROVIDER, OTHER, MEMBER, FRIEND] = [1, 2, 3, 4].map((n) => `0190b0a0-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
// What a book of stored value and points needs: two units, and flows that a till must not queue for.
const MAKE = `select app.make_book('value', '{"sold": null, "principal": 0, "held": 0, "issued": null, "points": 0}', '{merchant_id, member_id}',
  flows => '{sold, issued}', units => '{"issued": "points", "points": "points"}', may_be_empty => '{told}')`;
const VALUE: Book = {
  name: "value",
  of: " of value",
  by: ["merchant_id", "member_id"],
  whose: ["merchant_id", "member_id"],
  mayBeEmpty: ["told"],
  unit: "",
};

// Two books as the service left them before the maker was there, without what their rows hang on.
const idOf = (n: number) => `0190b0a0-0000-7000-8000-0000000001${String(n).padStart(2, "0")}`;
const NODES = "null::uuid, null::uuid, null::uuid, null::uuid";
const entryOf = (book: "ledger" | "commission", n: number) =>
  book === "ledger"
    ? `insert into ledger_entries (service_provider_id, id, merchant_id, store_id, cause, order_id, channel, tool, occurred_at, paid_cents, fee_cents)
       values ('${PROVIDER}', '${idOf(n)}', '${PROVIDER}', '${PROVIDER}', 'refund-release', '${idOf(n)}', 1, 1, '2026-11-20T04:00Z', ${n === 9 ? 0 : 900}, 9);`
    : `insert into commission_entries (service_provider_id, id, cause, occurred_at) values ('${PROVIDER}', '${idOf(n)}', 'commission', '2026-11-20T04:00Z');`;
const lineOf = (book: "ledger" | "commission", n: number, account: number, amount: number) =>
  book === "ledger"
    ? `insert into ledger_postings values ('${PROVIDER}', '${idOf(n)}', '${idOf(account)}', '${PROVIDER}', ${amount}, ${amount});`
    : `insert into commission_postings values ('${PROVIDER}', '${idOf(n)}', '${idOf(account)}', ${NODES}, ${amount}, ${amount});`;
const OLD_ROWS = `begin; set local session_replication_role = replica;
  alter table ledger_entries drop constraint ledger_entries_service_provider_id_order_id_fkey;
  insert into ledger_accounts (service_provider_id, id, merchant_id, kind, channel, balance_cents, floor_cents) values
    ('${PROVIDER}', '${idOf(1)}', '${PROVIDER}', 'channel', 1, -900, null), ('${PROVIDER}', '${idOf(2)}', '${PROVIDER}', 'merchant', 1, 891, 0),
    ('${PROVIDER}', '${idOf(3)}', '${PROVIDER}', 'fee', 1, 9, 0);
  ${entryOf("ledger", 4)} ${lineOf("ledger", 4, 1, -900)} ${lineOf("ledger", 4, 2, 891)} ${lineOf("ledger", 4, 3, 9)}
  insert into commission_accounts (service_provider_id, id, kind, receiver, receiver_id, balance_cents, floor_cents) values
    ('${PROVIDER}', '${idOf(5)}', 'fees', 'provider', '${PROVIDER}', -9, null), ('${PROVIDER}', '${idOf(6)}', 'cost', 'provider', '${PROVIDER}', 4, 0),
    ('${PROVIDER}', '${idOf(7)}', 'kept', 'provider', '${PROVIDER}', 5, 0);
  ${entryOf("commission", 8)} ${lineOf("commission", 8, 5, -9)} ${lineOf("commission", 8, 6, 4)} ${lineOf("commission", 8, 7, 5)} commit;`;

let services: TestServices;
async function asOwner(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(services.owner);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
beforeAll(async () => {
  services = await testServices();
  await asOwner(`${MAKE}; call app.after_each_table('${RUNTIME_ROLE}')`);
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (const id of [PROVIDER, OTHER]) {
      await tx.insertInto("service_providers").values({ id, number: id, name: id, short_name: id }).execute();
      await tx.insertInto("merchants").values({ id, service_provider_id: id, number: "1", name: "m", short_name: "m" }).execute();
    }
  });
});
afterAll(() => services.close());

const own = (kind: string, amount: number, member_id = MEMBER): BookMove => ({
  kind,
  account: { merchant_id: PROVIDER, member_id },
  amount,
});
const look = <T>(fn: (tx: Transaction) => Promise<T>) => withScope(services.pool, parseScope(`SP|${PROVIDER}|||||||`), fn);
const enter = (tx: Transaction, cause: string, moves: readonly BookMove[], cause_id: string = randomUUID()) => {
  const entry = { merchant_id: PROVIDER, member_id: MEMBER, cause, cause_id, occurred_at: "2026-11-20T04:00:00.000Z" };
  return postToBook(tx, VALUE, { ids: services.ids, now_ms: services.clock.now_ms() }, PROVIDER, entry, moves);
};
const post = (...moves: BookMove[]) => look((tx) => enter(tx, "moved", moves));
const balances = async () =>
  Object.fromEntries(
    (await asOwner(`select kind, balance from value_accounts where member_id = '${MEMBER}'`)).map((row) => [row["kind"], row["balance"]]),
  );

describe("a book that the maker made", () => {
  test("moves balances in both units; a flow keeps none, and whoever posts to it waits for nobody", async () => {
    await post(own("sold", -1_000), own("principal", 1_000), own("issued", -70), own("points", 70));
    expect(await balances()).toEqual({ sold: null, principal: 1_000, issued: null, points: 70 });
    await look(async (tx) => {
      await enter(tx, "moved", [own("sold", -5), own("principal", 5)]);
      // The other transaction is not over: the flow's row is not held by it.
      await look((second) => enter(second, "moved", [own("sold", -5), own("principal", 5, FRIEND)]));
    });
    expect(await balances()).toMatchObject({ principal: 1_005 });
    expect(await look((tx) => breachesOf(tx, bookRules(VALUE)))).toEqual([]);
  });

  test.each<[string, readonly BookMove[], object]>([
    ["what does not sum to zero", [own("sold", -10), own("principal", 9)], { code: "ZF002" }],
    ["points for cents", [own("sold", -10), own("points", 10)], { code: "ZF002" }],
    ["what sums to zero over two units only", [own("sold", -10), own("principal", 9), own("points", 1)], { code: "ZF002" }],
    ["an entry of nothing", [], { code: "ZF002" }],
    ["what falls below a floor", [own("principal", -2_000), own("sold", 2_000)], { code: "23514", constraint: "ledger_floor" }],
    ["a kind that it does not have", [own("gold", -1), own("principal", 1)], { code: "ZF002" }],
    [
      "an account of another provider's merchant",
      [{ ...own("sold", -1), account: { merchant_id: OTHER, member_id: MEMBER } }, own("principal", 1)],
      { code: "23503" },
    ],
  ])("refuses %s, and nothing stays", async (_what, moves, error) => {
    const before = await balances();
    await expect(post(...moves)).rejects.toMatchObject(error);
    expect(await balances()).toEqual(before);
  });

  test("takes a cause once, and one that says that it may be empty without a line", async () => {
    const id = randomUUID();
    await look((tx) => enter(tx, "told", [], id));
    await expect(look((tx) => enter(tx, "told", [], id))).rejects.toMatchObject({ code: "23505" });
  });

  test.each([
    "update value_accounts set balance = 1",
    "delete from value_entries",
    "update value_postings set amount = 1",
    "insert into app.book_kinds values ('value', 'free', 'cents', null, false)",
  ])("the service may not: %s", async (text) => {
    await expect(look((tx) => sql.raw(text).execute(tx))).rejects.toMatchObject({ code: "42501" });
  });
  test.each(["update value_entries set cause = 'x'", "delete from value_postings"])("not even the owner may: %s", async (text) => {
    await expect(asOwner(text)).rejects.toMatchObject({ code: "ZF003" });
  });
  test("an account never begins with something, nor without its floor", async () => {
    const rows = await asOwner(`insert into value_accounts (service_provider_id, id, merchant_id, member_id, kind, balance, floor)
      values ('${PROVIDER}', gen_random_uuid(), '${PROVIDER}', gen_random_uuid(), 'principal', 500, -500) returning balance, floor`);
    expect(rows).toEqual([{ balance: 0, floor: 0 }]);
  });

  // A check that never fails says nothing.
  test.each([
    ["each entry of value sums to zero", "update value_postings set amount = amount - 1 where balance_after is null"],
    ["each entry of value sums to zero", "delete from value_postings"],
    ["each balance of value is the sum of its lines", "update value_accounts set balance = balance + 1 where kind = 'principal'"],
    ["each balance of value is the sum of its lines", "update value_accounts set balance = 0 where kind = 'sold'"],
    [
      "no account of value is below its floor",
      "alter table value_accounts drop constraint ledger_floor; update value_accounts set balance = -1 where kind = 'points'",
    ],
  ])("the verifier names what was broken: %s", async (rule, text) => {
    const owner = openPool({ connection: services.owner, size: 1 });
    const undo = new Error("undone");
    const spoil = withScope(owner, platformScope("spoil"), async (tx) => {
      for (const statement of ["set local session_replication_role = replica", ...text.split("; ")]) await sql.raw(statement).execute(tx);
      expect((await breachesOf(tx, bookRules(VALUE))).map((breach) => breach.rule)).toContain(rule);
      throw undo;
    });
    await expect(spoil).rejects.toBe(undo);
    await owner.end();
  });
});

test("the books that are there go over with every row as it was, and are guarded on", async () => {
  const name = `books_${randomUUID().replaceAll("-", "")}`;
  const cluster = inject("testCluster");
  const run = async (database: string, text: string) => {
    const client = new pg.Client({ ...cluster, database });
    await client.connect();
    try {
      return await client.query<{ rows: string }>(text);
    } finally {
      await client.end();
    }
  };
  await run(cluster.database, `create database ${name} template template0`);
  const folder = join(import.meta.dirname, "../../db/migrations");
  const before = readdirSync(folder)
    .filter((file) => file < "0062")
    .map((file) => ({
      name: file,
      sha256: createHash("sha256")
        .update(readFileSync(join(folder, file), "utf8"))
        .digest("hex"),
    }));
  await migrate({ ...cluster, database: name }, "test", before);
  await run(name, OLD_ROWS);
  const figures = `select string_agg(x::text, E'\n' order by x::text) as rows from (
    select to_jsonb(a) from ledger_accounts a union all select to_jsonb(e) from ledger_entries e union all select to_jsonb(p) from ledger_postings p
    union all select to_jsonb(a) from commission_accounts a union all select to_jsonb(e) from commission_entries e union all select to_jsonb(p) from commission_postings p) as r(x)`;
  const { rows } = await run(name, figures);
  expect(rows[0]?.rows.split("\n")).toHaveLength(14);
  await migrate({ ...cluster, database: name }, "test");
  expect((await run(name, figures)).rows).toEqual(rows);
  const post = (amounts: readonly [number, number]) =>
    run(name, `begin; ${entryOf("ledger", 9)} ${lineOf("ledger", 9, 1, amounts[0])} ${lineOf("ledger", 9, 2, amounts[1])} commit;`);
  await expect(post([-5, 4])).rejects.toMatchObject({ code: "ZF002" });
  await expect(post([901, -901])).rejects.toMatchObject({ code: "23514", constraint: "ledger_floor" });
  await expect(post([5, -5])).rejects.toMatchObject({ code: "ZF002", message: expect.stringContaining("figures") });
  await run(cluster.database, `drop database ${name} with (force)`);
});
