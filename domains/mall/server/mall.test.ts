import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import { Refusal, refusalOf } from "@zhangfang/server/calls/errors.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import { callAs } from "@zhangfang/server/testing.ts";
import { signIn, type DemoStore } from "../../../apps/demo/tree/tree.ts";
import { doors } from "../../accounts/server/world-for-tests.ts";
import { checkLines, getImport, listImportRows, runImport, startImport } from "../../imports/contract.ts";
import { importsOver } from "../../imports/server/index.ts";
import type { Settlement } from "../../orders/server/index.ts";
import { openTillWorld, type TillWorld } from "../../orders/server/testing/till-world.ts";
import * as contract from "../contract/index.ts";
import { hearMoney } from "./hear-money.ts";
import { completeMallOrders } from "./receive-mall-order.ts";
import { mall } from "./index.ts";
import { shipmentImport } from "./shipping/import-shipments.ts";

const imports = importsOver([shipmentImport]);
let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld({ above: [mall, imports] });
});
afterAll(() => world.close());

const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
async function as<E extends Endpoint>(login: string | DemoStore, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const route = [...mall.routes, ...imports.routes].find((one) => one.endpoint === (endpoint as Endpoint))!;
  const token = typeof login === "string" ? await signIn(world.services, login) : undefined;
  const device = async (): Promise<Principal> => {
    const at = login as DemoStore;
    return {
      kind: "device",
      id: at.devices[0]!.id,
      name: "商城",
      scope: storeScope(at.serviceProviderId, at.merchantId, at.id),
      holds: () => false,
    };
  };
  return callAs(world.services, { ...doors, device }, route, token, input as object).catch((error: unknown) =>
    Promise.reject(refusalOf(error) ?? error),
  ) as Promise<OutputOf<E>>;
}
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => "went through",
    (error: unknown) => (error instanceof Refusal ? `${error.status} ${error.message}` : Promise.reject(error)),
  );
const LINES = [
  { goodsNo: "G1", name: "火锅底料", quantity: 3, unitCents: 2_000, discountCents: 500 },
  { goodsNo: "G2", name: "豆瓣酱", quantity: 1, unitCents: 1_250 },
];
const RECEIVER = { name: "欧阳小明", phone: "13812345678", area: "四川省成都市锦江区", address: "春熙路 1 号 8 楼" };
function order(mallNo: string, more: object = {}, at = store()) {
  world.services.clock.advance(1_000);
  return as(at, contract.createMallOrder, {
    mallNo,
    lines: LINES,
    deliveryCents: 800,
    buyer: "o-buyer-0000000001",
    receiver: RECEIVER,
    ...more,
  });
}
/** @param free_cents what the channel takes off by itself: a coupon that it does not settle */
async function pay(orderNo: string, free_cents = 0): Promise<void> {
  const { mchId } = world.settings.get(store().merchantId)!.account;
  const coupon = { couponId: "C1", name: "满减券", type: "NOCASH" as const, amount_cents: free_cents, stockId: null };
  const promotions = free_cents > 0 ? [{ ...coupon, channel_cents: 0, merchant_cents: free_cents, other_cents: 0 }] : [];
  const transaction = { ...world.channel.customerPays(orderNo), promotions };
  await world.notify(store().merchantId, world.channel.notice(`E-${orderNo}`, mchId, { transaction }));
}
const find = async (mallNo: string, login = "mch01") => (await as(login, contract.listMallOrders, { keyword: mallNo })).items[0]!;
const details = async (mallNo: string) => as("mch01", contract.getMallOrder, { id: (await find(mallNo)).id });
const closedAt = async (mallNo: string) =>
  (await world.owner<{ closed_at: string | null }>("select closed_at from mall_orders where mall_no = $1", [mallNo]))[0]!.closed_at;
/** News that is told once more: an order's hearers may hear it late. */
async function hear(kind: Settlement["kind"], mallNo: string): Promise<void> {
  const text = "select o.* from pay_orders o join mall_orders m on m.order_id = o.id where m.mall_no = $1";
  const [row] = await world.owner<Settlement["order"]>(text, [mallNo]);
  await world.look((tx) => hearMoney(tx, world.services, { kind, order: row! }));
}
async function settle(refundNo: string): Promise<void> {
  await world.runJobs();
  const { mchId } = world.settings.get(store().merchantId)!.account;
  await world.notify(
    store().merchantId,
    world.channel.notice(`R-${refundNo}`, mchId, { refund: world.channel.decide(refundNo, "success") }),
  );
}

