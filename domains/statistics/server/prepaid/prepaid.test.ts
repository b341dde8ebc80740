import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { askCardRefund, decideCardRefund } from "../../../stored-value/contract/index.ts";
import { openStoredWorld, type StoredWorld } from "../../../stored-value/server/testing/stored-world.ts";
import { verifyLedger } from "../../../money/server/index.ts";
import { foldValue } from "../../../value-book/server/index.ts";
import { summarisePayStatisticsRoute } from "../reports/summarise-pay-statistics.ts";
import { getPrepaidRoute } from "./get-prepaid.ts";

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
test("who may not see statistics of a merchant gets none", async () => {
  await expect(figures("admin")).rejects.toMatchObject({ status: 403 });
  await expect(figures("agent01")).rejects.toMatchObject({ status: 403 });
});
