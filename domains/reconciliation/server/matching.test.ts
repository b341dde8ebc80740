import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { reconDayExport } from "./days/export-days.ts";
import { differenceExport } from "./differences/export-differences.ts";
import { resolutionImport } from "./differences/import-resolutions.ts";
import { matchDay } from "./days/match-day.ts";
import { importBill } from "./bills/import-bill.ts";
import { settledOf } from "./settled-of.ts";
import { alipayText, billFromOutside, gbk, refundBill, wechatBill, wechatLine, zip } from "./testing/bill-files.ts";
import { openReconWorld, type ReconWorld } from "./testing/recon-world.ts";

let world: ReconWorld;
let subMchId: string;
let merchantId: string;
beforeAll(async () => {
  world = await openReconWorld();
  merchantId = world.till.tree.merchants.mch01.id;
  subMchId = (world.till.settings.get(merchantId)!.account as { subMchId?: string }).subMchId!;
});
afterAll(() => world.close());
// Every test has a day of its own, far from the others'.
let day = "";
let n = 0;
beforeEach(() => {
  const at = new Date(Date.UTC(2026, 0, 1 + 4 * ++n));
  day = at.toISOString().slice(0, 10);
  world.till.services.clock.set(`${new Date(at.getTime() + 2 * 86_400_000).toISOString().slice(0, 10)}T04:00:00.000Z`);
});
const next = (of: string, by = 1): string => new Date(Date.parse(`${of}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

interface Row {
  readonly no: string;
  readonly cents: number;
  readonly fee?: number;
  readonly refundNo?: string;
  readonly state?: string;
  readonly at?: string;
}
const yuan = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
const feeOf = (cents: number): number => Math.round((cents * 380) / 100_000);
/** An ALL bill of these rows, its summary with them. */
function billOf(rows: readonly Row[], of = day): Buffer {
  const lines = rows.map(({ no, cents, fee = feeOf(cents), refundNo, state, at = `${of} 12:00:00` }) =>
    wechatLine({
      at,
      orderNo: no,
      yuan: yuan(cents),
      fee: `${refundNo ? "-" : ""}${yuan(fee)}000`,
      subMchId,
      ...(refundNo && { refundNo }),
      ...(state && { state }),
    }),
  );
  const sum = (pick: (row: Row) => number): number => rows.reduce((all, row) => all + pick(row), 0);
  const paid = yuan(sum((row) => (row.refundNo ? 0 : row.cents)));
  const back = yuan(sum((row) => (row.refundNo ? row.cents : 0)));
  const fees = sum((row) => (row.refundNo ? -1 : 1) * (row.fee ?? feeOf(row.cents)));
  return wechatBill(lines, [String(rows.length), paid, back, "0.00", `${fees < 0 ? "-" : ""}${yuan(Math.abs(fees))}000`, paid, back]);
}
const upload = (content: Buffer, of = day) => world.upload({ type: "ALL", day: of, content });
const found = async (of = day) => {
  const id = (await world.day(of))!.id;
  return (await world.as("mch01", "listDifferences", { dayId: id, pageSize: 100 })).items;
};
const shown = async (of = day) => Object.fromEntries((await found(of)).map((one) => [one.number, [one.class, one.hint, one.status]]));
async function refund(no: string, cents: number, decided: "success" | "closed" = "success"): Promise<string> {
  const before = world.till.services.clock.now_ms();
  world.till.services.clock.set(`${day}T05:00:00.000Z`);
  const [row] = await world.till.owner<{ till_no: string }>("select till_no from pay_orders where order_no = $1", [no]);
  const store = world.till.tree.merchants.mch01.stores[0]!;
  const { refundNo } = await world.till.till(store, "refundTillOrder", {
    requestId: randomUUID(),
    tillNo: row!.till_no,
    amountCents: cents,
    reason: "退菜",
  });
  await world.till.runJobs();
  const account = world.till.settings.get(merchantId)!.account as { mchId: string };
  const news = world.till.channel.notice(`e-${refundNo}`, account.mchId, { refund: world.till.channel.decide(refundNo, decided) });
  await world.till.notify(merchantId, news);
  world.till.services.clock.set(new Date(before).toISOString());
  return refundNo;
}

test("every class: what fits is counted and not kept", async () => {
  const at = (hour: number): string => `${day} ${hour}:00:00`;
  const numbers: string[] = [];
  for (const [index, cents] of [1_000, 2_000, 30_000, 4_000, 5_000, 600].entries()) numbers.push(await world.pay(at(10 + index), cents));
  const [fits, amount, fee, ours, back, twice] = numbers;
  const refundNo = await refund(back!, 1_500);
  const failed = await refund(back!, 300, "closed");
  const file = await upload(
    billOf([
      { no: fits!, cents: 1_000 },
      { no: amount!, cents: 2_100 },
      { no: fee!, cents: 30_000, fee: 180 },
      { no: back!, cents: 5_000 },
      { no: back!, cents: 1_500, refundNo },
      { no: back!, cents: 300, refundNo: failed },
      { no: twice!, cents: 600 },
      { no: twice!, cents: 600 },
      { no: "NOBODY", cents: 700 },
      { no: "NOBODY2", cents: 900, state: "REVOKED" },
    ]),
  );
  expect([file.status, file.failure, file.rowCount]).toEqual(["matched", null, 10]);
  expect(await shown()).toEqual({
    [amount!]: ["amount", null, "open"],
    [fee!]: ["fee", null, "open"],
    [ours!]: ["ours-only", null, "open"],
    [twice!]: ["channel-only", "twice", "open"],
    [failed]: ["status", null, "open"],
    NOBODY: ["channel-only", "unknown", "open"],
  });
  const seen = await world.day(day);
  expect(seen).toMatchObject({
    state: "differing",
    matchedCount: 5,
    openCount: 6,
    ours: { payCount: 6, payCents: 42_600, refundCount: 1, refundCents: 1_500 },
    bill: { payCount: 7, payCents: 40_000, refundCount: 2, refundCents: 1_800 },
  });
  const perClass = (await world.as("mch01", "summariseDifferences", { dayId: seen!.id })).perClass;
  expect(Object.fromEntries(perClass.map((one) => [one.class, [one.count, one.gapCents]]))).toEqual({
    amount: [1, 100],
    fee: [1, 180 - feeOf(30_000)],
    status: [1, 0],
    "channel-only": [2, 1_300],
    "ours-only": [1, -4_000],
    uneven: [0, 0],
  });
  const order = (await found()).find((one) => one.number === refundNo || one.number === amount);
  const trace = await world.till.look((tx) => settledOf(tx, world.till.tree.providers.sp01, order!.orderId!));
  expect(trace.settled_cents).toBe(2_100 - feeOf(2_100));
});

test("an uploaded REFUND bill of orders from earlier days is taken and matched", async () => {
  const paidAt = `${next(day, -3)} 12:00:00`;
  const no = await world.pay(paidAt, 5_000);
  const refundNo = await refund(no, 1_500);
  const content = refundBill({ paidAt, at: `${day} 13:00:00`, orderNo: no, refundNo, yuan: "15.00", fee: "-0.06000", subMchId });
  const file = await world.upload({ type: "REFUND", day, content });
  expect([file.status, file.failure, file.rowCount]).toEqual(["matched", null, 1]);
  expect(await found()).toEqual([]);
  expect(await world.day(day)).toMatchObject({
    bill: { refundCount: 1, refundCents: 1_500 },
    ours: { refundCount: 1, refundCents: 1_500 },
  });
});

test("a payment at midnight is found in the next day's bill, which takes the difference away", async () => {
  const late = await world.pay(`${day} 23:59:50`, 1_000);
  const early = await world.pay(`${next(day)} 00:00:10`, 2_000);
  const noon = await world.pay(`${day} 12:00:00`, 3_000);
  await upload(billOf([{ no: noon, cents: 3_000 }]));
  expect(await shown()).toEqual({ [late]: ["ours-only", "midnight", "open"] });
  await upload(
    billOf(
      [
        { no: late, cents: 1_000, at: `${next(day)} 00:00:01` },
        { no: early, cents: 2_000, at: `${next(day)} 00:00:11` },
      ],
      next(day),
    ),
    next(day),
  );
  expect(await world.day(next(day))).toMatchObject({ matchedCount: 2, boundaryCount: 1, openCount: 0, state: "ready" });
  expect(await world.day(day)).toMatchObject({ openCount: 0, state: "ready" });
  // Two days apart is no boundary any more.
  world.till.services.clock.advance(86_400_000);
  await upload(billOf([{ no: noon, cents: 3_000 }], next(day, 2)), next(day, 2));
  expect(await shown(next(day, 2))).toEqual({ [noon]: ["channel-only", "other-day", "open"] });
});

test("the same content is not taken in twice; another one takes its place and keeps what was resolved", async () => {
  const [one, two] = [await world.pay(`${day} 10:00:00`, 1_000), await world.pay(`${day} 11:00:00`, 2_000)];
  const first = billOf([
    { no: one, cents: 1_100 },
    { no: two, cents: 2_200 },
  ]);
  expect((await upload(first)).status).toBe("matched");
  expect((await upload(gzipSync(first))).status).toBe("same");
  const ids = (await found()).map(({ id }) => id);
  await world.as("mch01", "proposeWriteOff", { requestId: randomUUID(), ids, reason: "已补差价" });
  await world.as("sp01", "decideWriteOff", { requestId: randomUUID(), ids, approve: true });
  const second = billOf([
    { no: one, cents: 1_100 },
    { no: two, cents: 2_500 },
    { no: "NEW", cents: 100 },
  ]);
  expect((await upload(second)).status).toBe("matched");
  expect(await shown()).toEqual({
    [one]: ["amount", null, "resolved"],
    [two]: ["amount", null, "open"],
    NEW: ["channel-only", "unknown", "open"],
  });
  expect(await world.till.owner("select status, count(*)::int as n from bill_files where day = $1 group by 1 order by 1", [day])).toEqual([
    { status: "matched", n: 1 },
    { status: "replaced", n: 1 },
    { status: "same", n: 1 },
  ]);
  const rows = await world.till.owner<{ n: number }>(
    "select count(*)::int as n from bill_rows r join bill_files f on f.id = r.file_id where f.day = $1",
    [day],
  );
  expect(rows[0]!.n).toBe(3);
});

test("the same content is held against what was settled here since, unless the day is closed", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  const bill = billOf([
    { no: one, cents: 1_000 },
    { no: "P20261119110000LATE", cents: 2_000 },
  ]);
  await upload(bill);
  expect(await shown()).toEqual({ P20261119110000LATE: ["channel-only", "unknown", "open"] });
  // It is heard of at last.
  const late = await world.pay(`${day} 11:00:00`, 2_000);
  await world.till.owner("update pay_orders set order_no = 'P20261119110000LATE' where order_no = $1", [late]);
  expect((await upload(bill)).status).toBe("same");
  expect(await world.day(day)).toMatchObject({ openCount: 0, matchedCount: 2, state: "ready" });
});

test("a bill that does not add up leaves the one before as it was", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  await upload(billOf([{ no: one, cents: 1_000 }]));
  const broken = wechatBill(
    [wechatLine({ at: `${day} 10:00:00`, orderNo: one, yuan: "9.00", fee: "0.03000", subMchId })],
    ["2", "9.00", "0", "0", "0.03", "9.00", "0"],
  );
  expect(await upload(broken)).toMatchObject({ status: "failed", failure: "汇总行写有 2 笔，明细有 1 笔，账单不完整" });
  expect(await world.day(day)).toMatchObject({ state: "ready", matchedCount: 1, openCount: 0 });
  // The merchant is told, and whoever of another level brought it: each once.
  await world.till.owner("delete from messages");
  expect(await world.upload({ type: "ALL", day, content: broken, login: "sp01" })).toMatchObject({ status: "failed" });
  const told = await world.till.owner<{ login: string; title: string; body: string }>(
    "select u.login, m.title, m.body from messages m join users u on u.id = m.owner_user_id where m.kind = 'billFailed' order by u.login",
  );
  const says = { title: expect.stringContaining("没有导入"), body: "汇总行写有 2 笔，明细有 1 笔，账单不完整" };
  expect(told.filter(({ login }) => ["mch01", "sp01"].includes(login))).toEqual([
    { login: "mch01", ...says },
    { login: "sp01", ...says },
  ]);
});

test("two at once: one is on its way, the other is told so; two runs of one are one", async () => {
  const ask = { merchantId, source: "wechat" as const, type: "ALL" as const, day, fileName: "a.csv", sizeBytes: 3 };
  const tries = await Promise.allSettled([1, 2, 3].map(() => world.as("mch01", "startBillUpload", { requestId: randomUUID(), ...ask })));
  expect(tries.filter(({ status }) => status === "fulfilled").length).toBe(1);
  const begun = tries.find(({ status }) => status === "fulfilled") as PromiseFulfilledResult<{ id: string }>;
  await world.as("mch01", "cancelBill", { id: begun.value.id });

  const one = await world.pay(`${day} 10:00:00`, 1_000);
  const content = billOf([{ no: one, cents: 1_000 }]);
  const { id } = await world.as("mch01", "startBillUpload", { requestId: randomUUID(), ...ask, sizeBytes: content.length });
  await world.as("mch01", "addBillPiece", { id, place: 0, base64: content.toString("base64") });
  await world.as("mch01", "finishBillUpload", { id });
  const ref = { service_provider_id: world.till.tree.providers.sp01, id };
  const runs = await Promise.allSettled([1, 2, 3].map(() => importBill.run(world.till.services, ref)));
  expect(runs.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  await importBill.run(world.till.services, ref);
  expect(await world.day(day)).toMatchObject({ state: "ready", matchedCount: 1, bill: { payCount: 1, payCents: 1_000 } });
});

test("a bill from outside with 40,000 rows is taken in whole, and each row that is ours is found in it", { timeout: 120_000 }, async () => {
  const { bill, cents, refunded } = billFromOutside(40_000, day, subMchId);
  // P0 is 1.00 in the bill, as it is here.
  const ours = await world.pay(`${day} 10:00:00`, 100);
  const file = await upload(gzipSync(Buffer.from(bill.toString().replaceAll(/`P0(?=,)/g, `\`${ours}`))));
  expect([file.status, file.failure, file.rowCount]).toEqual(["matched", null, 40_000]);
  expect(await world.day(day)).toMatchObject({
    matchedCount: 1,
    openCount: 39_999,
    ours: { payCount: 1, payCents: 100 },
    bill: { payCount: 36_000, payCents: cents, refundCount: 4_000, refundCents: refunded },
  });
});