test("an order is its goods and its pay order, both or neither; paid, sent, received", async () => {
  const made = await order("M0001");
  expect(made).toMatchObject({ mallStatus: 0, status: 0, paidCents: 0, friendUrl: null });
  expect(made.codeUrl).toMatch(/^weixin:/);
  expect(await order("M0001")).toMatchObject({ orderNo: made.orderNo });
  expect(await refusal(order("M0001", { deliveryCents: 0 }))).toMatch(/^409/);
  expect(await refusal(order("M0002", { lines: [{ ...LINES[0], discountCents: 6_001 }] }))).toBe("400 优惠不能超过商品金额");
  expect((await as("mch01", contract.listMallOrders, {})).items).toHaveLength(1);

  const { id } = await find("M0001");
  const ship = { id, carrier: "SF" as const, trackingNo: "SF1234567890" };
  expect(await refusal(as("mch01", contract.shipMallOrder, ship))).toMatch(/^409/);
  await pay(made.orderNo);
  expect(await find("M0001")).toMatchObject({
    status: 1,
    goods: "火锅底料 等 2 种",
    quantity: 4,
    goodsCents: 7_250,
    deliveryCents: 800,
    discountCents: 500,
    paidCents: 7_550,
    receiverName: "欧**",
    receiverPhone: "138****5678",
    shippable: true,
    refundable: true,
  });
  expect(await refusal(as(store(), contract.receiveMallOrder, { mallNo: "M0001" }))).toBe("409 商品还没有发货，不能确认收货");
  expect(await as("mch01", contract.shipMallOrder, ship)).toEqual({ status: 2 });
  // Another number while it is on its way; the moment of the sending stays.
  world.services.clock.advance(60_000);
  await as("mch01", contract.shipMallOrder, { ...ship, trackingNo: "SF9" + "0".repeat(9) });
  expect(await as(store(), contract.receiveMallOrder, { mallNo: "M0001" })).toMatchObject({ mallStatus: 3, trackingNo: "SF9000000000" });
  expect(await as(store(), contract.receiveMallOrder, { mallNo: "M0001" })).toMatchObject({ mallStatus: 3 });
  expect(await refusal(as("mch01", contract.shipMallOrder, ship))).toMatch(/^409/);
});

test("a line gives back no more than it holds, whoever asks at once, and the parts sum to what was paid", async () => {
  const made = await order("M0010");
  await pay(made.orderNo);
  const { id, lines } = await details("M0010");
  expect(lines.map(({ name, amountCents, leftCents }) => [name, amountCents, leftCents])).toEqual([
    ["火锅底料", 5_500, 5_500],
    ["豆瓣酱", 1_250, 1_250],
    ["运费", 800, 800],
  ]);
  expect(lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(7_550);
  const ask = (lineId: string, amountCents: number) =>
    as("mch01", contract.refundMallLines, { requestId: randomUUID(), id, lines: [{ lineId, amountCents }], reason: "缺货" });
  const [goods, sauce] = lines;
  expect(await refusal(ask(goods!.id, 5_501))).toBe("400 「火锅底料」最多可退 55.00 元");
  expect(await refusal(ask(randomUUID(), 1))).toMatch(/^404/);
  const asked = await Promise.all(Array.from({ length: 6 }, () => refusal(ask(sauce!.id, 1_000))));
  expect(asked.filter((one) => one === "went through")).toHaveLength(1);
  expect(asked.filter((one) => one.startsWith("400 「豆瓣酱」最多可退 2.50 元"))).toHaveLength(5);
  expect((await details("M0010")).lines.map(({ takenCents, leftCents }) => [takenCents, leftCents])).toEqual([
    [0, 5_500],
    [1_000, 250],
    [0, 800],
  ]);
  // The pay order's own refund has the last word, too.
  const { orderId } = await find("M0010");
  await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents: 6_000, reason: "整单" });
  expect(await refusal(ask(goods!.id, 5_500))).toBe("400 最多可退 5.50 元");
  expect(await world.verify()).toEqual([]);
});

