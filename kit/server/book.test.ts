import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookRules, breachesOf, postToBook, type Book, type BookMove } from "./book.ts";
import { openPool, withScope, type Transaction } from "./database/db.ts";
import { RUNTIME_ROLE } from "./database/migrate.ts";
import { parseScope, platformScope } from "./database/scope.ts";
import { testServices, type TestServices } from "./testing.ts";

const [PROVIDER, OTHER, MEMBER, FRIEND] = [1, 2, 3, 4].map((n) => `0190b0a0-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
// What a book of stored value and points needs: two units, and flows that a till must not queue for.
const MAKE = `select app.make_book('trial', '{"sold": null, "principal": 0, "held": 0, "issued": null, "points": 0}', '{merchant_id, member_id}',
  flows => '{sold, issued}', units => '{"issued": "points", "points": "points"}', may_be_empty => '{told}')`;
const TRIAL: Book = {
  name: "trial",
  of: " of trial",
  by: ["merchant_id", "member_id"],
  whose: ["merchant_id", "member_id"],
  mayBeEmpty: ["told"],
  unit: "",
};

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
  return postToBook(tx, TRIAL, { ids: services.ids, now_ms: services.clock.now_ms() }, PROVIDER, entry, moves);
};
const post = (...moves: BookMove[]) => look((tx) => enter(tx, "moved", moves));
const balances = async () =>
  Object.fromEntries(
    (await asOwner(`select kind, balance from trial_accounts where member_id = '${MEMBER}'`)).map((row) => [row["kind"], row["balance"]]),
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
    expect(await look((tx) => breachesOf(tx, bookRules(TRIAL)))).toEqual([]);
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
    "update trial_accounts set balance = 1",
    "delete from trial_entries",
    "update trial_postings set amount = 1",
    "insert into app.book_kinds values ('trial', 'free', 'cents', null, false)",
  ])("the service may not: %s", async (text) => {
    await expect(look((tx) => sql.raw(text).execute(tx))).rejects.toMatchObject({ code: "42501" });
  });
  test.each(["update trial_entries set cause = 'x'", "delete from trial_postings"])("not even the owner may: %s", async (text) => {
    await expect(asOwner(text)).rejects.toMatchObject({ code: "ZF003" });
  });
  test("an account never begins with something, nor without its floor", async () => {
    const rows = await asOwner(`insert into trial_accounts (service_provider_id, id, merchant_id, member_id, kind, balance, floor)
      values ('${PROVIDER}', gen_random_uuid(), '${PROVIDER}', gen_random_uuid(), 'principal', 500, -500) returning balance, floor`);
    expect(rows).toEqual([{ balance: 0, floor: 0 }]);
  });

  // A check that never fails says nothing.
  test.each([
    ["each entry of trial sums to zero", "update trial_postings set amount = amount - 1 where balance_after is null"],
    ["each entry of trial sums to zero", "delete from trial_postings"],
    ["each balance of trial is the sum of its lines", "update trial_accounts set balance = balance + 1 where kind = 'principal'"],
    ["each balance of trial is the sum of its lines", "update trial_accounts set balance = 0 where kind = 'sold'"],
    [
      "no account of trial is below its floor",
      "alter table trial_accounts drop constraint ledger_floor; update trial_accounts set balance = -1 where kind = 'points'",
    ],
  ])("the verifier names what was broken: %s", async (rule, text) => {
    const owner = openPool({ connection: services.owner, size: 1 });
    const undo = new Error("undone");
    const spoil = withScope(owner, platformScope("spoil"), async (tx) => {
      for (const statement of ["set local session_replication_role = replica", ...text.split("; ")]) await sql.raw(statement).execute(tx);
      expect((await breachesOf(tx, bookRules(TRIAL))).map((breach) => breach.rule)).toContain(rule);
      throw undo;
    });
    await expect(spoil).rejects.toBe(undo);
    await owner.end();
  });
});