test("a write-off needs a second person, also where somebody writes past the program", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  await upload(billOf([{ no: one, cents: 1_100 }]));
  const [difference] = await found();
  const ids = [difference!.id];
  const requestId = randomUUID();
  await world.as("mch01", "proposeWriteOff", { requestId, ids, reason: "顾客多付" });
  // The same press twice is one proposal.
  await world.as("mch01", "proposeWriteOff", { requestId, ids, reason: "顾客多付" });
  await expect(world.as("mch01", "decideWriteOff", { requestId: randomUUID(), ids, approve: true })).rejects.toThrow("申请人以外");
  await expect(
    world.till.owner(
      "update recon_differences set status = 'resolved', resolution = 'written-off', resolved_at = now(), resolved_by = proposed_by where id = $1",
      [ids[0]],
    ),
  ).rejects.toThrow("recon_second_person");
  await world.as("sp01", "decideWriteOff", { requestId: randomUUID(), ids, approve: false, note: "再核实" });
  expect((await found())[0]).toMatchObject({ status: "open", answer: "核销被退回：再核实" });
  await expect(world.as("mch03", "proposeWriteOff", { requestId: randomUUID(), ids, reason: "别人的" })).rejects.toThrow("不存在");
});

test("closing against a new difference: never closed over an open one, whoever comes first", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  await upload(billOf([{ no: one, cents: 1_000 }]));
  const ref = { service_provider_id: world.till.tree.providers.sp01, merchant_id: merchantId, source: "wechat" as const, day };
  for (let round = 0; round < 12; round++) {
    const before = (await world.day(day))!;
    const missing = await world.pay(`${day} 11:00:0${round % 10}`, 100 + round);
    const now = new Date(world.till.services.clock.now_ms()).toISOString();
    const [closing] = await Promise.allSettled([
      world.as("mch01", "closeReconDay", { requestId: randomUUID(), id: before.id, version: before.version }),
      withScope(world.till.services.pool, platformScope("race"), (tx) => matchDay(tx, ref, now)),
    ]);
    const after = (await world.day(day))!;
    expect([closing.status === "fulfilled", after.state]).toEqual(closing.status === "fulfilled" ? [true, "closed"] : [false, "differing"]);
    if (after.state === "closed") {
      expect(after.openCount).toBe(0);
      await expect(upload(billOf([{ no: one, cents: 999 }]))).rejects.toThrow("已关账");
      await world.as("mch01", "reopenReconDay", { id: after.id, reason: "补账单" });
      await world.as("mch01", "rematchReconDay", { id: after.id });
    }
    const open = (await found()).filter(({ number }) => number === missing);
    await world.as("mch01", "proposeWriteOff", { requestId: randomUUID(), ids: open.map(({ id }) => id), reason: "测试" });
    await world.as("sp01", "decideWriteOff", { requestId: randomUUID(), ids: open.map(({ id }) => id), approve: true });
  }
  await expect(
    world.till.owner("update recon_days set open_count = 1, status = 'closed', closed_at = now() where day = $1", [day]),
  ).rejects.toThrow("recon_days_closed");
});

