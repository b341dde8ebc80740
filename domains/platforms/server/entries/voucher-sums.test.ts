import { randomUUID } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { verifyPlatforms } from "../verify-platforms.ts";
import { addPlatformEntries, type PlatformEntry } from "./add-entries.ts";
import { foldVouchers } from "./fold-vouchers.ts";
import { storeOfEntry, storeOfSums } from "./store-of.ts";

let world: World;
const ALL = platformScope("test sums");
const ACCOUNT = randomUUID();
beforeAll(async () => {
  world = await openWorld();
  await world.truth(
    `insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, by_name, created_at, updated_at)
      values ($1, $2, $3, 'dy', 'LK-1', 'provider', 'x', now(), now())`,
    [shop().serviceProviderId, ACCOUNT, shop().id],
  );
});
beforeEach(() => emptyTables(world.truth, "platform_entries, platform_bill_days, other_stores"));
// Sums that are not their facts' are told by the nightly check too.
afterEach(async () => expect((await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)).toEqual([]));
afterAll(() => world.close());

const isOfSums = (breach: unknown) =>
  ["sums of vouchers and their facts", "what waits for its bill"].includes((breach as { rule: string }).rule);
const shop = () => world.tree.merchants.mch01;
const DAY = "2026-11-18";
type Given = Pick<PlatformEntry, "kind" | "certificate_id"> & Partial<PlatformEntry>;
const fact = (one: Given): PlatformEntry => ({
  service_provider_id: shop().serviceProviderId,
  merchant_id: shop().id,
  store_id: shop().stores[0]!.id,
  platform: "dy",
  goods_kind: 1,
  verify_id: one.certificate_id,
  happened_at: `${DAY}T04:00:00.000Z`,
  ...(one.kind === "ledger"
    ? { account_id: ACCOUNT, goods_cents: 8_360, fee_cents: 440, total_cents: 8_800 }
    : { face_cents: 10_000, pay_cents: 8_800, merchant_ticket_cents: 200, platform_ticket_cents: 500, expected_fee_cents: 450 }),
  ...one,
});
const add = (...facts: readonly Given[]) =>
  withScope(world.services.pool, ALL, (tx) => addPlatformEntries(tx, world.services, facts.map(fact)));
const fold = () => foldVouchers.run(world.services, {});
const came = (whole: boolean) =>
  world.truth(
    `insert into platform_bill_days (service_provider_id, account_id, day, merchant_id, whole, taken_at) values ($1, $2, $3, $4, $5, now())
      on conflict (service_provider_id, account_id, day) do update set whole = excluded.whole`,
    [shop().serviceProviderId, ACCOUNT, DAY, shop().id, whole],
  );