test("a failed refund holds its line until it is sent again, all of it back closes the order", async () => {
  const made = await order("M0020");
  await pay(made.orderNo);
  const { id, lines } = await details("M0020");
  const whole = lines.map(({ id: lineId, amountCents }) => ({ lineId, amountCents }));
  await world.runJobs();
  world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
  const failed = await as("mch01", contract.refundMallLines, { requestId: randomUUID(), id, lines: whole, reason: "不要了" });
  await world.runJobs();
  expect((await as("mch01", contract.getMallRefund, { id: failed.refundId })).status).toBe(3);
  expect((await details("M0020")).lines.every(({ leftCents }) => leftCents === 0)).toBe(true);
  await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed.refundId });
  await settle(failed.refundNo);
  expect(await find("M0020")).toMatchObject({ status: 4, payStatus: 3, refundedCents: 7_550, refundable: false, shippable: false });
  const [row] = (await as("sp01", contract.listMallRefunds, { keyword: "M0020" })).items;
  expect(row).toMatchObject({ mallNo: "M0020", refundNo: failed.refundNo, status: 2, amountCents: 7_550, goods: "火锅底料 等 2 种" });
  const detail = await as("mch01", contract.getMallRefund, { id: failed.refundId });
  expect(detail.lines.map(({ name, amountCents }) => [name, amountCents])).toEqual([
    ["火锅底料", 5_500],
    ["豆瓣酱", 1_250],
    ["运费", 800],
  ]);
});

/** Two lines of 50.00 of which the channel took 10.00 off, and how to refund a part of one. */
async function couponOrder(mallNo: string) {
  const line = (goodsNo: string, unitCents: number) => ({ goodsNo, name: goodsNo, quantity: 1, unitCents });
  const made = await order(mallNo, { lines: [line("A", 5_000), line("B", 5_000)], deliveryCents: 0 });
  await pay(made.orderNo, 1_000);
  const { id, lines } = await details(mallNo);
  const back = (n: number, amountCents: number) =>
    as("mch01", contract.refundMallLines, { requestId: randomUUID(), id, lines: [{ lineId: lines[n]!.id, amountCents }], reason: "缺货" });
  return { ...made, back };
}
const moneyOf = async (refundId: string) => Number((await as("mch01", contract.getMallRefund, { id: refundId })).amountCents);

test("where the channel took a free coupon off, a failed refund's money stays its own whatever else of the order goes back", async () => {
  for (const parts of [[5_000], [3_333, 1_667]]) {
    const made = await couponOrder(`M0021-${parts.length}`);
    await world.runJobs();
    world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
    const failed = await made.back(0, 5_000);
    await world.runJobs();
    expect((await as("mch01", contract.getMallRefund, { id: failed.refundId })).status).toBe(3);
    let other = 0;
    for (const part of parts) {
      const refund = await made.back(1, part);
      other += await moneyOf(refund.refundId);
      await settle(refund.refundNo);
    }
    expect([other, await moneyOf(failed.refundId)]).toEqual([4_500, 4_500]);
    await world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed.refundId });
    await settle(failed.refundNo);
    expect(await find(`M0021-${parts.length}`)).toMatchObject({ status: 4, payStatus: 3, refundedCents: 9_000 });
  }
  expect(await world.verify()).toEqual([]);
});

test("a line that failed and was then refunded at the pay order keeps no other line from going back", async () => {
  const made = await couponOrder("M0023");
  await world.runJobs();
  world.channel.fail("refund", { refuse: "NOT_ENOUGH" });
  await made.back(0, 5_000);
  await world.runJobs();
  const { id, orderId } = await find("M0023");
  const direct = await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents: 4_500, reason: "整单" });
  await settle(direct.refundNo);
  const lineId = (await details("M0023")).lines[1]!.id;
  const preview = await as("mch01", contract.previewMallRefund, { id, lines: [{ lineId, amountCents: 5_000 }] });
  expect(preview).toMatchObject({ payerCents: 4_500, refundableAfterCents: 0, refusal: null });
  const refund = await made.back(1, 5_000);
  expect(await moneyOf(refund.refundId)).toBe(4_500);
  await settle(refund.refundNo);
  expect(await find("M0023")).toMatchObject({ payStatus: 3, refundedCents: 9_000 });
  expect(await world.verify()).toEqual([]);
});