test("repaired from the channel's query: a payment we never heard of is settled and fits", async () => {
  const store = world.till.tree.merchants.mch01.stores[0]!;
  const now = world.till.services.clock.now_ms();
  world.till.services.clock.set(`${day}T04:00:00.000Z`);
  const { orderNo } = await world.till.till(store, "createTillOrder", {
    tillNo: `N${n}`,
    tradeType: "NATIVE",
    subject: "午餐",
    grossCents: 1_000,
  });
  world.till.channel.customerPays(orderNo);
  world.till.services.clock.set(new Date(now).toISOString());
  await upload(
    billOf([
      { no: orderNo, cents: 1_000 },
      { no: "NOBODY", cents: 100 },
    ]),
  );
  expect(await shown()).toEqual({ [orderNo]: ["channel-only", "unpaid", "open"], NOBODY: ["channel-only", "unknown", "open"] });
  const ids = (await found()).map(({ id }) => id);
  expect(await world.as("mch01", "repairDifferences", { ids })).toMatchObject({ repaired: 1, left: 1 });
  const [left] = (await found()).filter(({ status }) => status === "open");
  expect(left).toMatchObject({ number: "NOBODY", answer: "本地没有这个单号，无法向通道查询" });
  const settled = await world.till.owner<{ status: number }>("select status from pay_orders where order_no = $1", [orderNo]);
  expect(settled[0]!.status).toBe(2);
  await world.as("mch01", "recordUnknown", { requestId: randomUUID(), ids: [left!.id], looker: "王会计", reason: "可能是会员充值" });
  expect(await world.day(day)).toMatchObject({ state: "ready", openCount: 0 });
  expect(await world.till.verify()).toEqual([]);
});