const sums = async (scope = "PLATFORM||||||||", table = "voucher_sums") =>
  withScope(world.services.pool, parseScope(scope), async (tx) => {
    const columns = ["facts", "used", "reversed", "pending", "pending_cents", "billed", "billed_goods_cents", "waiting"];
    const { rows } = await sql<Record<string, number>>`select ${sql.join(
      columns.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::int as ${sql.ref(name)}`),
    )} from ${sql.table(table)}`.execute(tx);
    return rows[0]!;
  });

/** 抖音's and 快手's shops P1 and P2: mapped to a store from a day on, or from ever. */
async function map(platform: string, shopThere: string, store: string | null, from: string | null): Promise<void> {
  await world.truth(
    `insert into other_stores (service_provider_id, id, merchant_id, platform, platform_store_id, name, mapped_store_id, mapped_from, updated_at)
      values ($1, gen_random_uuid(), $2, $3, $4, 'x', $5, $6, now()) on conflict (service_provider_id, merchant_id, platform, platform_store_id)
      do update set mapped_store_id = excluded.mapped_store_id, mapped_from = excluded.mapped_from`,
    [shop().serviceProviderId, shop().id, platform, shopThere, store, from],
  );
}
/** Uses and reversals of each store by day and platform: by the facts, by their sums, and as the 门店日 asks; and how many facts each store's people see, by both. */
async function byStore() {
  const stores = shop().stores.map(({ id }) => id);
  const place = (store: RawBuilder<unknown>) => sql`${store}::text as store, e.day::text as day, e.platform::text as platform`;
  const ways = await withScope(world.services.pool, ALL, async (tx) => {
    const read = async (query: RawBuilder<unknown>) => (await sql`select * from (${query}) x order by 1, 2, 3`.execute(tx)).rows;
    const used = sql`count(*) filter (where e.kind in ('verify', 'external'))::int as used, count(*) filter (where e.kind = 'reverse')::int as reversed`;
    return {
      facts: await read(sql`select ${place(storeOfEntry("e"))}, ${used} from platform_entries e where e.kind <> 'ledger' group by 1, 2, 3`),
      sums: await read(sql`select ${place(storeOfSums("e"))}, sum(e.used)::int as used, sum(e.reversed)::int as reversed from voucher_sums e group by 1, 2, 3
        having sum(e.used + e.reversed) > 0`),
      days: await read(sql`select ${place(sql`e.store_id`)}, e.used, e.reversed from app.vouchers_of(${shop().serviceProviderId}, ${shop().id},
        ${`{${stores.join(",")}}`}::uuid[], '[2026-11-01,2026-12-01)', '{dy,ks}') e`),
    };
  });
  const seen = async (store: string) => {
    const scope = parseScope(`AE|${shop().serviceProviderId}|||||${shop().id}|{${store}}|`);
    return withScope(world.services.pool, scope, async (tx) => {
      const { rows } =
        await sql`select (select count(*) from platform_entries)::int as facts, (select coalesce(sum(facts), 0) from voucher_sums)::int as sums`.execute(
          tx,
        );
      return rows[0] as { facts: number; sums: number };
    });
  };
  return { ...ways, seen: await Promise.all(stores.slice(0, 2).map(seen)) };
}
async function expectAlike(step: unknown): Promise<void> {
  const { facts, sums: kept, days, seen } = await byStore();
  expect([step, kept]).toEqual([step, facts]);
  expect([step, days]).toEqual([step, facts.filter((row) => (row as { store: string | null }).store !== null)]);
  for (const { facts: all, sums: added } of seen) expect([step, added]).toEqual([step, all]);
}

describe("sums of vouchers", () => {
  test("follow whatever is told of a use, in any order, folded or not", async () => {
    await add({ kind: "ledger", certificate_id: "a" });
    expect(await sums()).toMatchObject({ facts: 1, used: 0, pending: 0, billed: 0 });
    await add({ kind: "verify", certificate_id: "a" }, { kind: "verify", certificate_id: "b" }, { kind: "external", certificate_id: "c" });
    const told = { facts: 4, used: 3, pending: 2, pending_cents: 2 * 8_850, billed: 0, waiting: 3 };
    expect(await sums()).toMatchObject(told);
    await fold();
    expect(await sums()).toMatchObject(told);
    expect(await world.truth("select 1 from voucher_fresh union all select 1 from voucher_turns")).toEqual([]);
    // The bill counts once its day came whole, and no longer where it did not after all.
    await came(true);
    expect(await sums()).toMatchObject({ ...told, billed: 1, billed_goods_cents: 8_360, waiting: 2 });
    await came(false);
    expect(await sums()).toMatchObject(told);
    await came(true);
    await add({ kind: "reverse", certificate_id: "a" }, { kind: "reverse", certificate_id: "b", day: "2026-11-19" });
    expect(await sums()).toMatchObject({ facts: 6, reversed: 2, pending: 1, billed: 0, billed_goods_cents: 0, waiting: 3 });
    await world.truth("delete from platform_bill_days");
    await fold();
    expect(await sums()).toMatchObject({ facts: 6, reversed: 2, pending: 1, waiting: 3 });
  });
  test("are what the facts say after whatever happens to them", async () => {
    // By a seed: the same each time.
    let state = 7;
    const one = <T>(of: readonly T[]): T => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return of[Math.floor((state / 2_147_483_648) * of.length)]!;
    };
    const stores = [shop().stores[0]!.id, shop().stores[1]!.id, null];
    for (let step = 0; step < 80; step++) {
      const act = one(["add", "add", "add", "add", "day", "fold", "mend", "remove", "map"] as const);
      const certificate_id = `c${one([1, 2, 3, 4, 5, 6])}`;
      if (act === "fold") await fold();
      else if (act === "day") await came(one([true, false]));
      else if (act === "map") await map(one(["dy", "ks"]), one(["P1", "P2"]), one(stores), one([null, DAY, "2026-11-19"]));
      else if (act === "mend")
        await world.truth("update platform_entries set pay_cents = 8000, store_id = $2 where certificate_id = $1 and kind <> 'ledger'", [certificate_id, one(stores)]); // prettier-ignore
      else if (act === "remove")
        await world.truth("delete from platform_entries where certificate_id = $1 and kind = $2", [certificate_id, one(["verify", "ledger", "reverse"])]); // prettier-ignore
      else
        await add(
          ...[certificate_id, `c${one([1, 2, 3, 4, 5, 6])}`].map((id) => ({
            kind: one(["verify", "external", "reverse", "ledger"] as const),
            certificate_id: id,
            platform: one(["dy", "ks"] as const),
            store_id: one(stores),
            platform_store_id: one(["P1", "P2"]),
            part: one([0, 1]),
            day: one([DAY, "2026-11-19"]),
            ...one([{}, { goods_kind: 2 as const }]),
          })),
        );
      expect([step, act, (await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)]).toEqual([step, act, []]);
      await expectAlike([step, act]);
    }
    await fold();
    const kept = () => world.truth("select to_jsonb(s) as row from voucher_sums s where s.facts <> 0 order by 1");
    const before = await kept();
    expect(before.length).toBeGreaterThan(5);
    await world.truth("select upkeep.rebuild_voucher()");
    expect(await kept()).toEqual(before);
  });
  test("hold what is taken back where its use stood, also where the use is told last, or gone", async () => {
    const [old, fresh] = shop().stores.map(({ id }) => id);
    const next = "2026-11-19";
    await map("dy", "P1", old!, null);
    await map("dy", "P1", fresh!, next);
    const there = { certificate_id: "a", store_id: null, platform_store_id: "P1" };
    const back = { store: fresh, day: next, platform: "dy", used: 0, reversed: 1 };
    const stand = async () => {
      await expectAlike("told");
      return (await byStore()).sums;
    };
    await add({ kind: "reverse", ...there, day: next });
    expect(await stand()).toEqual([back]);
    await fold();
    await add({ kind: "external", ...there });
    const both = [
      { store: old, day: DAY, platform: "dy", used: 1, reversed: 0 },
      { ...back, store: old },
    ];
    expect(new Set(await stand())).toEqual(new Set(both));
    // Another mapping counts at once.
    await map("dy", "P1", fresh!, DAY);
    expect(new Set((await stand()).map((row) => (row as { store: string }).store))).toEqual(new Set([fresh]));
    await map("dy", "P1", old!, DAY);
    await map("dy", "P1", fresh!, next);
    await world.truth("delete from platform_entries where kind = 'external'");
    expect(await stand()).toEqual([back]);
  });
  test("know of no whole day once the days of bills are gone", async () => {
    await add({ kind: "verify", certificate_id: "a" }, { kind: "ledger", certificate_id: "a" });
    await came(true);
    expect(await sums()).toMatchObject({ billed: 1, waiting: 0 });
    await emptyTables(world.truth, "platform_bill_days");
    expect(await sums()).toMatchObject({ facts: 2, billed: 0, waiting: 1 });
  });
  test("are checked each night", async () => {
    await add({ kind: "verify", certificate_id: "a" }, { kind: "verify", certificate_id: "b", store_id: null });
    await fold();
    for (const table of ["voucher_sums_folded", "voucher_totals_folded", "voucher_stores_folded"]) {
      await world.truth(`update ${table} set used = used + 1`);
      expect((await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)).not.toEqual([]);
      await world.truth(`update ${table} set used = used - 1`);
    }
    await world.truth("update voucher_sums_folded set map_day = map_day + 1");
    expect((await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)).not.toEqual([]);
    await world.truth("update voucher_sums_folded set map_day = map_day - 1");
    await world.truth("update vouchers_waiting set day = day + 1");
    expect((await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)).not.toEqual([]);
    await world.truth("delete from vouchers_waiting");
    expect((await withScope(world.services.pool, ALL, verifyPlatforms)).filter(isOfSums)).toHaveLength(2);
    await world.truth("select upkeep.rebuild_voucher()");
  });
});

describe("facts that come together", () => {
  async function connected<T>(run: (one: pg.Client, two: pg.Client) => Promise<T>): Promise<T> {
    const clients = [new pg.Client(world.services.owner), new pg.Client(world.services.owner)] as const;
    for (const client of clients) {
      await client.connect();
      await client.query("set app.scope = 'PLATFORM||||||||'; set lock_timeout = 5000");
    }
    try {
      return await run(...clients);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  }
  const put = (client: pg.Client, given: Given) => {
    const { service_provider_id, merchant_id, store_id, platform, kind, certificate_id, goods_cents = 0, pay_cents = 0 } = fact(given);
    return client.query(
      `insert into platform_entries (service_provider_id, id, merchant_id, store_id, platform, kind, certificate_id, verify_id, goods_cents, pay_cents, happened_at, day, added_at)
        values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $6, $7, $8, now(), '${DAY}', now())`,
      [service_provider_id, merchant_id, store_id, platform, kind, certificate_id, goods_cents, pay_cents],
    );
  };
  test("of one store on one day wait for nobody", () =>
    connected(async (one, two) => {
      await one.query("begin");
      await put(one, { kind: "verify", certificate_id: "a" });
      // While the first is still open.
      await put(two, { kind: "verify", certificate_id: "b" });
      expect(await sums()).toMatchObject({ used: 1 });
      await one.query("commit");
      expect(await sums()).toMatchObject({ used: 2, pending: 2 });
    }));
  test("of one use take turns, so that neither misses the other", () =>
    connected(async (one, two) => {
      await one.query("begin");
      await put(one, { kind: "ledger", certificate_id: "a", goods_cents: 8_800 });
      const second = put(two, { kind: "verify", certificate_id: "a" });
      await expect
        .poll(() =>
          world.truth("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into platform_entries%'"),
        )
        .toHaveLength(1);
      await one.query("commit");
      await second;
      expect(await sums()).toMatchObject({ used: 1, pending: 0, billed: 1 });
      expect(await world.truth("select 1 from vouchers_waiting")).toEqual([]);
      // And the other way round: the bill sees the use that was still open when it began.
      await one.query("begin");
      await put(one, { kind: "verify", certificate_id: "b" });
      const bill = put(two, { kind: "ledger", certificate_id: "b", goods_cents: 8_800 });
      await expect
        .poll(() =>
          world.truth("select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into platform_entries%'"),
        )
        .toHaveLength(1);
      await one.query("commit");
      await bill;
      expect(await sums()).toMatchObject({ used: 2, pending: 0 });
      expect(await world.truth("select 1 from vouchers_waiting")).toEqual([]);
    }));
  test("are folded by one at a time", () =>
    connected(async (one, two) => {
      await add({ kind: "verify", certificate_id: "a" });
      await one.query("begin");
      expect((await one.query("select app.fold_voucher(10) as n")).rows).toEqual([{ n: 1 }]);
      expect((await two.query("select app.fold_voucher(10) as n")).rows).toEqual([{ n: 0 }]);
      expect(await sums()).toMatchObject({ used: 1 });
      await one.query("commit");
      expect(await sums()).toMatchObject({ used: 1 });
    }));
});

test("who sees facts sees their sums and no more, folded or not", async () => {
  const { serviceProviderId: provider, id, stores } = shop();
  const other = world.tree.merchants.mch02;
  await map("dy", "P1", stores[1]!.id, null);
  await add(
    { kind: "verify", certificate_id: "a" },
    { kind: "verify", certificate_id: "b", store_id: null, platform_store_id: "P1" },
    { kind: "verify", certificate_id: "c", store_id: null, platform_store_id: "P2" },
  );
  const seen = async () => {
    const of = (scope: string, table?: string) => sums(scope, table).then(({ used }) => used);
    return {
      provider: [await of(`SP|${provider}|||||||`), await of(`SP|${provider}|||||||`, "voucher_totals")],
      otherProvider: [await of(`SP|${other.serviceProviderId}|||||||`), await of(`SP|${other.serviceProviderId}|||||||`, "voucher_totals")],
      merchant: [await of(`MCH|${provider}|||||${id}||`), await of(`MCH|${provider}|||||${id}||`, "voucher_totals_folded")],
      otherMerchant: await of(`MCH|${other.serviceProviderId}|||||${other.id}||`),
      stores: [await of(`AE|${provider}|||||${id}|{${stores[0]!.id}}|`), await of(`AE|${provider}|||||${id}|{${stores[1]!.id}}|`)],
      salesmen: await of(`AG|${provider}|${randomUUID()}||||||`),
    };
  };
  const all = { provider: [3, 3], otherProvider: [0, 0], merchant: [3, 0], otherMerchant: 0, stores: [1, 1], salesmen: 0 };
  expect(await seen()).toEqual(all);
  await fold();
  expect(await seen()).toEqual(all);
  for (const text of [
    "update voucher_sums_folded set used = 0",
    "delete from voucher_fresh",
    "delete from voucher_turns",
    "update voucher_totals_folded set used = 0",
    "delete from vouchers_waiting",
  ])
    await expect(world.services.pool.query(text)).rejects.toMatchObject({ code: "42501" });
});