test("goods that were received stay received when all of the money goes back, and the refund settles", async () => {
  const made = await order("M0026");
  await pay(made.orderNo);
  const { id, orderId } = await find("M0026");
  await as("mch01", contract.shipMallOrder, { id, carrier: "SF", trackingNo: "SF1234567890" });
  await as(store(), contract.receiveMallOrder, { mallNo: "M0026" });
  const refund = await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents: 7_550, reason: "整单" });
  await settle(refund.refundNo);
  await hear("payment", "M0026");
  expect(await find("M0026")).toMatchObject({ status: 3, payStatus: 3, refundedCents: 7_550 });
  expect(await world.owner("select hearer, failure from unheard where order_id = $1", [orderId])).toEqual([]);
  expect(await world.verify()).toEqual([]);
});

test("before lines go back it is said what they are worth and for whom, as it then happens", async () => {
  const made = await couponOrder("M0024");
  const { id, lines } = await details("M0024");
  const ask = (amountCents: number, login = "mch01") =>
    as(login, contract.previewMallRefund, { id, lines: [{ lineId: lines[0]!.id, amountCents }] });
  const preview = await ask(3_333);
  expect(preview).toMatchObject({ payerCents: 3_000, refundableAfterCents: 6_000, refusal: null });
  expect(preview.merchantPaysCents).toBe(3_000 - preview.feeBackCents);
  expect(await refusal(ask(5_001))).toBe("400 「A」最多可退 50.00 元");
  expect(await refusal(ask(1, "mch02"))).toMatch(/^404/);
  const refund = await made.back(0, 3_333);
  expect(await as("mch01", contract.getMallRefund, { id: refund.refundId })).toMatchObject({
    amountCents: preview.payerCents,
    feeCents: preview.feeBackCents,
  });
});

test("what goods sold and gave back adds up to the book where the channel took a free coupon off, also made anew", async () => {
  const odd = await order("M0022", { lines: [...LINES, { goodsNo: "G3", name: "赠品", quantity: 2, unitCents: 100, discountCents: 200 }] });
  await pay(odd.orderNo, 1_001);
  const { id, lines } = await details("M0022");
  const asked = [lines[0]!, lines[1]!].map(({ id: lineId }, n) => ({ lineId, amountCents: [1_111, 333][n]! }));
  const refund = await as("mch01", contract.refundMallLines, { requestId: randomUUID(), id, lines: asked, reason: "缺货" });
  await settle(refund.refundNo);
  const told = () =>
    world.owner<Record<string, number | string>>(
      `select g.goods_no, g.gross_cents::int as gross, g.discount_cents::int as off, g.paid_cents::int as paid, g.fee_cents::int as fee, g.refund_cents::int as back
       from takings_goods g join ledger_entries e on e.id = g.entry_id join pay_orders o on o.id = e.order_id where o.order_no = $1 order by g.refund_count, g.goods_no`,
      [odd.orderNo],
    );
  const figures = await told();
  // 75.50 by the lines, 65.49 settled; of 14.44 that go back, 12.53 are money.
  expect(figures.map(({ goods_no, gross, off, paid, back }) => [goods_no, gross, off, paid, back])).toEqual([
    ["", 800, 106, 694, 0],
    ["G1", 6_000, 1_229, 4_771, 0],
    ["G2", 1_250, 166, 1_084, 0],
    ["G3", 200, 200, 0, 0],
    ["G1", 0, 0, 0, 964],
    ["G2", 0, 0, 0, 289],
  ]);
  const [entry] = await world.owner(
    "select gross_cents::int as gross, discount_cents::int as off, paid_cents::int as paid, fee_cents::int as fee from pay_orders where order_no = $1",
    [odd.orderNo],
  );
  const sum = (key: string) => figures.reduce((all, row) => all + Number(row[key]), 0);
  expect({ gross: sum("gross"), off: sum("off"), paid: sum("paid"), fee: sum("fee") }).toEqual(entry);
  expect(sum("back")).toBe(await moneyOf(refund.refundId));
  expect(await world.verify()).toEqual([]);
  // The lists say the same of these goods.
  const product = `${store().merchantId}/G1`;
  expect((await as("mch01", contract.summariseMallOrders, { keyword: "M0022", product })).goods).toMatchObject({
    paidCents: 4_771,
    discountCents: 1_229,
  });
  expect((await as("mch01", contract.summariseMallRefunds, { keyword: "M0022", product })).goods).toMatchObject({ doneCents: 964 });
  await world.owner("select upkeep.rebuild_goods()");
  expect(await told()).toEqual(figures);
  expect(await world.verify()).toEqual([]);
});

