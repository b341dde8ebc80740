import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrate } from "./migrate.ts";

// Rows as the service left them before the migrations that this file is about, without what they hang on.
const PROVIDER = "0190b0a0-0000-7000-8000-000000000001";

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
const NAMES = `begin; set local session_replication_role = replica; select app.ad_plays_days('{2026-11-20}');
  insert into service_providers (id, number, name, short_name) values ('${PROVIDER}', '10000001', 'a', 'a');
  insert into devices (service_provider_id, id, merchant_id, store_id, sn, model, name, key_sealed, state) select '${PROVIDER}', gen_random_uuid(),
    '${PROVIDER}', '${PROVIDER}', sn, 'm', 'n', 'k', state from (values ('SN1', 'active'), ('SN2', 'unbound'), ('SN3', 'retired')) as d(sn, state);
  insert into pay_codes (service_provider_id, id, merchant_id, store_id, code, created_at, created_by)
    values ('${PROVIDER}', gen_random_uuid(), '${PROVIDER}', '${PROVIDER}', repeat('c', 22), now(), 'a');
  insert into store_hardware (service_provider_id, id, merchant_id, store_id, kind, vendor, sn, name, created_at, volume, protocol)
    values ('${PROVIDER}', gen_random_uuid(), '${PROVIDER}', '${PROVIDER}', 'speaker', 'borui', 'S1', 'n', now(), 5, 1);
  insert into takings_fresh select (jsonb_populate_record(null::takings_fresh, jsonb_build_object('service_provider_id', '${PROVIDER}', 'id', gen_random_uuid(),
    'merchant_id', '${PROVIDER}', 'store_id', '${PROVIDER}', 'day', '2026-11-20', 'hour', 1, 'channel', 1, 'tool', 1, 'pay_method', '', 'trade_type', '',
    'pay_count', 1, 'gross_cents', 900, 'discount_cents', 0, 'paid_cents', 900, 'fee_cents', 9, 'refund_count', 0, 'refund_cents', 0, 'refund_fee_cents', 0))).*
    from generate_series(1, 30);
  insert into ad_plays (day, device_id, play_id, service_provider_id, merchant_id, store_id, ad_id, material_id, started_at, ms, finished, received_at)
    values ('2026-11-20', '${PROVIDER}', '${PROVIDER}', '${PROVIDER}', '${PROVIDER}', '${PROVIDER}', '${PROVIDER}', '${PROVIDER}', '2026-11-20T04:00Z', 8000, true, now());
  commit;`;

const name = `old_rows_${randomUUID().replaceAll("-", "")}`;
const cluster = inject("testCluster");
const FIGURES = `select string_agg(x::text, E'\n' order by x::text) as rows from (
  select to_jsonb(a) from ledger_accounts a union all select to_jsonb(e) from ledger_entries e union all select to_jsonb(p) from ledger_postings p
  union all select to_jsonb(a) from commission_accounts a union all select to_jsonb(e) from commission_entries e union all select to_jsonb(p) from commission_postings p) as r(x)`;
let figures: string | undefined;
async function run<R extends pg.QueryResultRow>(text: string, database = name): Promise<R[]> {
  const client = new pg.Client({ ...cluster, database });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}
beforeAll(async () => {
  await run(`create database ${name} template template0`, cluster.database);
  const folder = join(import.meta.dirname, "../../../db/migrations");
  const before = readdirSync(folder)
    .filter((file) => file < "0062")
    .map((file) => ({
      name: file,
      sha256: createHash("sha256")
        .update(readFileSync(join(folder, file), "utf8"))
        .digest("hex"),
    }));
  await migrate({ ...cluster, database: name }, "test", before);
  await run(OLD_ROWS);
  await run(NAMES);
  figures = (await run<{ rows: string }>(FIGURES))[0]?.rows;
  await migrate({ ...cluster, database: name }, "test");
});
afterAll(() => run(`drop database ${name} with (force)`, cluster.database));

test("the books that are there go over with every row as it was, and are guarded on", async () => {
  expect(figures?.split("\n")).toHaveLength(14);
  expect((await run<{ rows: string }>(FIGURES))[0]?.rows).toBe(figures);
  const post = (amounts: readonly [number, number]) =>
    run(`begin; ${entryOf("ledger", 9)} ${lineOf("ledger", 9, 1, amounts[0])} ${lineOf("ledger", 9, 2, amounts[1])} commit;`);
  await expect(post([-5, 4])).rejects.toMatchObject({ code: "ZF002" });
  await expect(post([901, -901])).rejects.toMatchObject({ code: "23514", constraint: "ledger_floor" });
  await expect(post([5, -5])).rejects.toMatchObject({ code: "ZF002", message: expect.stringContaining("figures") });
});

test("names that are there stand in the directory, a retired device's not", async () => {
  expect(await run("select kind, name from directory_names where service_provider_id is not null order by 1, 2")).toEqual([
    { kind: "device", name: "SN1" },
    { kind: "device", name: "SN2" },
    { kind: "hardware", name: "borui S1" },
    { kind: "pay-code", name: "c".repeat(22) },
    { kind: "provider", name: "10000001" },
  ]);
  expect(await run("select device_id from ad_plays")).toHaveLength(1);
});
test("sums that are fresh are folded by their keys, so many at a time", async () => {
  expect(await run("select app.fold_takings(20) as n")).toEqual([{ n: 20 }]);
  expect(await run("select app.fold_takings(20) as n")).toEqual([{ n: 10 }]);
  expect(await run("select sum(paid_cents)::int as cents from takings_daily_folded")).toEqual([{ cents: 27_000 }]);
});