test("two rows that are one payment are linked, and only such", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  const other = await world.pay(`${day} 11:00:00`, 2_000);
  await upload(billOf([{ no: "TYPO", cents: 1_000 }]));
  const all = await found();
  const of = (number: string) => all.find((row) => row.number === number)!.id;
  const candidates = (await world.as("mch01", "getDifference", { id: of("TYPO") })).candidates;
  expect(candidates.map(({ number }) => number)).toEqual([one]);
  await expect(
    world.as("mch01", "linkDifferences", { requestId: randomUUID(), id: of("TYPO"), otherId: of(other), reason: "同一笔" }),
  ).rejects.toThrow("金额相同");
  await world.as("mch01", "linkDifferences", { requestId: randomUUID(), id: of("TYPO"), otherId: of(one), reason: "同一笔" });
  expect(await world.day(day)).toMatchObject({ openCount: 1 });
  expect((await found()).find((row) => row.number === one)).toMatchObject({ resolution: "linked", linkedNumber: "TYPO" });
  await world.as("mch01", "reopenDifference", { id: of(one), reason: "关联错了" });
  expect(await world.day(day)).toMatchObject({ openCount: 3 });
});

describe("a link lasts as long as what it was linked to", () => {
  const later = () => next(day);
  const of = async (number: string, on: string) => (await found(on)).find((row) => row.number === number)!;
  const bill = (rows: readonly Row[], on: string) => upload(billOf(rows, on), on);
  const close = async (on: string) => {
    const { id, version } = (await world.day(on))!;
    return world.as("mch01", "closeReconDay", { requestId: randomUUID(), id, version });
  };
  /** Our payment is in no bill; the next day's bill has a line of the same amount, and somebody says that it is the same. */
  async function linked(): Promise<{ missing: string; fits: Row; otherFits: Row }> {
    const [fits, missing] = [await world.pay(`${day} 10:00:00`, 2_000), await world.pay(`${day} 11:00:00`, 1_000)];
    const otherFits = { no: await world.pay(`${later()} 10:00:00`, 3_000), cents: 3_000 };
    await bill([{ no: fits, cents: 2_000 }], day);
    await bill([otherFits, { no: `MADE${n}`, cents: 1_000 }], later());
    const [id, otherId] = [(await of(missing, day)).id, (await of(`MADE${n}`, later())).id];
    await world.as("mch01", "linkDifferences", { requestId: randomUUID(), id, otherId, reason: "同一笔" });
    expect([(await world.day(day))!.openCount, (await world.day(later()))!.openCount]).toEqual([0, 0]);
    return { missing, fits: { no: fits, cents: 2_000 }, otherFits };
  }

  test("where the line is in no bill any more, ours is open again and its day does not close", async () => {
    const { missing, otherFits } = await linked();
    await bill([otherFits], later());
    expect(await of(missing, day)).toMatchObject({
      status: "open",
      resolution: null,
      linkedNumber: null,
      answer: "关联的另一条已不在或已改变",
    });
    await expect(close(day)).rejects.toMatchObject({ status: 409, message: `${day} 还有 1 条差异没有处理，不能关账` });
    await close(later());
  });

  test("where the line's amount changes, both are open again", async () => {
    const { missing, otherFits } = await linked();
    await bill([otherFits, { no: `MADE${n}`, cents: 900 }], later());
    expect([(await of(missing, day)).status, (await of(`MADE${n}`, later())).status]).toEqual(["open", "open"]);
  });

  test("where our payment turns up in the bill by its own number, the other is open again", async () => {
    const { missing, fits } = await linked();
    await bill([fits, { no: missing, cents: 1_000 }], day);
    expect(await world.day(day)).toMatchObject({ openCount: 0, matchedCount: 2 });
    expect(await of(`MADE${n}`, later())).toMatchObject({ status: "open", resolution: null });
  });

  test("one whose partner does not say so is opened alone", async () => {
    const { missing } = await linked();
    // As matches left it before links were looked after.
    await world.till.owner(
      "update recon_differences set status = 'open', resolution = null, linked_id = null, resolved_at = null where number = $1",
      [`MADE${n}`],
    );
    await world.as("mch01", "reopenDifference", { id: (await of(missing, day)).id, reason: "关联已失效" });
    expect(await of(missing, day)).toMatchObject({ status: "open", resolution: null });
  });

  test("where ours stands in a closed day, the line that is gone stays open until somebody opens that day or writes it off", async () => {
    const { missing, otherFits } = await linked();
    await close(day);
    for (const content of [[otherFits], [otherFits, { no: `OTHER${n}`, cents: 1 }], [otherFits]]) await bill(content, later());
    expect(await of(`MADE${n}`, later())).toMatchObject({ status: "open", answer: "关联的另一条已不在或已改变" });
    await expect(close(later())).rejects.toMatchObject({ status: 409 });
    expect(await of(missing, day)).toMatchObject({ resolution: "linked" });
    await world.as("mch01", "reopenReconDay", { id: (await world.day(day))!.id, reason: "关联的账单行没有了" });
    expect(await of(missing, day)).toMatchObject({ status: "open", resolution: null });
    await world.as("mch01", "rematchReconDay", { id: (await world.day(later()))!.id });
    await close(later());
  });

  test("where ours stands in a closed day, a write-off that is proposed of the line that is gone waits for the second person through every match", async () => {
    const { missing, otherFits } = await linked();
    await close(day);
    await bill([otherFits], later());
    const ids = [(await of(`MADE${n}`, later())).id];
    await world.as("mch01", "proposeWriteOff", { requestId: randomUUID(), ids, reason: "银行改了账单" });
    await world.as("mch01", "rematchReconDay", { id: (await world.day(later()))!.id });
    await bill([{ no: missing, cents: 1_000 }, otherFits], later());
    expect(await of(`MADE${n}`, later())).toMatchObject({ status: "proposed", reason: "银行改了账单" });
    await world.as("sp01", "decideWriteOff", { requestId: randomUUID(), ids, approve: true });
    await bill([otherFits], later());
    expect(await of(`MADE${n}`, later())).toMatchObject({ status: "resolved", resolution: "written-off" });
    await close(later());
  });
});

