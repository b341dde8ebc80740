import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { askCardRefund, decideCardRefund } from "../../../stored-value/contract/index.ts";
import { openStoredWorld, type StoredWorld } from "../../../stored-value/server/testing/stored-world.ts";
import { verifyLedger } from "../../../money/server/index.ts";
import { foldValue } from "../../../value-book/server/index.ts";
import { explainPayStatisticsRoute } from "../reports/explain-pay-statistics.ts";
import { payStatisticsExport } from "../reports/export-pay-statistics.ts";
import { getPayStatisticsSeriesRoute } from "../reports/get-pay-statistics-series.ts";
import { listPayStatisticsRoute } from "../reports/list-pay-statistics.ts";
import { summarisePayStatisticsRoute } from "../reports/summarise-pay-statistics.ts";
import { getPrepaidRoute } from "./get-prepaid.ts";

interface Row {
  readonly paidCents: number;
  readonly rechargeCents: number;
  readonly turnoverCents: number;
  readonly balanceCents: number;
}
let world: StoredWorld;
beforeAll(async () => {
  world = await openStoredWorld();
  await world.rule();
});
afterAll(() => world.close());

const today = () => shanghaiDay(world.services.clock.now_ms());
const figures = (login: string, span: object = { from: today(), to: today() }) => world.ask(login, getPrepaidRoute, span);
const orders = (login: string, query: object) =>
  world.as(login, "listPayOrders", { dateOf: "paid", from: today(), to: today(), ...query } as never) as unknown as Promise<{
    items: { paidCents: number }[];
  }>;

