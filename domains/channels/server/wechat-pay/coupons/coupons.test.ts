import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ChannelAccount } from "../../channel.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../simulator-for-tests.ts";
import type { StockOrder } from "../../types/coupons.ts";
import { carryThrough } from "./coupon-channel.ts";

let simulator: TestSimulator;
let account: ChannelAccount;
const { busifavor, favor } = carryThrough(testTransport);
beforeAll(async () => {
  simulator = await startSimulator(1_000);
  account = await simulator.register({ mode: "partner" });
});
afterEach(() => simulator.control("DELETE faults"));
afterAll(() => simulator.stop());

const order = (more: Partial<StockOrder> = {}): StockOrder => ({
  outRequestNo: randomUUID(),
  name: "午市满减",
  goodsName: "全场商品",
  description: "每单满 80 减 20",
  worth: { type: "NORMAL", off_cents: 2_000 },
  min_cents: 8_000,
  from: "2026-01-01T00:00:00+08:00",
  to: "2026-03-01T00:00:00+08:00",
  days: { wait: 1, count: 7 },
  weekdays: [1, 2],
  windows: [{ from_s: 0, to_s: 86_399 }],
  total: 100,
  perPerson: 2,
  perDay: null,
  ...more,
});
async function batch(channel = busifavor, more: Partial<StockOrder> = {}): Promise<string> {
  const made = await channel.createStock(account, order(more));
  if (made.kind !== "ok") throw new Error(JSON.stringify(made));
  return made.value.stockId;
}
const step = (stockId: string, code: string) => ({ stockId, code, requestNo: randomUUID(), at: "2026-01-05T12:00:00+08:00" });

test("the same request is the same batch, and another content under its number is refused", async () => {
  const asked = order();
  const [one, two] = [await busifavor.createStock(account, asked), await busifavor.createStock(account, asked)];
  expect(two).toEqual(one);
  expect(one).toMatchObject({ kind: "ok" });
  expect(await busifavor.createStock(account, { ...asked, total: 99 })).toMatchObject({ kind: "refused", code: "INVALID_REQUEST" });
  for (const worth of [
    { type: "DISCOUNT", percent: 88 },
    { type: "EXCHANGE", price_cents: 990 },
  ] as const)
    expect(await busifavor.createStock(account, order({ worth, days: null, weekdays: [], windows: [], min_cents: 0 }))).toMatchObject({
      kind: "ok",
    });
});

test("a code is uploaded once, used, given back and made void, each step under its own number", async () => {
  const stockId = await batch();
  const upload = (codes: readonly string[]) => busifavor.codes(account, { stockId, requestNo: randomUUID(), codes });
  expect(await upload(["0000000001", "0000000002"])).toEqual({
    kind: "ok",
    value: { taken: ["0000000001", "0000000002"], failed: {} },
  });
  expect(await upload(["0000000002", "坏"])).toMatchObject({
    kind: "ok",
    value: { taken: ["0000000002"], failed: { 坏: expect.any(String) } },
  });
  const at = (code: string) => busifavor.query(account, { stockId, code });
  expect(await at("0000000001")).toEqual({ kind: "ok", value: { state: "UPLOADED" } });
  expect(await at("0000000009")).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
  const using = step(stockId, "0000000001");
  expect(await busifavor.use(account, using)).toEqual({ kind: "ok", value: null });
  expect(await busifavor.use(account, using)).toEqual({ kind: "ok", value: null });
  expect(await busifavor.use(account, step(stockId, "0000000001"))).toMatchObject({ kind: "refused" });
  expect(await at("0000000001")).toEqual({ kind: "ok", value: { state: "USED" } });
  expect(await busifavor.deactivate(account, { ...step(stockId, "0000000001"), reason: "发错了" })).toMatchObject({ kind: "refused" });
  expect(await busifavor.giveBack(account, step(stockId, "0000000001"))).toEqual({ kind: "ok", value: null });
  expect(await busifavor.deactivate(account, { ...step(stockId, "0000000001"), reason: "发错了" })).toEqual({ kind: "ok", value: null });
  expect(await at("0000000001")).toEqual({ kind: "ok", value: { state: "DEACTIVATED" } });
  const late = { ...step(stockId, "0000000002"), at: "2026-03-02T00:00:00+08:00" };
  expect(await busifavor.use(account, late)).toMatchObject({ kind: "refused" });
});

test("a batch's number is changed where it is the one that was seen", async () => {
  const stockId = await batch();
  const change = (from: number, to: number) => busifavor.changeBudget(account, { stockId, requestNo: randomUUID(), from, to });
  expect(await change(99, 120)).toMatchObject({ kind: "refused" });
  expect(await change(100, 120)).toEqual({ kind: "ok", value: { total: 120 } });
  expect(await busifavor.verify(account, stockId)).toEqual({ kind: "ok", value: { state: "running", total: 120, sent: 0, codes: 0 } });
  expect(await busifavor.steer(account, stockId, "pause")).toMatchObject({ kind: "refused", code: "UNSUPPORTED" });
});

test("代金券 is started, paused and goes on, and has nothing to do with codes", async () => {
  const stockId = await batch(favor, { days: null, weekdays: [], windows: [] });
  const state = async () => (await favor.verify(account, stockId)) as { value: { state: string } };
  expect((await state()).value).toEqual({ state: "waiting", total: 100, sent: 0, codes: null });
  for (const [act, to] of [
    ["start", "running"],
    ["pause", "paused"],
    ["restart", "running"],
  ] as const) {
    expect(await favor.steer(account, stockId, act)).toEqual({ kind: "ok", value: null });
    expect((await state()).value.state).toBe(to);
  }
  expect(await favor.codes(account, { stockId, requestNo: "1", codes: ["1"] })).toMatchObject({ code: "UNSUPPORTED" });
  expect(await favor.createStock(account, order({ from: "2026-01-01T00:00:00+08:00", to: "2026-05-01T00:00:00+08:00" }))).toMatchObject({
    kind: "refused",
  });
});

test("what was done without an answer is unknown, and a forged answer is none", async () => {
  const stockId = await batch();
  await busifavor.codes(account, { stockId, requestNo: "U1", codes: ["0000000003"] });
  for (const kind of ["lost-reply", "error-500-done", "forged-answer", "unsigned-answer", "garbled-answer"]) {
    await simulator.control("POST faults", { kind, operation: "query-code" });
    expect(await busifavor.query(account, { stockId, code: "0000000003" })).toMatchObject({ kind: "unknown" });
  }
  await simulator.control("POST faults", { kind: "lost-reply", operation: "coupon-use" });
  expect(await busifavor.use(account, step(stockId, "0000000003"))).toMatchObject({ kind: "unknown" });
  await simulator.restart();
  expect(await busifavor.query({ ...account, baseUrl: simulator.url }, { stockId, code: "0000000003" })).toEqual({
    kind: "ok",
    value: { state: "USED" },
  });
  account = { ...account, baseUrl: simulator.url };
});