test("acts over several merchants stand in the audit log of each, with its own differences alone", async () => {
  await upload(billOf([{ no: `OURS${n}`, cents: 1_000 }]));
  const [own] = await found();
  const { mch03 } = world.till.tree.merchants;
  const other = { id: randomUUID(), dayId: randomUUID() };
  await world.till.owner("insert into recon_days (service_provider_id, id, merchant_id, source, day) values ($1, $2, $3, 'wechat', $4)", [
    mch03.serviceProviderId,
    other.dayId,
    mch03.id,
    day,
  ]);
  await world.till.owner(
    `insert into recon_differences (service_provider_id, id, merchant_id, day_id, source, day, kind, class, number, order_no, bill_at, bill_cents, hint, found_at)
      values ($1, $2, $3, $4, 'wechat', $5, 1, 'channel-only', $6, $6, now(), 2500, 'unknown', now())`,
    [mch03.serviceProviderId, other.id, mch03.id, other.dayId, day, `OTHERS${n}`],
  );
  const ids = [own!.id, other.id];
  const requestId = randomUUID;
  await world.as("sp01", "proposeWriteOff", { requestId: requestId(), ids, reason: "一起处理" });
  await world.as("sp01", "decideWriteOff", { requestId: requestId(), ids, approve: false });
  await world.as("sp01", "repairDifferences", { ids });
  await world.as("sp01", "recordUnknown", { requestId: requestId(), ids, looker: "王会计" });
  const told = await world.till.owner<{ title: string; merchant_id: string; target_id: string; said: string }>(
    `select title, merchant_id, target_id, coalesce(detail->'after'->>'numbers', detail->'after'->>'answers') as said from audit_log
      where target_kind = 'recon_differences' and detail::text ~ $1 order by at`,
    [`(OURS|OTHERS)${n}\\y`],
  );
  const titles = ["proposeWriteOff", "decideWriteOff", "repairDifferences", "recordUnknown"] as const;
  expect(told).toHaveLength(2 * titles.length);
  for (const { merchant_id, target_id, said } of told) {
    expect([merchantId, mch03.id]).toContain(merchant_id);
    expect(target_id).toBe(merchant_id === merchantId ? own!.id : other.id);
    expect([said.includes(`OURS${n}`), said.includes(`OTHERS${n}`)]).toEqual([merchant_id === merchantId, merchant_id === mch03.id]);
  }
  expect(told.filter(({ merchant_id }) => merchant_id === mch03.id)).toHaveLength(titles.length);
});