test("a part back closes nothing, all of it back closes what was sent, and news that is told again starts nothing anew", async () => {
  const [sent, waiting] = [await order("M0027"), await order("M0028")];
  for (const { orderNo } of [sent, waiting]) await pay(orderNo);
  await as("mch01", contract.shipMallOrder, { id: (await find("M0027")).id, carrier: "SF", trackingNo: "SF1234567890" });
  await hear("payment", "M0027");
  expect(await find("M0027")).toMatchObject({ status: 2 });
  const refund = async (mallNo: string, amountCents: number) => {
    const { orderId } = await find(mallNo);
    await settle((await world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents, reason: "缺货" })).refundNo);
  };
  await refund("M0027", 7_550);
  expect(await find("M0027")).toMatchObject({ status: 4, payStatus: 3 });
  expect(await closedAt("M0027")).not.toBeNull();
  // While another order's money is all back.
  await refund("M0028", 1_000);
  expect(await find("M0028")).toMatchObject({ status: 1, payStatus: 2, refundedCents: 1_000 });
});

test("an unpaid order is closed with its pay order, alone; money that comes late opens it again", async () => {
  const made = await order("M0030", { minutes: 5 });
  await order("M0031", { minutes: 60 });
  world.services.clock.advance(5 * 60_000 + 1_000);
  await world.sweep();
  expect(await find("M0030")).toMatchObject({ status: 4, payStatus: 1 });
  expect([(await find("M0031")).status, (await closedAt("M0030")) === null]).toEqual([0, false]);
  const trade = world.channel.trades.get(made.orderNo)!;
  Object.assign(trade, {
    state: "SUCCESS",
    transactionId: "4200000000000000000000009999",
    paidAt: new Date(world.services.clock.now_ms()).toISOString(),
  });
  await pay(made.orderNo);
  expect(await find("M0030")).toMatchObject({ status: 1, payStatus: 2, paidCents: 7_550 });
  expect(await closedAt("M0030")).toBeNull();
  await hear("closed", "M0030");
  expect(await find("M0030")).toMatchObject({ status: 1 });
});

test("a friend may pay it; what was sent ten days ago counts as received", async () => {
  const made = await order("M0040", { friend: { ordererName: "小王" } });
  expect(made.friendUrl).toMatch(/\/friend\/[\w-]{44}$/);
  await pay(made.orderNo);
  const { id } = await find("M0040");
  await as("mch01", contract.shipMallOrder, { id, carrier: "ZTO", trackingNo: "ZT001" });
  world.services.clock.advance(11 * 86_400_000);
  await completeMallOrders.run(world.services, {});
  expect(await find("M0040")).toMatchObject({ status: 3 });
});

test("a receiver is masked everywhere, opened by who may, and each look is in the record", async () => {
  const { id } = await find("M0001");
  expect(JSON.stringify(await as("mch01", contract.listMallOrders, {})) + JSON.stringify(await details("M0001"))).not.toMatch(
    /13812345678|欧阳小明|春熙路 1 号/,
  );
  const [sealed] = await world.owner<{ row: string }>("select row_to_json(m)::text as row from mall_orders m where mall_no = 'M0001'");
  expect(sealed!.row).not.toMatch(/13812345678|欧阳小明|春熙路 1 号/);
  expect(await as("mch01", contract.revealReceiver, { id })).toEqual(RECEIVER);
  const trail = await world.owner<{ row: string }>("select row_to_json(a)::text as row from audit_log a order by a.at desc limit 1");
  expect(trail[0]!.row).toContain("M0001");
  expect(trail[0]!.row).not.toMatch(/13812345678|欧阳小明/);
  for (const login of ["mch02", "sp02", "mch03"]) expect(await refusal(as(login, contract.revealReceiver, { id }))).toMatch(/^404/);
  expect(await refusal(as("admin", contract.revealReceiver, { id }))).toMatch(/^403/);
});

