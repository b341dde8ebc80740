import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import { postEntry, type LedgerOrder } from "./post-entry.ts";
import { postPayment } from "./post-payment.ts";
import { postRefundReserve } from "./post-refund.ts";
import { verifyLedger } from "./verify-ledger.ts";

let world: TillWorld;
let order: LedgerOrder;
const now = "2026-11-20T04:00:00.000Z";
const poster = () => ({ ids: world.services.ids, now_ms: Date.parse(now) });

beforeAll(async () => {
  world = await openTillWorld();
  const store = world.tree.merchants.mch01.stores[0]!;
  const paid = await world.till(store, "createTillOrder", {
    tillNo: "A",
    tradeType: "MICROPAY",
    subject: "x",
    grossCents: 10_000,
    authCode: "130000000000000009",
  });
  await world.till(store, "refundTillOrder", { requestId: randomUUID(), tillNo: "A", amountCents: 4_000, reason: "x" });
  const other = await world.till(store, "createTillOrder", {
    tillNo: "B",
    tradeType: "MICROPAY",
    subject: "x",
    grossCents: 7_000,
    authCode: "130000000000000009",
  });
  const done = await world.till(store, "refundTillOrder", { requestId: randomUUID(), tillNo: "B", amountCents: 7_000, reason: "x" });
  await world.runJobs();
  world.channel.decide(done.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
  expect(other.status).toBe(2);
  [order] = (await world.owner<LedgerOrder>("select * from pay_orders where order_no = $1", [paid.orderNo])) as [LedgerOrder];
});
afterAll(() => world.close());

const balances = () =>
  world.owner("select kind, balance_cents::int as cents from ledger_accounts where merchant_id = $1 order by kind", [order.merchant_id]);

describe("the database keeps the book", () => {
  test.each([
    ["lines that do not sum to zero", { lines: { channel: -100, merchant: 99 }, figures: { paid_cents: 100 } }],
    ["figures that the channel's line does not bear out", { lines: { channel: -100, merchant: 100 }, figures: { paid_cents: 101 } }],
    ["a single line", { lines: { merchant: 1 } }],
  ] as const)("refuses %s, and nothing stays", async (_what, { lines, ...more }) => {
    const before = await balances();
    const posted = world.look((tx) => postEntry(tx, poster(), order, { cause: "refund-release", occurred_at: now, lines, ...more }));
    await expect(posted).rejects.toMatchObject({ code: "ZF002" });
    expect(await balances()).toEqual(before);
  });

  test("takes a payment once for each order", async () => {
    const again = world.look((tx) =>
      postPayment(tx, poster(), order, { gross_cents: 1, discount_cents: 0, paid_cents: 1, fee_cents: 0, occurred_at: now }),
    );
    await expect(again).rejects.toMatchObject({ code: "23505" });
  });

  test("lets nobody set aside more than the merchant may claim", async () => {
    const far = world.look((tx) =>
      postRefundReserve(tx, poster(), order, { id: randomUUID(), amount_cents: 900_000_000, fee_cents: 0, occurred_at: now }),
    );
    await expect(far).rejects.toMatchObject({ code: "23514", constraint: "ledger_floor" });
  });

  test.each([
    "update ledger_accounts set balance_cents = 0",
    "update ledger_entries set paid_cents = 0",
    "delete from ledger_postings",
    "update takings_folded set paid_cents = 0",
    "delete from takings_fresh",
    "insert into takings_daily_folded (service_provider_id, day, merchant_id, store_id) select service_provider_id, '2026-11-20', merchant_id, id from stores limit 1",
    "delete from order_events",
    "update handovers set note = ''",
  ])("the service has no right to: %s", async (text) => {
    await expect(world.services.pool.query(text)).rejects.toMatchObject({ code: "42501" });
  });

  test.each([
    "update ledger_entries set paid_cents = 0",
    "delete from ledger_entries",
    "update ledger_postings set amount_cents = 1",
    "delete from ledger_postings",
  ])("not even the owner may: %s", async (text) => {
    await expect(world.owner(text)).rejects.toMatchObject({ code: "ZF003" });
  });

  test.each([
    ["pay_orders", 2, 0],
    ["pay_orders", 2, 1],
    ["refunds", 2, 1],
    ["refunds", 2, 3],
    ["refunds", 1, 4],
  ])("%s do not go from %i to %i", async (table, from, to) => {
    await expect(world.owner(`update ${table} set status = ${to} where status = ${from}`)).rejects.toMatchObject({ code: "ZF001" });
  });
});

// A check that never fails says nothing: each rule is broken by hand, past triggers and fences, and has to name itself.
describe("the check names what was broken", () => {
  const FOLD = "select app.fold_takings(1000); ";
  const BREAKS: readonly (readonly [rule: string, text: string])[] = [
    [
      "each entry sums to zero",
      "update ledger_postings set amount_cents = amount_cents + 1 where ctid = (select min(ctid) from ledger_postings)",
    ],
    ["each balance is the sum of its lines", "update ledger_accounts set balance_cents = balance_cents + 1 where kind = 'merchant'"],
    [
      "no account is below its floor",
      "alter table ledger_accounts drop constraint ledger_floor; update ledger_accounts set balance_cents = -1 where kind = 'fee'",
    ],
    [
      "no order gives back more than was paid",
      "alter table pay_orders drop constraint pay_orders_check1; update pay_orders set refunding_cents = 6001 + paid_cents where till_no = 'A'",
    ],
    ["each paid order stands in the book once", "update pay_orders set paid_at = paid_at + interval '1 second' where till_no = 'A'"],
    ["an order's refunds are what it says", "update pay_orders set refunding_cents = 3999 where till_no = 'A'"],
    ["each refund stands in the book as it ended", "update refunds set status = 3 where status = 2"],
    ["what is set aside is what orders hold", "update pay_orders set refunding_cents = 3999 where till_no = 'A'"],
    ["takings equal the book", `${FOLD}update takings_folded set fee_cents = fee_cents + 1 where owner_kind = 'agent'`],
    [
      "takings by day equal the book",
      `${FOLD}update takings_days_folded set trade_type = 'NATIVE', pay_count = pay_count + 1 where owner_kind = 'provider'`,
    ],
    ["hours of months equal the book", `${FOLD}update takings_hours_monthly_folded set weekday = weekday % 7 + 1`],
    ["takings equal the book", "update takings_fresh set paid_cents = paid_cents + 1"],
    ["takings of merchants equal the book", `${FOLD}delete from takings_merchants_folded`],
    ["monthly takings of merchants equal the book", `${FOLD}update takings_merchants_monthly_folded set pay_count = 0`],
    ["takings of people equal the book", `${FOLD}update takings_people_folded set device_id = gen_random_uuid()`],
    ["monthly takings of people equal the book", `${FOLD}update takings_people_monthly_folded set month = month - 31`],
    ["daily takings equal the book", `${FOLD}update takings_daily_folded set gross_cents = gross_cents + 1`],
    ["monthly takings equal the book", `${FOLD}delete from takings_monthly_folded`],
    ["takings in detail equal the book", `${FOLD}update takings_cells_folded set cashier_id = gen_random_uuid()`],
    [
      "takings of goods equal the book",
      "insert into takings_goods select service_provider_id, id, 'G', merchant_id, store_id, null, null, null, null, null, null, current_date, 0, channel, tool, '', '', 1, 1, 0, 1, 0, 0, 0, 0 from ledger_entries where cause = 'payment' limit 1",
    ],
    [
      "monthly takings of goods equal the book",
      "insert into takings_goods_monthly select service_provider_id, current_date, 'G', merchant_id, id, null, null, null, null, 1, 1, 0, 1, 0, 0, 0, 0 from stores limit 1",
    ],
    [
      "shared takings equal the book",
      "insert into takings_shared (service_provider_id, day, merchant_id, store_id, shared_cents) select service_provider_id, current_date, merchant_id, id, 1 from stores limit 1",
    ],
    ["monthly takings in detail equal the book", `${FOLD}update takings_cells_monthly_folded set discount_cents = discount_cents - 1`],
  ];
  test.each(BREAKS)("%s", async (rule, text) => {
    const breaches = await world.spoil(async (tx) => {
      for (const statement of ["set local session_replication_role = replica", ...text.split("; ")]) await sql.raw(statement).execute(tx);
      return verifyLedger(tx);
    });
    expect(breaches.map((breach) => breach.rule)).toContain(rule);
    expect(await world.verify()).toEqual([]);
  });
});