test("a sheet goes out, comes back filled in, and does nothing twice; what looks like a formula is text", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  await upload(
    billOf([
      { no: one, cents: 1_100 },
      { no: "=1+1", cents: 100 },
    ]),
  );
  const dayId = (await world.day(day))!.id;
  const scope = await world.till.owner<{ id: string }>("select id from users where login = 'mch01'");
  const notes: AuditNote[] = [];
  const author = (login: string) => ({
    services: world.till.services,
    principal: {
      kind: "user" as const,
      id: login === "mch01" ? scope[0]!.id : randomUUID(),
      name: login,
      scope: platformScope("sheet"),
      holds: () => true,
    },
    scope: platformScope("sheet"),
    now_ms: world.till.services.clock.now_ms(),
    now: new Date(world.till.services.clock.now_ms()).toISOString(),
    audit: async (_tx: unknown, note: AuditNote) => void notes.push(note),
  });
  const rows: Record<string, unknown>[] = [];
  await world.till.look(async (tx) => {
    for await (const batch of differenceExport.rows(tx, platformScope("sheet"), { dayId })) rows.push(...batch);
  });
  expect(rows.map((row) => [row["number"], row["class"], row["status"], row["resolution"]])).toEqual(
    expect.arrayContaining([
      [one, "金额不符", "待处理", null],
      ["=1+1", "通道有本地无", "待处理", null],
    ]),
  );
  const days: Record<string, unknown>[] = [];
  await world.till.look(async (tx) => {
    for await (const batch of reconDayExport.rows(tx, platformScope("sheet"), { from: day, to: day })) days.push(...batch);
  });
  const figures = { oursPayCount: 1, oursNet: 1_000, billPayCount: 2, billNet: 1_200, gap: 200, openCount: 2, closedBy: null };
  expect(days).toEqual([expect.objectContaining({ day, source: "微信支付", state: "有差异", ...figures })]);
  rows.sort((row) => (row["number"] === one ? -1 : 1));
  // Whatever columns somebody chose, the file has those that the import reads.
  const kept = ["number", ...(differenceExport.always ?? [])];
  const headings = differenceExport.columns.filter(({ key }) => kept.includes(key)).map(({ label }) => label);
  expect(headings).toEqual(expect.arrayContaining(resolutionImport.columns(platformScope("sheet")).map(({ label }) => label)));
  const filled = rows.map((row) =>
    row["number"] === one
      ? { id: String(row["id"]), number: one, how: "核销", reason: "已补差价" }
      : { id: String(row["id"]), number: "=1+1", how: "未知收款", looker: "王会计" },
  );
  const wrong = [
    { id: randomUUID(), how: "核销", reason: "没有" },
    { ...filled[0]!, how: "随便" },
    { ...filled[1]!, looker: "" },
    // Sorted by hand, one column alone.
    { ...filled[0]!, number: "=1+1" },
  ];
  const apply = (login: string, lines: readonly { id: string; how?: string; reason?: string; looker?: string; number?: string }[]) =>
    world.till.look(async (tx) => {
      const verdicts = await resolutionImport.check(tx, platformScope("sheet"), lines, author(login).principal.id);
      for (const verdict of verdicts) if ("value" in verdict) await resolutionImport.create(author(login), tx, verdict.value);
      return verdicts.map((verdict) => ("value" in verdict ? "made" : "there" in verdict ? "there" : Object.keys(verdict.errors).join()));
    });
  expect(await apply("mch01", wrong)).toEqual(["id", "how", "looker", "number"]);
  expect(await world.day(day)).toMatchObject({ openCount: 2 });
  expect(await apply("mch01", filled)).toEqual(["made", "made"]);
  expect(await apply("mch01", filled)).toEqual(["there", "there"]);
  expect(await apply("mch01", [{ id: filled[0]!.id, how: "同意核销" }])).toEqual(["how"]);
  // Words that every object of the language knows are no ways either: this one turned the write-off down.
  expect(await apply("somebody", [{ id: filled[0]!.id, how: "constructor" }])).toEqual(["how"]);
  expect(await apply("somebody", [{ id: filled[0]!.id, number: "1E+3", how: "同意核销" }])).toEqual(["made"]);
  expect(await apply("somebody", [{ id: filled[0]!.id, how: "退回核销" }])).toEqual(["how"]);
  expect(await world.day(day)).toMatchObject({ openCount: 0, state: "ready" });
  expect(notes.map(({ provider, merchant }) => [provider, merchant])).toEqual(
    Array.from({ length: 3 }, () => [world.till.tree.merchants.mch01.serviceProviderId, merchantId]),
  );
});