test("a recharge is money and a debt, what is spent of it is turnover; at each store, folded or not", async () => {
  const { id } = await world.member();
  await world.recharge(id, 100_000);
  await world.recharge(id, 50_000);
  // 12,000 of stored value at the second store, 10,000 of it principal, beside 3,000 in money.
  const sale = { tillNo: "Q-PREPAID", grossCents: 15_000, ticket: id };
  const second = world.tree.merchants.mch01.stores[1]!;
  const { quote } = await world.till(second, "quotePrice", { ...sale, storedValueCents: 12_000 });
  const paid = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
  await world.till(second, "createTillOrder", { ...sale, subject: "午餐", quote, ...paid });
  const seen = await figures("mch01");
  expect(seen).toMatchObject({
    rechargeCents: 150_000,
    rechargeBackCents: 0,
    consumedCents: 10_000,
    turnoverCents: 13_000,
    balanceCents: 140_000,
    cardCents: 0,
    membersActive: 1,
  });
  // Each figure is its rows.
  expect((await orders("mch01", { purpose: "1" })).items.map(({ paidCents }) => paidCents).toSorted((a, b) => a - b)).toEqual([
    50_000, 100_000,
  ]);
  expect(await figures("sp01")).toMatchObject({ rechargeCents: 150_000, turnoverCents: 13_000, balanceCents: 140_000 });
  expect(await figures("mch02")).toMatchObject({ rechargeCents: 0, turnoverCents: 0, balanceCents: 0, membersActive: 0 });
  const yesterday = addDays(today(), -1);
  expect(await figures("mch01", { from: yesterday, to: yesterday })).toMatchObject({ rechargeCents: 0, balanceCents: 0, turnoverCents: 0 });
  await world.look((tx) => foldValue(tx));
  expect(await figures("mch01")).toEqual(seen);
  // What stored value paid is no 优惠: in the report, in the list's sums, and in the book.
  const taken = await world.ask("mch01", summarisePayStatisticsRoute, { from: today(), to: today() });
  expect(taken).toMatchObject({ current: { grossCents: 165_000, discountCents: 0, storedCents: 12_000, paidCents: 153_000 } });
  const listed = await world.as("mch01", "summarisePayOrders", { dateOf: "paid", from: today(), to: today() } as never);
  expect(listed).toMatchObject({ grossCents: 165_000, discountCents: 0, storedValueCents: 12_000, paidCents: 153_000 });
  expect(await world.look((tx) => verifyLedger(tx))).toEqual([]);
  await reportsSay(today());

  // 退卡 of the untouched recharge: money and debt go, turnover stays.
  const [untouched] = await world.owner<{ id: string }>("select id from recharges where principal_cents = 50000");
  const asked = { requestId: world.services.ids.uuid(0), rechargeId: untouched!.id, reason: 2 as const, way: 0 as const, note: "停业" };
  await world.call("mch01", askCardRefund, { ...asked, paysCents: 50_000 as never });
  const [waiting] = await world.owner<{ id: string; status: number }>("select id, status from card_refunds");
  expect(waiting).toMatchObject({ status: 0 });
  await world.owner("update card_refunds set asked_by = gen_random_uuid()");
  await world.call("mch01", decideCardRefund, { id: waiting!.id, approve: true });
  await world.settleRefunds();
  expect(await figures("mch01")).toMatchObject({
    rechargeCents: 150_000,
    rechargeBackCents: 50_000,
    balanceCents: 90_000,
    turnoverCents: 13_000,
  });
});
/** 实收, 充值实收 and 营业额 stand apart in the reports, by day, store and in the file; the takings are the money of all purposes. */
async function reportsSay(day: string): Promise<void> {
  const span = { from: addDays(day, -1), to: addDays(day, 1) };
  const [first, second] = world.tree.merchants.mch01.stores;
  const by = async (dimension: "day" | "store" | "merchant" | "channel", more: object = {}) =>
    ((await world.ask("mch01", listPayStatisticsRoute, { ...span, by: dimension, ...more })) as { items: Row[] }).items;
  const whole = { paidCents: 153_000, rechargeCents: 150_000, turnoverCents: 13_000, consumedCents: 10_000, storedCents: 12_000 };
  expect(await by("day")).toMatchObject([{ key: day, ...whole, balanceCents: 140_000 }]);
  // A store that sold stands with what it owes, one that only spent with what it took; nobody owes for the other.
  expect((await by("store")).toSorted((a, b) => b.paidCents - a.paidCents)).toMatchObject([
    { key: first!.id, paidCents: 150_000, rechargeCents: 150_000, turnoverCents: 0, consumedCents: 0, balanceCents: 140_000 },
    { key: second!.id, paidCents: 3_000, rechargeCents: 0, turnoverCents: 13_000, consumedCents: 10_000, balanceCents: 0 },
  ]);
  // Members' value is not told apart by the way of paying; the money is.
  expect((await by("channel")).map(({ turnoverCents, balanceCents }) => [turnoverCents, balanceCents])).toEqual([[null, null]]);
  const summary = await world.ask("mch01", summarisePayStatisticsRoute, { ...span, by: "channel" });
  expect(summary).toMatchObject({ current: { ...whole, balanceCents: 140_000 } });
  // Taken apart, the whole is the same, and so is the span that it is held against.
  const after = { from: addDays(day, 1), to: addDays(day, 1), against: "chosen", beforeFrom: day, beforeTo: day };
  for (const asked of [span, after, { ...span, against: "previous" }, { ...span, storeId: second!.id }]) {
    const { current, before } = (await world.ask("mch01", summarisePayStatisticsRoute, asked)) as Record<"current" | "before", Row>;
    expect(await world.ask("mch01", explainPayStatisticsRoute, asked)).toMatchObject({ current, before });
  }
  expect(await world.ask("mch01", explainPayStatisticsRoute, after)).toMatchObject({ before: { ...whole, balanceCents: 140_000 } });
  // Each figure opens its rows.
  expect((await orders("mch01", { purpose: "1", storeId: first!.id })).items.reduce((sum, { paidCents }) => sum + paidCents, 0)).toBe(
    150_000,
  );
  const series = await world.ask("mch01", getPayStatisticsSeriesRoute, { ...span, step: "day" });
  const { points } = series as { points: { current: Row }[] };
  expect(points.map(({ current }) => [current.rechargeCents, current.turnoverCents, current.balanceCents])).toEqual([
    [0, 0, 0],
    [150_000, 13_000, 140_000],
    [0, 0, 140_000],
  ]);
  // The file says the same.
  const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = 'mch01'");
  const scope = parseScope(user!.scope);
  const rows: Row[] = [];
  await withScope(world.services.pool, scope, async (tx) => {
    for await (const batch of payStatisticsExport.rows(tx, scope, payStatisticsExport.input.parse({ ...span, by: "store" }) as never))
      rows.push(...(batch as unknown as Row[]));
  });
  const total = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  expect([total((row) => row.turnoverCents), total((row) => row.rechargeCents), total((row) => row.balanceCents)]).toEqual([
    13_000, 150_000, 140_000,
  ]);
  // Law 16: what was taken is the money of every order that was paid, whatever it was for.
  const [cash] = await world.owner<{ all: string; sold: string }>(
    "select sum(paid_cents) as all, sum(paid_cents) filter (where purpose <> 0) as sold from pay_orders where paid_at is not null",
  );
  expect([Number(cash!.all), Number(cash!.sold)]).toEqual([whole.paidCents, whole.rechargeCents]);
}
test("who may not see statistics of a merchant gets none", async () => {
  await expect(figures("admin")).rejects.toMatchObject({ status: 403 });
  await expect(figures("agent01")).rejects.toMatchObject({ status: 403 });
});
