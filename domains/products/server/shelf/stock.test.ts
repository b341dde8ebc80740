import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { addProduct, getShelf, getShelfItem, moveStock, removeProduct, returnGoods, setWarning } from "../../contract/index.ts";
import { products } from "../index.ts";
import { verifyProducts } from "../verify-products.ts";
import { unitsGivenBack } from "./return-rules.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld({ above: [products] })));
afterEach(() => world.channel.forget());
afterAll(async () => {
  expect(await world.look(verifyProducts)).toEqual([]);
  await world.close();
});

const PAYS = "130000000000000002";
const as = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(
    login,
    products.routes.find((one) => one.endpoint === (endpoint as Endpoint))!,
    input as object,
  ) as Promise<OutputOf<E>>;
const refusal = async (asked: Promise<unknown>): Promise<Refusal> => {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("was not refused");
};
const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
let n = 0;
const make = async (units?: number) => {
  const skuNo = `S${++n}`;
  const { id } = await as("mch01", addProduct, { requestId: randomUUID(), name: `库存${n}`, skus: [{ skuNo, priceCents: 1000 }] } as never);
  if (units !== undefined) await act(id, "start", units);
  return { id, skuNo };
};
const act = (skuId: string, what: InputOf<typeof moveStock>["act"], units = 0, more: object = {}) =>
  as("mch01", moveStock, { requestId: randomUUID(), storeId: store().id, skuId, act: what, units, ...more });