test("Alipay's zip is matched with Alipay's payments alone; a fund-flow bill shows what moved", async () => {
  const one = await world.pay(`${day} 10:00:00`, 1_000);
  await world.till.owner("update pay_orders set tool = 4 where order_no = $1", [one]);
  const wechat = await world.pay(`${day} 11:00:00`, 2_000);
  const text = alipayText([{ at: `${day} 10:00:04`, orderNo: one, yuan: "10.00", fee: "-0.04" }], {
    pay: "1笔，商家实收共10.00元",
    refund: "0笔，商家实收退款共0.00元",
  });
  const content = zip([{ name: gbk(`2088_${day}_业务明细.csv`), content: gbk(text) }]);
  expect(await world.upload({ type: "TRADE", day, content })).toMatchObject({ status: "matched", rowCount: 1 });
  expect(await world.day(day, "alipay")).toMatchObject({ state: "ready", matchedCount: 1, settledCents: 996, ours: { payCount: 1 } });
  await upload(billOf([{ no: wechat, cents: 2_000 }]));
  expect(await world.day(day)).toMatchObject({ state: "ready", matchedCount: 1 });
  const flow = [
    "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号",
    `\`${day} 11:00:01,\`42,\`S1,\`交易,\`交易,\`收入,\`20.00,\`20.00,\`system,\`,\`${wechat}`,
    `\`${day} 11:00:01,\`42,\`S2,\`扣除交易手续费,\`扣除交易手续费,\`支出,\`0.08,\`19.92,\`system,\`,\`${wechat}`,
    "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额",
    "`2,`1,`20.00,`1,`0.08",
  ];
  expect((await world.upload({ type: "FUNDFLOW", day, content: Buffer.from(flow.join("\n")) })).status).toBe("matched");
  const detail = await world.as("mch01", "getReconDay", { id: (await world.day(day))!.id });
  expect(detail.flows).toEqual([
    { businessType: "交易", count: 1, inCents: 2_000, outCents: 0 },
    { businessType: "扣除交易手续费", count: 1, inCents: 0, outCents: 8 },
  ]);
});
