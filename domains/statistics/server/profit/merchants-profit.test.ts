import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoLogin } from "../../../../apps/demo/tree/tree.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { firstFence, parseScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listMerchantsProfit, type Profit, profitBy, summariseMerchantsProfit } from "../../contract/index.ts";
import { summariseReturns, summariseShares } from "../../../profit-sharing/contract/index.ts";
import { profitSharing } from "../../../profit-sharing/server/index.ts";
import { seenBy, statisticsWorld, summed, dayOf, type Fact } from "../testing/world.ts";
import { merchantsProfitExport } from "./export-merchants-profit.ts";

const TODAY = "2026-11-20";
const SPAN = { from: "2026-09-10", to: "2026-11-19" };
const LOGINS = ["admin", "sp01", "sp02", "agent01", "agent02", "group01", "team01", "mch01", "mch02"] as const;
interface Shared {
  readonly place: Fact;
  readonly shared: number;
  readonly returned: number;
}
let world: Awaited<ReturnType<typeof statisticsWorld>>;
const shares: Shared[] = [];
const bills: { merchant: string; provider: string; day: string; cents: number }[] = [];
const scopes = new Map<string, Scope>();
beforeAll(async () => {
  world = await statisticsWorld(profitSharing.routes);
  world.at("2026-11-20T06:30:20.500Z");
  await world.owner.query("alter table ledger_entries enable always trigger add_up_shared");
  for (const row of (await world.owner.query("select u.login, app.scope_of(u) as scope from users u")).rows)
    scopes.set(row.login as string, parseScope(row.scope as string));
  for (const [at, store] of world.tree.stores.entries())
    for (const back of [1, 2, 20, 40, 65, 90]) {
      const moment = `${addDays(TODAY, -back)}T0${at % 6}:30:00.000Z`;
      const paid = 1_000 + at * 37 + back;
      await world.add(store, moment, { cause: "payment", gross: paid + 12, discount: 5, stored: 7, paid, fee: at + 3 });
      if (at % 3 === 0) await world.add(store, moment, { cause: "refund", refund: 100 + back, refundFee: 1 });
      if (at % 2 === 0) await share(moment, at);
    }
  for (const key of ["mch01", "mch02", "mch03"] as const) {
    const merchant = world.tree.merchants[key];
    for (const back of [1, 2, 40]) await bill(merchant, addDays(TODAY, -back), 5_000 + back);
  }
});
afterAll(() => world.close());

/** A share of the last payment, and for some a part that came back. */
async function share(moment: string, at: number): Promise<void> {
  const place = world.facts.findLast((fact) => fact.cause === "payment")!;
  for (const [cause, shared, returned] of [
    ["share", 40 + at, 0],
    ["share-return", 0, at],
  ] as const) {
    if (shared + returned === 0) continue;
    shares.push({ place, shared, returned });
    const id = crypto.randomUUID();
    await (cause === "share" ? keepShare(place, id, moment, shared) : keepReturn(place, id, moment, returned));
    await world.owner.query(
      `insert into ledger_entries (service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, cause, order_id, channel, tool, occurred_at, shared_cents, share_returned_cents, ${cause === "share" ? "share_id" : "share_return_id"})
       values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, gen_random_uuid(), 0, 1, $9, $10, $11, $12)`,
      [
        place.provider,
        place.merchant,
        place.store,
        place.agent,
        place.group,
        place.team,
        place.salesman,
        cause,
        moment,
        shared,
        returned,
        id,
      ],
    );
  }
}
const OWNED = "service_provider_id, id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id";
const owned = (place: Fact, id: string) => [
  place.provider,
  id,
  place.merchant,
  place.store,
  place.agent,
  place.group,
  place.team,
  place.salesman,
];
/** The share as its list has it; we heard of its end a day after the channel's. */
const keepShare = (place: Fact, id: string, moment: string, cents: number) =>
  world.owner.query(
    `insert into sharing_orders (${OWNED}, order_id, kind, mode, share_no, status, amount_cents, shared_cents, unfreeze, requested_by_name, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, gen_random_uuid(), 'share', 'auto', $2::uuid::text, 2, $9, $9, true, 'x', $10::timestamptz - interval '3 days', $10::timestamptz + interval '1 day')`,
    [...owned(place, id), cents, moment],
  );
const keepReturn = (place: Fact, id: string, moment: string, cents: number) =>
  world.owner.query(
    `insert into sharing_returns (${OWNED}, order_id, refund_id, sharing_id, line_id, return_no, status, amount_cents, requested_by_name, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2::uuid::text, 2, $9, 'x', $10::timestamptz - interval '3 days', $10::timestamptz)`,
    [...owned(place, id), cents, moment],
  );
async function bill(merchant: { id: string; stores: readonly { serviceProviderId: string }[] }, day: string, cents: number): Promise<void> {
  const provider = merchant.stores[0]!.serviceProviderId;
  bills.push({ merchant: merchant.id, provider, day, cents });
  await world.owner.query(
    "insert into recon_days (service_provider_id, id, merchant_id, source, day, settled_cents, has_bill) values ($1, gen_random_uuid(), $2, 'wechat', $3, $4, true)",
    [provider, merchant.id, day, cents],
  );
}