const item = (id: string, at = store()) => as("mch01", getShelfItem, { id, storeId: at.id });
const sell = async (lines: readonly (readonly [skuNo: string, units: number])[], at = store()) => {
  const goods = lines.map(([sku, units], place) => ({ place: place + 1, sku, name: "商品", units, unitCents: 1000 }));
  const { quote } = await world.till(at, "quotePrice", { tillNo: "Q", lines: goods });
  const grossCents = lines.reduce((sum, [, units]) => sum + units * 1000, 0);
  const tillNo = `ST${++n}`;
  await world.till(at, "createTillOrder", {
    tillNo,
    tradeType: "MICROPAY",
    subject: "商品",
    grossCents: grossCents as never,
    authCode: PAYS,
    lines: goods,
    quote,
  } as never);
  const [order] = await world.owner<{ id: string; order_no: string }>("select id, order_no from pay_orders where till_no = $1", [tillNo]);
  return { ...order!, tillNo, grossCents };
};
const refund = async ({ tillNo }: { tillNo: string }, amountCents: number) => {
  const asked = await world.till(store(), "refundTillOrder", {
    requestId: randomUUID(),
    tillNo,
    amountCents: amountCents as never,
    reason: "退货",
  });
  await world.runJobs();
  world.channel.decide(asked.refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
};

test("what a till sells is off its store's shelf once, also below zero, which is told; another store's shelf is another", async () => {
  const counted = await make(3);
  const plain = await make();
  const stopped = await make(4);
  await act(stopped.id, "stop");
  await act(counted.id, "start", 9, { storeId: store(1).id });
  await as("mch01", setWarning, { storeId: store().id, skuId: counted.id, warnBelow: 1 });
  const order = await sell([
    [counted.skuNo, 2],
    [plain.skuNo, 5],
    ["NOBODY", 1],
    [counted.skuNo, 1],
    [stopped.skuNo, 1],
  ]);
  expect(await item(counted.id)).toMatchObject({ stock: 0, stockState: "low" });
  const [last, before] = (await item(counted.id)).moves;
  expect([last, before]).toMatchObject([
    { cause: 4, orderNo: order.order_no, after: 0 },
    { cause: 4, orderNo: order.order_no, after: 3 + before!.units },
  ]);
  expect(await item(plain.id)).toMatchObject({ stock: null, moves: [] });
  expect((await item(stopped.id)).moves.map(({ cause }) => cause)).toEqual([6, 0]);
  await sell([[counted.skuNo, 2]]);
  expect(await item(counted.id)).toMatchObject({ stock: -2, stockState: "below" });
  expect(await item(counted.id, store(1))).toMatchObject({ stock: 9 });
  await sell([[counted.skuNo, 2]], store(1));
  expect([(await item(counted.id)).stock, (await item(counted.id, store(1))).stock]).toEqual([-2, 7]);
  const told = await world.owner<{ title: string }>("select distinct title from messages where kind = 'stockLow' order by 1");
  expect(told.map(({ title }) => title)).toEqual([
    `「库存${counted.skuNo.slice(1)}」库存剩 0 件`,
    `「库存${counted.skuNo.slice(1)}」负库存：-2 件`,
  ]);
});

test("the mark is told by the sale that comes to it, and by no other", async () => {
  const { id, skuNo } = await make(4);
  await as("mch01", setWarning, { storeId: store().id, skuId: id, warnBelow: 2 });
  for (const stock of [3, 2, 1]) {
    await sell([[skuNo, 1]]);
    expect(await item(id)).toMatchObject({ stock });
  }
  const name = `「库存${skuNo.slice(1)}」`;
  expect(await world.owner("select distinct title from messages where kind = 'stockLow' and starts_with(title, $1)", [name])).toEqual([
    { title: `${name}库存剩 2 件` },
  ]);
});

test("many tills that sell the same goods at once take each unit once", async () => {
  const [one, other] = [await make(50), await make(50)];
  await Promise.all(
    Array.from({ length: 10 }, (_none, at) =>
      sell(
        at % 2 === 0
          ? [
              [one.skuNo, 1],
              [other.skuNo, 2],
            ]
          : [
              [other.skuNo, 2],
              [one.skuNo, 1],
            ],
      ),
    ),
  );
  await world.runJobs();
  expect([(await item(one.id)).stock, (await item(other.id)).stock]).toEqual([40, 30]);
});

test("by hand: in, out, counted, and no more out than there is; the same request is one move", async () => {
  const { id } = await make(5);
  expect(await act(id, "in", 10)).toEqual({ stock: 15 });
  expect(await act(id, "out", 6, { note: "报损" })).toEqual({ stock: 9 });
  expect((await refusal(act(id, "out", 10))).fields).toEqual({ units: "可出库 9 件" });
  expect((await refusal(act(id, "in", 0))).fields).toEqual({ units: "数量须大于 0" });
  expect(await act(id, "count", 4)).toEqual({ stock: 4 });
  const requestId = randomUUID();
  expect(await act(id, "in", 1, { requestId })).toEqual({ stock: 5 });
  expect(await act(id, "in", 1, { requestId })).toEqual({ stock: 5 });
  expect((await refusal(act(id, "start", 1))).status).toBe(409);
  expect(await act(id, "stop")).toEqual({ stock: null });
  expect((await refusal(act(id, "in", 1))).status).toBe(409);
  expect((await item(id)).moves.map(({ units }) => units)).toEqual([-5, 1, -5, -6, 10, 5]);
  expect(await act(id, "start", 2)).toEqual({ stock: 2 });
});

test("a store's people count their own shelf and no other's", async () => {
  const { id } = await make();
  const move = (login: string, storeId: string) =>
    as(login, moveStock, { requestId: randomUUID(), storeId, skuId: id, act: "start", units: 1 });
  expect(await move("emp01", store().id)).toEqual({ stock: 1 });
  expect((await refusal(move("emp01", store(1).id))).status).toBe(404);
  expect((await refusal(move("mch02", store().id))).status).toBe(404);
  expect((await as("emp01", getShelf, { storeId: store(1).id })).items).toEqual([]);
  expect((await as("emp01", getShelf, { stock: "enough" })).items.map((row) => row.id)).toContain(id);
});

test("goods come back to the shelf when somebody takes them in, no more than were sold and refunded", async () => {
  const { id, skuNo } = await make(10);
  const order = await sell([[skuNo, 4]]);
  const back = (units: number, more: object = {}) =>
    as("mch01", returnGoods, { requestId: randomUUID(), storeId: store().id, skuId: id, orderNo: order.order_no, units, ...more });
  expect((await refusal(back(1))).fields).toEqual({ units: "这笔订单没有可以退货的件数，请先退款" });
  await refund(order, 2_500);
  expect(await item(id)).toMatchObject({ stock: 6 });
  expect((await refusal(back(3))).fields).toEqual({ units: "这笔订单最多还可退货 2 件" });
  const both = await Promise.allSettled([back(2), back(2)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await item(id)).toMatchObject({ stock: 8 });
  await refund(order, 1_500);
  expect(await back(2)).toEqual({ stock: 10 });
  expect((await refusal(back(1))).status).toBe(400);
  expect((await refusal(back(1, { orderNo: "NOBODY" }))).fields).toEqual({ orderNo: "本店没有这笔订单，或订单里没有这个商品" });
  expect((await refusal(back(1, { storeId: store(1).id }))).status).toBe(409);
});

test("what went back to a member's balance pays for goods that come back too", async () => {
  const { id, skuNo } = await make(10);
  const order = await sell([[skuNo, 4]]);
  await refund(order, 500);
  // As of an order half of which was paid by stored value.
  await world.owner("update refunds set gift_cents = 500, value_cents = 1000 where order_id = $1", [order.id]);
  const back = { requestId: randomUUID(), storeId: store().id, skuId: id, orderNo: order.order_no, units: 1 };
  expect(await as("mch01", returnGoods, back)).toEqual({ stock: 7 });
});

test("goods that are deleted keep their moves and sell no more", async () => {
  const { id, skuNo } = await make(5);
  await as("mch01", removeProduct, { id });
  await sell([[skuNo, 1]]);
  expect((await refusal(item(id))).status).toBe(404);
});

test.each([
  ["everything of an order in full", [{ units: 3, net_cents: 3000, back_units: 0 }], true, 0, 3],
  ["the units that were named", [{ units: 3, net_cents: 3000, back_units: 2 }], false, 0, 2],
  ["as many whole units as an amount pays", [{ units: 3, net_cents: 3000, back_units: 0 }], false, 1999, 1],
  [
    "an amount over two lines",
    [
      { units: 1, net_cents: 1000, back_units: 0 },
      { units: 2, net_cents: 1000, back_units: 0 },
    ],
    false,
    1500,
    2,
  ],
  ["all that an amount pays to the cent", [{ units: 7, net_cents: 58, back_units: 0 }], false, 58, 7],
  ["not one more than a cent less pays", [{ units: 7, net_cents: 58, back_units: 0 }], false, 57, 6],
  ["nothing for a gift", [{ units: 2, net_cents: 0, back_units: 0 }], false, 500, 0],
  ["no more than was sold", [{ units: 1, net_cents: 1000, back_units: 1 }], false, 5000, 1],
] as const)("what may come back: %s", (_what, lines, full, loose_cents, units) => {
  expect(unitsGivenBack(lines, { full, loose_cents })).toBe(units);
});