test("list, sums and export share one filter", async () => {
  for (const filter of [{}, { status: 3 as const }, { carrier: "SF" as const }, { minCents: 1, maxCents: 7_550 }]) {
    const list = await as("sp01", contract.listMallOrders, { ...filter, pageSize: 100, withTotal: true });
    const sums = await as("sp01", contract.summariseMallOrders, filter);
    expect([sums.count, sums.paidCents]).toEqual([list.total!.count, list.items.reduce((sum, { paidCents }) => sum + paidCents, 0)]);
  }
  const refunds = await as("mch01", contract.summariseMallRefunds, {});
  expect(refunds.count).toBe((await as("mch01", contract.listMallRefunds, { pageSize: 100 })).items.length);
  expect((await as("mch02", contract.listMallOrders, {})).items).toEqual([]);
});

test("a sheet sends orders: what is wrong is named by its column, nothing is sent before it is run, and the same sheet again sends nothing", async () => {
  const paidOrder = async (mallNo: string, at = store()) => {
    const made = await order(mallNo, {}, at);
    await pay(made.orderNo);
    return made;
  };
  await paidOrder("S0001");
  const twice = [await paidOrder("S0002"), await paidOrder("S0002", store(1))];
  await order("S0003");
  const sent = await paidOrder("S0004");
  await as("mch01", contract.shipMallOrder, { id: (await find("S0004")).id, carrier: "JD", trackingNo: "JD004" });
  const upload = async (login: string, sheet: readonly (readonly [number: string, carrier: string, trackingNo: string])[]) => {
    const { id } = await as(login, startImport, { requestId: randomUUID(), source: "mall-shipments", fileName: "发货.xlsx" });
    const lines = sheet.map(([number, carrier, trackingNo], at) => ({
      line: at + 2,
      cells: JSON.stringify({ number, carrier, trackingNo }),
    }));
    await as(login, checkLines, { id, lines });
    return id;
  };
  const sheet = [
    ["S0001", "顺丰", "SF0000000001"],
    ["S0002", "ZTO", "ZT0002"],
    [twice[0]!.orderNo, "中通快递", "ZT0003"],
    [twice[1]!.orderNo, "zto", "ZT0004"],
    ["S0003", "顺丰速运", "SF0005"],
    ["S0004", "京东物流", "JD004"],
    [sent.orderNo, "京东物流", "JD005"],
    ["S9999", "圆通", "YT0001"],
    ["S0001 ", "飞鸽", "??"],
  ] as const;
  const id = await upload("mch01", sheet);
  expect(await find("S0001")).toMatchObject({ status: 1 });
  const bad = (await as("mch01", listImportRows, { importId: id, status: 0, pageSize: 50 })).items;
  expect(bad.map(({ line, errors }) => [line, Object.keys(errors)])).toEqual([
    [3, ["number"]],
    [6, ["number"]],
    [8, ["trackingNo"]],
    [9, ["number"]],
    [10, expect.arrayContaining(["number", "carrier", "trackingNo"])],
  ]);
  expect([bad[0]?.errors, bad[1]?.errors, bad[3]?.errors, bad[2]?.errors]).toEqual([
    { number: "多家门店有这个单号，请填支付单号" },
    { number: "订单还没有付款" },
    { number: "没有这个商城订单" },
    { trackingNo: "已发货（京东物流 JD004），修改请在订单里操作" },
  ]);
  await as("mch01", runImport, { id });
  await world.runJobs();
  expect((await as("mch01", getImport, { id })).counts).toMatchObject({ made: 3, ready: 0 });
  expect(await find("S0001")).toMatchObject({ status: 2, carrier: "SF", trackingNo: "SF0000000001" });
  expect(await find(twice[1]!.orderNo)).toMatchObject({ status: 2, carrier: "ZTO", trackingNo: "ZT0004" });
  // Once more, and as somebody else: nothing is sent, and nobody learns of another's orders.
  const again = await upload("mch01", [sheet[0], sheet[2], sheet[3], sheet[5]]);
  expect((await as("mch01", getImport, { id: again })).counts).toEqual({ bad: 0, ready: 0, made: 0, there: 4, total: 4 });
  const other = await upload("mch02", [sheet[0]]);
  expect((await as("mch02", listImportRows, { importId: other, pageSize: 10 })).items[0]?.errors).toEqual({ number: "没有这个商城订单" });
  const records = await world.owner("select 1 from audit_log where target_kind = 'mall_order' and target_id = $1 and endpoint like $2", [
    (await find("S0001")).id,
    `%${runImport.path}`,
  ]);
  expect(records).toHaveLength(1);
});
