import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";

let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterAll(() => world.close());

let n = 0;
const store = () => world.tree.merchants.mch01.stores[0]!;
async function sell(grossCents: number, cashier: 0 | 1, face = false) {
  const tillNo = `S${++n}`;
  await world.till(store(), "createTillOrder", {
    tillNo,
    tradeType: "MICROPAY",
    subject: "午餐",
    grossCents,
    authCode: "130000000000000009",
    cashierCode: store().cashiers[cashier]!.code,
    face,
  });
  return tillNo;
}
async function giveBack(tillNo: string, amountCents: number) {
  const { refundNo } = await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents, reason: "退菜" });
  await world.runJobs();
  world.channel.decide(refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep();
}

test("takings by cashier and method since the last handover, fixed once, for the store and for each cashier apart", async () => {
  const [first, second] = store().cashiers;
  const storeId = store().id;
  expect(await world.as("emp01", "getShift", { storeId })).toMatchObject({
    rows: [],
    lastHandoverId: null,
    fromAt: null,
    lastEntryId: null,
    total: { payCount: 0, netCents: 0 },
  });
  const tillNo = await sell(10_000, 0);
  await sell(2_000, 0, true);
  await sell(3_000, 1);
  await giveBack(tillNo, 4_000);

  const shift = await world.as("emp01", "getShift", { storeId });
  expect(shift.total).toEqual({
    payCount: 3,
    grossCents: 15_000,
    discountCents: 0,
    storedCents: 0,
    paidCents: 15_000,
    feeCents: 38 + 8 + 11 - 15,
    refundCount: 1,
    refundCents: 4_000,
    netCents: 11_000,
    rechargeCents: 0,
    rechargeBackCents: 0,
    cardCents: 0,
    cardBackCents: 0,
  });
  const row = (cashierId: string, tool: number) => shift.rows.find((one) => one.cashierId === cashierId && one.tool === tool);
  expect(row(first!.id, 2)).toMatchObject({
    cashierName: first!.name,
    payMethod: "CARD",
    paidCents: 10_000,
    refundCents: 4_000,
    netCents: 6_000,
  });
  expect(row(first!.id, 6)).toMatchObject({ payMethod: "FACE", paidCents: 2_000 });
  expect(row(second!.id, 2)).toMatchObject({ paidCents: 3_000 });

  const own = await world.as("emp01", "getShift", { storeId, cashierId: second!.id });
  expect(own.total).toMatchObject({ payCount: 1, netCents: 3_000 });
  await world.as("emp01", "handOver", {
    storeId,
    cashierId: second!.id,
    lastHandoverId: null,
    lastEntryId: own.lastEntryId!,
    note: "点清",
  });
  expect((await world.as("emp01", "getShift", { storeId, cashierId: second!.id })).total.payCount).toBe(0);
  expect((await world.as("emp01", "getShift", { storeId })).total.payCount).toBe(3);

  // What comes after the caller looked belongs to the next shift.
  await sell(500, 1);
  const seen = { storeId, lastHandoverId: shift.lastHandoverId, lastEntryId: shift.lastEntryId! };
  const { id } = await world.as("mch01", "handOver", seen);
  await expect(world.as("emp01", "handOver", seen)).rejects.toMatchObject({ status: 409, code: "handover.done" });
  await expect(world.as("emp01", "handOver", { ...seen, lastHandoverId: id })).rejects.toMatchObject({
    status: 409,
    code: "handover.empty",
  });
  expect(await world.as("emp01", "getShift", { storeId })).toMatchObject({ lastHandoverId: id, total: { payCount: 1, paidCents: 500 } });
  const { items } = await world.as("mch01", "listHandovers", { storeId });
  expect(items.find((one) => one.id === id)).toMatchObject({
    storeName: "春熙路店",
    handedByName: "蜀味川菜老板",
    figures: { total: shift.total },
  });
  expect(await world.owner("select 1 from audit_log where title = '交班'")).toHaveLength(2);
});

test("only the staff of the store, its merchant included, see and hand over", async () => {
  const foreign = world.tree.merchants.mch01.stores[2]!;
  const lastEntryId = randomUUID();
  for (const [login, storeId] of [
    ["emp01", foreign.id],
    ["mch02", store().id],
    ["mch03", store().id],
  ] as const) {
    await expect(world.as(login, "getShift", { storeId })).rejects.toMatchObject({ status: 404 });
    await expect(world.as(login, "handOver", { storeId, lastHandoverId: null, lastEntryId })).rejects.toMatchObject({ status: 404 });
  }
  await expect(world.as("emp01", "getShift", { storeId: store().id, cashierId: foreign.cashiers[0]!.id })).rejects.toMatchObject({
    status: 404,
  });
  await expect(world.as("sp01", "handOver", { storeId: store().id, lastHandoverId: null, lastEntryId })).rejects.toMatchObject({
    status: 403,
  });
  expect((await world.as("mch02", "listHandovers", {})).items).toEqual([]);
  expect((await world.as("area01", "listHandovers", {})).items).toHaveLength(2);
});