const inSpan = (day: string, { from, to } = SPAN) => day >= from && day <= to;
function truth(login: DemoLogin, which: (day: string, merchant: string) => boolean): Profit {
  const seen = seenBy(login, world.tree);
  const facts = summed(world.facts.filter(seen).filter((fact) => which(dayOf(fact), fact.merchant)));
  const own = shares.filter(({ place }) => seen(place) && which(dayOf(place), place.merchant));
  const returned = own.reduce((sum, one) => sum + one.returned, 0);
  const shared = own.reduce((sum, one) => sum + one.shared, 0) - returned;
  const merchants = new Set(world.facts.filter(seen).map((fact) => fact.merchant));
  // A bill is a merchant's, and an agent's or a team's only from the day on which the merchant became theirs.
  const whole = ["admin", "sp01", "sp02", "mch01", "mch02"].includes(login);
  const settled = bills.filter((one) => whole && merchants.has(one.merchant) && which(one.day, one.merchant));
  const fee = facts.feeCents - facts.refundFeeCents;
  return {
    grossCents: facts.grossCents,
    discountCents: facts.discountCents,
    storedCents: facts.storedCents,
    paidCents: facts.paidCents,
    refundCents: facts.refundCents,
    feeKeptCents: fee,
    sharedCents: shared,
    shareReturnedCents: returned,
    profitCents: facts.paidCents - facts.refundCents - fee - shared,
    settledCents: settled.length === 0 ? null : settled.reduce((sum, one) => sum + one.cents, 0),
  } as Profit;
}
async function rowsOf(login: DemoLogin, input: object) {
  const rows = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.as(login, listMerchantsProfit, {
      ...SPAN,
      ...input,
      pageSize: 10,
      withTotal: true,
      ...(cursor && { cursor }),
    } as never);
    rows.push(...page.items);
    if (page.next === null) return (expect(page.total).toEqual({ count: rows.length, more: false }), rows);
    cursor = page.next;
  }
}
const NAMES = [
  "grossCents",
  "discountCents",
  "storedCents",
  "paidCents",
  "refundCents",
  "feeKeptCents",
  "sharedCents",
  "shareReturnedCents",
  "profitCents",
  "settledCents",
] as const;
const profitIn = (row: Profit) => Object.fromEntries(NAMES.map((name) => [name, row[name]]));

test.each(LOGINS)("%s: merchants, days and both are the facts to the cent, in the list, its totals and its file", async (login) => {
  const { span: _span, drill: _drill, ...sums } = await world.as(login, summariseMerchantsProfit, SPAN);
  expect(sums).toEqual(truth(login, (day) => inSpan(day)));
  for (const by of profitBy.values) {
    const rows = await rowsOf(login, { by });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      expect(profitIn(row), `${row.day} ${row.merchantName}`).toEqual(
        truth(
          login,
          (day, merchant) =>
            inSpan(day) && (row.day === null || day === row.day) && (row.merchantId === null || merchant === row.merchantId),
        ),
      );
    const file: unknown[] = [];
    await withScope(world.services.pool, scopes.get(login)!, async (tx) => {
      for await (const batch of merchantsProfitExport.rows(tx, scopes.get(login)!, { ...SPAN, by }))
        file.push(...batch.map((row) => profitIn(row as never)));
    });
    expect(file).toEqual(rows.map(profitIn));
  }
  const both = await rowsOf(login, { by: "both" });
  for (const [at, row] of both.entries()) expect((both[at - 1]?.day ?? "9") >= (row.day ?? "")).toBe(true);
  const most = await rowsOf(login, { by: "merchant", sort: "-profitCents" });
  expect(most.map((row) => row.profitCents)).toEqual(most.map((row) => row.profitCents).toSorted((a, b) => b - a));
});

test.each(["sp01", "mch01", "admin"] as const)("%s: what was shared out opens its shares, less those that came back", async (login) => {
  const all = await world.as(login, summariseMerchantsProfit, SPAN);
  const rows = [all, ...(await rowsOf(login, { by: "both" })).slice(0, 12)];
  expect(rows.some((row) => row.shareReturnedCents > 0)).toBe(true);
  for (const { sharedCents, shareReturnedCents, drill } of rows) {
    const shared = await world.as(login, summariseShares, drill.shared.query as never);
    const returned = await world.as(login, summariseReturns, drill.returned.query as never);
    expect([shared.sharedCents - returned.doneCents, returned.doneCents]).toEqual([sharedCents, shareReturnedCents]);
  }
});

test("whoever sees some stores of a merchant, or is or asks for an agent, whose it was not always, is told of no bill", async () => {
  const agent = await world.as("sp01", summariseMerchantsProfit, { ...SPAN, agentId: world.tree.agents.agent01 });
  expect([agent.settledCents, agent.paidCents > 0]).toEqual([null, true]);
  const scope = scopes.get("fin01")!;
  expect(scope.stores).toHaveLength(2);
  await withScope(world.services.pool, scope, async (tx) => {
    for await (const batch of merchantsProfitExport.rows(tx, scope, { ...SPAN, by: "merchant" }))
      expect(batch.map((row) => row["settledCents"])).toEqual([null]);
  });
});

test("it is no screen for a store", async () => {
  await expect(world.as("emp01", listMerchantsProfit, SPAN)).rejects.toMatchObject({ status: 403 });
});

test("each fence alone narrows to the same figures", async () => {
  for (const login of LOGINS) {
    const both = await rowsOf(login, { by: "both" });
    firstFence.on = false;
    try {
      expect(await rowsOf(login, { by: "both" }), login).toEqual(both);
    } finally {
      firstFence.on = true;
    }
  }
});

test("shared takings made anew from the ledger are the same to the byte", async () => {
  const bytes = async () => (await world.owner.query("select (t.*)::text as line from takings_shared t order by 1")).rows;
  const kept = await bytes();
  expect(kept.length).toBeGreaterThan(10);
  await world.owner.query("select upkeep.rebuild_shared()");
  expect(await bytes()).toEqual(kept);
});
