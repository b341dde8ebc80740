import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DemoLogin } from "../../../../apps/demo/tree/tree.ts";
import { splitCents } from "@zhangfang/contract/money.ts";
import { addDays, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { openPool, withScope } from "@zhangfang/server/database/db.ts";
import { firstFence, parseScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { walletOf, wayOf } from "../../../channels/contract.ts";
import { verifyLedger } from "../../../money/server/index.ts";
import { summariseMallOrders, summariseMallRefunds } from "../../../mall/contract/index.ts";
import { mall } from "../../../mall/server/index.ts";
import { orders } from "../../../orders/server/index.ts";
import { summarisePayOrders, summariseRefunds } from "../../../orders/contract/index.ts";
import {
  type Dimension,
  dimension,
  dimensionsOf,
  explainPayStatistics,
  getPayStatisticsSeries,
  listPayStatistics,
  metricSql,
  seriesStep,
  summarisePayStatistics,
  TAKINGS,
} from "../../contract/index.ts";
import { foldTakings } from "../takings/fold-takings.ts";
import { payAround } from "../testing/pay-around.ts";
import { statisticsWorld } from "../testing/world.ts";
import { payStatisticsExport } from "./export-pay-statistics.ts";

const TODAY = "2026-11-20";
const LOGINS = ["sp01", "mch01", "agent01", "admin", "group01", "area01"] as const;
/** One movement of the ledger with what its order knows, read past all fences. */
interface Entry {
  readonly cause: "payment" | "refund";
  readonly at: string;
  readonly [column: string]: string | number | null;
}
const SUMS = ["gross_cents", "discount_cents", "paid_cents", "fee_cents", "refund_cents", "refund_fee_cents"] as const;

let world: Awaited<ReturnType<typeof statisticsWorld>>;
let book: Entry[];
/** The same of goods: one for the goods of an entry. */
let goods: Entry[];
let scopes: Map<string, Scope>;
beforeAll(async () => {
  world = await statisticsWorld([...orders.routes, ...mall.routes]);
  world.at("2026-11-20T06:30:20.500Z");
  await payAround(world, TODAY);
  const found = await world.owner.query(
    `select e.*, to_json(e.occurred_at)#>>'{}' as at, o.cashier_id, o.device_id, o.pay_method, o.trade_type, o.purpose from ledger_entries e join pay_orders o on o.id = e.order_id where e.cause in ('payment', 'refund')`,
  );
  const rows = found.rows.map((row) => ({ ...row, wallet: walletOf(row.tool), way: wayOf(row.tool, row.pay_method) }));
  book = rows.map((row) => ({ ...row, ...Object.fromEntries(SUMS.map((name) => [name, Number(row[name])])) }));
  goods = await goodsOf(rows);
  const users = await world.owner.query("select u.login, app.scope_of(u) as scope from users u");
  scopes = new Map(users.rows.map((row) => [row.login as string, parseScope(row.scope as string)]));
});
afterAll(() => world.close());

/** Each entry of a mall order by what it sold or gave back; its money and its fee are cut as every amount is. */
async function goodsOf(rows: readonly Record<string, unknown>[]): Promise<Entry[]> {
  const sold = await world.owner.query(`select e.id, l.goods_no, l.quantity * l.unit_cents as gross, l.amount_cents as amount
    from ledger_entries e join mall_orders x on x.order_id = e.order_id join mall_order_lines l on l.mall_order_id = x.id where e.cause = 'payment' order by e.id, l.place`);
  const back = await world.owner.query(`select e.id, l.goods_no, 0 as gross, b.amount_cents as amount
    from ledger_entries e join mall_refund_lines b on b.refund_id = e.refund_id join mall_order_lines l on l.id = b.line_id where e.cause = 'refund' order by e.id, l.place`);
  const lines = Map.groupBy([...sold.rows, ...back.rows], (line) => String(line.id));
  return rows.flatMap((row) => {
    const own = lines.get(String(row["id"])) ?? [];
    const isPaid = row["cause"] === "payment";
    const cut = (name: string) =>
      own.length === 0
        ? []
        : splitCents(
            Number(row[name]),
            own.map((line) => Number(line.amount)),
          );
    const [money, fees] = isPaid ? [cut("paid_cents"), cut("fee_cents")] : [cut("refund_cents"), cut("refund_fee_cents")];
    return own.map((line, at) => ({
      ...(row as unknown as Entry),
      product: `${row["merchant_id"] as string}/${line.goods_no as string}`,
      gross_cents: Number(line.gross),
      discount_cents: isPaid ? Number(line.gross) - money[at]! : 0,
      paid_cents: isPaid ? money[at]! : 0,
      fee_cents: isPaid ? fees[at]! : 0,
      refund_cents: isPaid ? 0 : money[at]!,
      refund_fee_cents: isPaid ? 0 : fees[at]!,
    }));
  });
}

/** What a login sees of the book, said once more and plainly. */
function sees(scope: Scope): (entry: Entry) => boolean {
  const is = (column: string, id: string | undefined) => (entry: Entry) => entry[column] === id;
  switch (scope.level) {
    case "SP":
      return is("service_provider_id", scope.provider);
    case "AG":
      return is("agent_id", scope.agent);
    case "GP":
      return is("business_group_id", scope.group);
    case "MCH":
    case "AE":
      return (entry) => entry["merchant_id"] === scope.merchant && (scope.stores?.includes(String(entry["store_id"])) ?? true);
    default:
      return () => true;
  }
}
const COLUMNS = {
  agentId: "agent_id",
  businessTeamId: "business_team_id",
  merchantId: "merchant_id",
  storeId: "store_id",
  cashierId: "cashier_id",
  deviceId: "device_id",
  channel: "channel",
  tool: "tool",
  payMethod: "pay_method",
  wallet: "wallet",
  way: "way",
  tradeType: "trade_type",
  product: "product",
} as const;
type Filter = { readonly from: string; readonly to: string } & Readonly<Record<string, string | number | undefined>>;
const hourOf = (at: string) => Number(shanghaiTime(at).slice(11, 13));
const weekdayOf = (at: string) => ((new Date(`${shanghaiDay(at)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
function matches({ from, to, hour, weekday, ...rest }: Filter): (entry: Entry) => boolean {
  return (entry) =>
    shanghaiDay(entry.at) >= from &&
    shanghaiDay(entry.at) <= to &&
    (hour === undefined || hourOf(entry.at) === hour) &&
    (weekday === undefined || weekdayOf(entry.at) === weekday) &&
    Object.entries(COLUMNS).every(([name, column]) => rest[name] === undefined || entry[column] === rest[name]);
}
function figuresOf(entries: readonly Entry[]) {
  const sum = (name: (typeof SUMS)[number]) => entries.reduce((total, entry) => total + Number(entry[name]), 0);
  const of = (cause: string) => entries.filter((entry) => entry.cause === cause).length;
  const forPurpose = (name: (typeof SUMS)[number], ...purposes: readonly number[]) =>
    entries.reduce((total, entry) => total + (purposes.includes(Number(entry["purpose"])) ? Number(entry[name]) : 0), 0);
  return {
    payCount: of("payment"),
    grossCents: sum("gross_cents"),
    discountCents: sum("discount_cents"),
    storedCents: sum("gross_cents") - sum("discount_cents") - sum("paid_cents"),
    paidCents: sum("paid_cents"),
    refundCount: of("refund"),
    refundCents: sum("refund_cents"),
    effectiveCents: sum("paid_cents") - sum("refund_cents"),
    feeCents: sum("fee_cents"),
    refundFeeCents: sum("refund_fee_cents"),
    netCents: sum("paid_cents") - sum("refund_cents") - sum("fee_cents") + sum("refund_fee_cents"),
    rechargeCents: forPurpose("paid_cents", 1),
    rechargeBackCents: forPurpose("refund_cents", 1),
    cardCents: forPurpose("paid_cents", 2, 3, 4),
    cardBackCents: forPurpose("refund_cents", 2, 3, 4),
  };
}
type Sums = ReturnType<typeof figuresOf>;
const NAMES = Object.keys(figuresOf([])) as (keyof Sums)[];
const picked = (given: Sums): Sums => Object.fromEntries(NAMES.map((name) => [name, given[name]])) as Sums;
const added = (rows: readonly Sums[]): Sums =>
  Object.fromEntries(NAMES.map((name) => [name, rows.reduce((total, row) => total + row[name], 0)])) as Sums;

async function everyRow(login: DemoLogin, input: Record<string, unknown>) {
  const rows = [];
  for (let cursor: string | undefined; ;) {
    const page = await world.as(login, listPayStatistics, { ...input, pageSize: 100, withTotal: true, ...(cursor && { cursor }) } as never);
    rows.push(...page.items);
    if (page.next === null) {
      expect(page.total?.count ?? 0).toBe(rows.length);
      return rows;
    }
    cursor = page.next;
  }
}
async function exported(login: DemoLogin, input: Record<string, unknown>): Promise<Sums[]> {
  const rows: Sums[] = [];
  const filter = payStatisticsExport.input.parse(input);
  await withScope(world.services.pool, scopes.get(login)!, async (tx) => {
    expect(typeof (await payStatisticsExport.count(tx, scopes.get(login)!, filter as never))).toBe("number");
    for await (const batch of payStatisticsExport.rows(tx, scopes.get(login)!, filter as never)) rows.push(...(batch as unknown as Sums[]));
  });
  return rows;
}

/** Filters as somebody might set them: of things that the world has, and of some that the caller does not see. */
function filters(level: string): fc.Arbitrary<Filter & { by: Dimension; splitBy?: Dimension; sort: string }> {
  const of = (column: string) =>
    fc.constantFrom(...new Set((column === "product" ? goods : book).map((entry) => entry[column]).filter((value) => value !== null)));
  const some = (name: string, column: string, often = 4) =>
    fc.option(of(column), { nil: undefined, freq: often }).map((value) => (value === undefined ? {} : { [name]: value }));
  const now_and_then = (name: string, values: fc.Arbitrary<number>) =>
    fc.option(values, { nil: undefined, freq: 1 }).map((value) => (value === undefined ? {} : { [name]: value }));
  const named = Object.entries(COLUMNS).filter(([name]) => name !== "product" || dimensionsOf(level).includes("product"));
  const rare = named.map(([name, column]) =>
    fc.integer({ min: 0, max: name === "product" ? 8 : 5 }).chain((n) => (n > 0 ? fc.constant({}) : some(name, column))),
  );
  return fc
    .tuple(
      fc.integer({ min: 0, max: 70 }),
      fc.integer({ min: 0, max: 70 }),
      fc.constantFrom(...dimensionsOf(level)),
      fc.option(fc.constantFrom(...dimensionsOf(level)), { nil: undefined }),
      fc.constantFrom("usual", "-paidCents", "netCents", "-payCount", "key", "-refundCents"),
      fc.integer({ min: 0, max: 3 }).chain((n) => (n > 0 ? fc.constant({}) : now_and_then("hour", fc.integer({ min: 0, max: 23 })))),
      fc.integer({ min: 0, max: 3 }).chain((n) => (n > 0 ? fc.constant({}) : now_and_then("weekday", fc.integer({ min: 1, max: 7 })))),
      ...rare,
    )
    .map(([a, b, by, splitBy, sort, ...parts]) => ({
      from: addDays(TODAY, -Math.max(a, b)),
      to: addDays(TODAY, -Math.min(a, b)),
      by,
      ...(splitBy !== undefined && { splitBy }),
      sort,
      ...Object.assign({}, ...(parts as object[])),
    }));
}

describe("figures, lists, exports and the book are equal to the cent", () => {
  test.each(LOGINS)(
    "%s: 50 filters",
    async (login) => {
      const scope = scopes.get(login)!;
      const own = book.filter(sees(scope));
      await fc.assert(
        fc.asyncProperty(filters(scope.level), fc.nat(), async ({ by, splitBy, sort, ...filter }, pick) => {
          // Where goods are told apart or asked for, only what was sold of goods counts.
          const ofGoods = by === "product" || splitBy === "product" || filter["product"] !== undefined;
          const truth = figuresOf((ofGoods ? goods.filter(sees(scope)) : own).filter(matches(filter as Filter)));
          const grouped = { ...filter, by, ...(splitBy && { splitBy }) };
          const { current } = await world.as(login, summarisePayStatistics, grouped as never);
          expect(picked(current as Sums)).toEqual(truth);
          const rows = await everyRow(login, { ...grouped, sort });
          expect(added(rows as Sums[])).toEqual(truth);
          expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
          expect(added(await exported(login, { ...grouped, sort }))).toEqual(truth);
          // One figure opens its rows: the orders and refunds with the same sums.
          const row = rows[pick % Math.max(1, rows.length)];
          if (row === undefined) return;
          const explained = await world.as(login, explainPayStatistics, row.filter as never);
          expect(picked(explained.current as Sums)).toEqual(picked(row as Sums));
          if (ofGoods) {
            const sold = (await world.as(login, summariseMallOrders, row.drill.pay.query as never)).goods!;
            expect([sold.count, sold.grossCents, sold.discountCents, sold.paidCents, sold.feeCents]).toEqual([
              row.payCount,
              row.grossCents,
              row.discountCents,
              row.paidCents,
              row.feeCents,
            ]);
            const back = (await world.as(login, summariseMallRefunds, row.drill.refund.query as never)).goods!;
            expect([back.count, back.doneCents, back.doneFeeCents]).toEqual([row.refundCount, row.refundCents, row.refundFeeCents]);
            return;
          }
          const orders = await world.as(login, summarisePayOrders, row.drill.pay.query as never);
          const listed = [
            orders.paidCount,
            orders.grossCents,
            orders.discountCents,
            orders.storedValueCents,
            orders.paidCents,
            orders.feeCents,
          ];
          expect(listed).toEqual([row.payCount, row.grossCents, row.discountCents, row.storedCents, row.paidCents, row.feeCents]);
          const refunds = await world.as(login, summariseRefunds, row.drill.refund.query as never);
          expect([refunds.doneCount, refunds.doneCents, refunds.doneFeeCents]).toEqual([
            row.refundCount,
            row.refundCents,
            row.refundFeeCents,
          ]);
          for (const [purpose, paid, back] of [
            ["1", row.rechargeCents, row.rechargeBackCents],
            ["cards", row.cardCents, row.cardBackCents],
          ] as const) {
            const sold = await world.as(login, summarisePayOrders, { ...row.drill.pay.query, purpose } as never);
            const returned = await world.as(login, summariseRefunds, { ...row.drill.refund.query, purpose } as never);
            expect([sold.paidCents, returned.doneCents]).toEqual([paid, back]);
          }
        }),
        { numRuns: 50, seed: 26 },
      );
    },
    120_000,
  );
});

test.each(["sp01", "mch01", "agent01"] as const)("%s: each step of a series is its part of the book, none left out", async (login) => {
  const own = book.filter(sees(scopes.get(login)!));
  const span = { from: "2026-10-07", to: TODAY };
  for (const step of seriesStep.values) {
    const { points } = await world.as(login, getPayStatisticsSeries, { ...span, step, against: "previous" });
    expect(added(points.map((point) => point.current as Sums))).toEqual(figuresOf(own.filter(matches(span))));
    expect(added(points.map((point) => point.before as Sums))).toEqual(
      figuresOf(own.filter(matches({ from: "2026-08-23", to: "2026-10-06" }))),
    );
  }
  const counts = await Promise.all(
    seriesStep.values.map(async (step) => (await world.as(login, getPayStatisticsSeries, { ...span, step })).points.length),
  );
  expect(Object.fromEntries(seriesStep.values.map((step, at) => [step, counts[at]]))).toEqual({
    day: 45,
    week: 7,
    month: 2,
    hour: 24,
    weekday: 7,
    heat: 168,
  });
});

test("weeks begin on Monday, steps are cut by the span, hours are Shanghai's", async () => {
  const rows = await everyRow("sp01", { from: "2026-11-04", to: "2026-11-17", by: "week" });
  expect(rows.map((row) => [row.key, row.name, row.filter["from"], row.filter["to"]])).toEqual([
    ["2026-11-16", "2026-11-16 至 11-17", "2026-11-16", "2026-11-17"],
    ["2026-11-09", "2026-11-09 至 11-15", "2026-11-09", "2026-11-15"],
    ["2026-11-02", "2026-11-04 至 11-08", "2026-11-04", "2026-11-08"],
  ]);
  const months = await everyRow("sp01", { from: "2026-10-20", to: TODAY, by: "month" });
  expect(months.map((row) => [row.name, row.filter["from"], row.filter["to"]])).toEqual([
    ["2026-11", "2026-11-01", TODAY],
    ["2026-10", "2026-10-20", "2026-10-31"],
  ]);
  // Many orders of the world are made in the last second of a day and paid after midnight.
  const midnight = await everyRow("sp01", { from: "2026-10-20", to: TODAY, by: "hour", sort: "key" });
  expect(midnight.map((row) => row.key)).toEqual(midnight.map((row) => row.key).toSorted((a, b) => Number(a) - Number(b)));
  expect(midnight[0]!.payCount).toBe(
    book.filter(
      (entry) => entry["service_provider_id"] === scopes.get("sp01")!.provider && entry.cause === "payment" && hourOf(entry.at) === 0,
    ).length,
  );
});

test("a span is held against the one before, the same weekdays, the year before, or days of one's choice", async () => {
  const own = book.filter(sees(scopes.get("sp01")!));
  const before = async (asked: object) =>
    (await world.as("sp01", summarisePayStatistics, { from: "2026-11-10", to: "2026-11-12", ...asked } as never)).beforeSpan;
  expect(await before({})).toBe(null);
  expect(await before({ against: "previous" })).toEqual({ from: "2026-11-07", to: "2026-11-09" });
  expect(await before({ against: "week" })).toEqual({ from: "2026-11-03", to: "2026-11-05" });
  expect(await before({ against: "year" })).toEqual({ from: "2025-11-10", to: "2025-11-12" });
  expect(await before({ against: "chosen", beforeFrom: "2026-10-28", beforeTo: "2026-11-02" })).toEqual({
    from: "2026-10-28",
    to: "2026-11-02",
  });
  const rows = await everyRow("sp01", { from: "2026-11-10", to: "2026-11-12", against: "week", by: "day" });
  for (const row of rows) {
    const splitBy = addDays(row.key, -7);
    expect(picked(row.before as Sums)).toEqual(figuresOf(own.filter(matches({ from: splitBy, to: splitBy }))));
  }
});

test("pages of a few rows are the rows of the file in its order, whatever the report begins with", async () => {
  const span = { from: "2026-10-05", to: TODAY };
  const against = [{}, { against: "previous" }, { against: "chosen", beforeFrom: "2026-08-20", beforeTo: TODAY }];
  const walked = async (input: Record<string, unknown>, pageSize: number) => {
    const rows = [];
    for (let cursor: string | undefined; ;) {
      const page = await world.as("sp01", listPayStatistics, { ...input, pageSize, ...(cursor && { cursor }) } as never);
      rows.push(...page.items);
      if (page.next === null) return rows;
      cursor = page.next;
    }
  };
  for (const [by, splitBy] of [
    ["day", "merchant"],
    ["week", "store"],
    ["month", "cashier"],
    ["merchant", "day"],
    ["agent", "week"],
    ["cashier", "channel"],
  ] as const)
    for (const sort of by === "day" ? ["usual", "key", "-key"] : ["usual"])
      for (const other of against) {
        const input = { ...span, ...other, by, splitBy, sort };
        const file = await exported("sp01", input);
        const rows = await walked(input, 10);
        expect(rows.map((row) => [row.name, row.splitName, row.paidCents, row.before?.paidCents ?? null])).toEqual(
          (file as unknown as Record<string, unknown>[]).map((row) => [
            row["name"],
            row["splitName"],
            row["paidCents"],
            row["beforePaidCents"],
          ]),
        );
      }
});

test("a refund of an earlier order counts on its own day and stands beside the order", async () => {
  const [late] = book.filter(
    (entry) =>
      entry.cause === "refund" && shanghaiDay(entry.at) === "2026-11-05" && entry["service_provider_id"] === scopes.get("sp01")!.provider,
  );
  const { late: shown, current } = await world.as("sp01", explainPayStatistics, { from: "2026-11-05", to: "2026-11-05" });
  expect(late).toBeDefined();
  expect(shown.count).toBeGreaterThan(0);
  expect(current.refundCents).toBeGreaterThanOrEqual(shown.refundCents);
  expect(shown.rows.reduce((total, row) => total + row.refundCents, 0)).toBe(shown.refundCents);
  for (const row of shown.rows) expect([shanghaiDay(row.paidAt) < "2026-11-05", shanghaiDay(row.finishedAt)]).toEqual([true, "2026-11-05"]);
});

test("of goods, a refund of an earlier order counts with what it gave back of them", async () => {
  const paidOn = new Map(book.filter(({ cause }) => cause === "payment").map((entry) => [entry["order_id"], shanghaiDay(entry.at)]));
  let seen = 0;
  for (const from of ["2026-10-25", "2026-10-28", "2026-11-01", "2026-11-05", "2026-11-08", "2026-11-12"]) {
    const back = goods.filter(
      (entry) => entry.cause === "refund" && matches({ from, to: TODAY })(entry) && paidOn.get(entry["order_id"])! < from,
    );
    for (const [product, of] of Map.groupBy(back, (entry) => String(entry["product"]))) {
      const { late } = await world.as("admin", explainPayStatistics, { from, to: TODAY, product });
      expect([late.count, late.refundCents]).toEqual([of.length, of.reduce((sum, entry) => sum + Number(entry["refund_cents"]), 0)]);
      if (late.rows.length === late.count) expect(late.rows.reduce((sum, row) => sum + row.refundCents, 0)).toBe(late.refundCents);
      seen += late.count;
    }
  }
  expect(seen).toBeGreaterThanOrEqual(5);
});

test("nobody tells apart what lies beside or above", async () => {
  const forbidden: readonly (readonly [DemoLogin, Dimension])[] = [
    ["sp01", "provider"],
    ["agent01", "agent"],
    ["agent01", "team"],
    ["group01", "agent"],
    ["team01", "team"],
    ["mch01", "merchant"],
    ["emp01", "agent"],
    ["agent01", "product"],
    ["team01", "product"],
  ];
  for (const [login, by] of forbidden) {
    await expect(world.as(login, listPayStatistics, { from: TODAY, to: TODAY, by })).rejects.toMatchObject({ status: 403 });
    await expect(world.as(login, listPayStatistics, { from: TODAY, to: TODAY, by: "day", splitBy: by })).rejects.toMatchObject({
      status: 403,
    });
    await expect(exported(login, { from: TODAY, to: TODAY, by })).rejects.toMatchObject({ status: 403 });
  }
});

test("each fence alone narrows to the same figures", async () => {
  const asked = dimension.values.map((by) => ({ from: "2026-10-01", to: TODAY, by }));
  const all = (login: DemoLogin) =>
    Promise.all(asked.filter(({ by }) => dimensionsOf(scopes.get(login)!.level).includes(by)).map((input) => everyRow(login, input)));
  for (const login of LOGINS) {
    const both = await all(login);
    firstFence.on = false;
    try {
      expect(await all(login), login).toEqual(both);
    } finally {
      firstFence.on = true;
    }
    const pool = openPool({ connection: world.services.owner, size: 1 });
    const rows: Sums[] = [];
    await withScope(pool, scopes.get(login)!, async (tx) => {
      for await (const batch of payStatisticsExport.rows(tx, scopes.get(login)!, { from: "2026-10-01", to: TODAY, by: "store" } as never))
        rows.push(...(batch as unknown as Sums[]));
    });
    await pool.end();
    expect(added(rows), login).toEqual(figuresOf(book.filter(sees(scopes.get(login)!)).filter(matches({ from: "2026-10-01", to: TODAY }))));
  }
});

/** Entries with what each was for, in columns as the sums have them. */
const ENTRIES = `select e.*, ${[
  ["recharge", "1"],
  ["times", "3"],
  ["level", "2, 4"],
]
  .map(
    ([name, purposes]) => `case when o.purpose in (${purposes}) then e.paid_cents else 0 end as ${name}_cents,
  case when o.purpose in (${purposes}) then e.refund_cents else 0 end as ${name}_back_cents`,
  )
  .join(", ")} from ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
  where e.cause in ('payment', 'refund')`;
test("the dictionary adds up sums and rows to the same", async () => {
  const names = TAKINGS.filter((name) => metricSql(name).rollup !== undefined);
  const of = (which: "rollup" | "rows") => names.map((name) => `${metricSql(name)[which]} as "${name}"`).join(", ");
  const rows = (await world.owner.query(`select ${of("rows")} from (${ENTRIES}) e`)).rows[0];
  for (const table of [
    "takings_merchants",
    "takings_merchants_monthly",
    "takings_daily",
    "takings_monthly",
    "takings_people",
    "takings_people_monthly",
    "takings_cells",
    "takings_cells_monthly",
  ])
    expect((await world.owner.query(`select ${of("rollup")} from ${table} t`)).rows[0], table).toEqual(rows);
  for (const table of ["takings", "takings_hours_monthly", "takings_days"])
    expect((await world.owner.query(`select ${of("rollup")} from ${table} t where owner_kind = 'provider'`)).rows[0], table).toEqual(rows);
  expect(names).toEqual([...TAKINGS]);
});

test("made anew from the ledger, every sum is the same to the byte", async () => {
  const tables = (
    await world.owner.query("select relname as name from pg_class where relname like 'takings%\\_folded' and relkind = 'r' order by 1")
  ).rows.map(({ name }) => name as string);
  expect(tables).toHaveLength(11);
  tables.push("takings_goods", "takings_goods_monthly");
  const bytes = async () => {
    const dump: string[] = [];
    for (const table of tables)
      dump.push(
        ...(await world.owner.query(`select (t.*)::text as line from ${table} t order by 1`)).rows.map(
          (row) => `${table} ${row.line as string}`,
        ),
      );
    return dump.join("\n");
  };
  await foldTakings.run(world.services, {});
  const kept = await bytes();
  expect(kept.length).toBeGreaterThan(10_000);
  await world.owner.query("select upkeep.rebuild_takings(), upkeep.rebuild_goods()");
  expect(await bytes()).toBe(kept);
  expect(await withScope(world.services.pool, platformScope("test"), verifyLedger, { deadline_ms: 60_000 })).toEqual([]);
});
