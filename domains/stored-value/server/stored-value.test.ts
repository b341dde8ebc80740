import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { settlePayment, settleRefund } from "../../orders/server/index.ts";
import { points, verifyPoints } from "../../points/server/index.ts";
import { foldValue, holdLot, verifyValue } from "../../value-book/server/index.ts";
import {
  addRecharge,
  adjustBalance,
  askCardRefund,
  confirmCardRefund,
  createTillRecharge,
  decideAdjust,
  decideCardRefund,
  decideRecharge,
  getLiability,
  getRecharge,
  getRechargeRules,
  getStatements,
  listCardRefunds,
  listMoves,
  listRecharges,
  previewCardRefund,
  proveCardRefund,
  saveRechargeRules,
  summariseConsumption,
  summariseRecharges,
  transferBalance,
  withdrawCardRefund,
} from "../contract/index.ts";
import { openStoredWorld, type StoredWorld } from "./testing/stored-world.ts";
import { answerTransfer, offerTransfer } from "./balances/offer-transfer.ts";
import { storedLiabilityExport, storedStatementExport } from "./reports/export-stored.ts";
import { verifyStored } from "./verify-stored.ts";

let world: StoredWorld;
/** Whether refunds wait for another room's word. */
let held = false;
const holder = domain({ refundHold: async () => (held ? { words: "先等一等", begin: async () => {} } : undefined) });
beforeAll(async () => void (world = await openStoredWorld([points, holder])));
beforeEach(async () => {
  held = false;
  await world.clean();
  await world.rule();
});
afterEach(async () =>
  expect([...(await world.verify()), ...(await world.look(verifyValue)), ...(await world.look(verifyStored))]).toEqual([]),
);
afterAll(() => world.close());

const store = (n = 0) => world.tree.merchants.mch01.stores[n]!;
const CODE = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
/** Spends stored value at a till, through a quote; what it does not cover is paid by code. */
async function spend(member: string, cents: number, n = 0): Promise<string> {
  const tillNo = `S${world.services.ids.digits(12)}`;
  const quoted = await world.till(store(n), "quotePrice", { tillNo, grossCents: cents, ticket: member, storedValueCents: "most" });
  const how = quoted.paidCents > 0 ? CODE : {};
  await world.till(store(n), "createTillOrder", {
    tillNo,
    subject: "午餐",
    grossCents: cents,
    quote: quoted.quote,
    ticket: member,
    ...how,
  });
  return tillNo;
}
/** Somebody of mch01 asks, with what is shown. */
const ask = async (rechargeId: string, reason: 1 | 2 | 3, more: object = {}) => {
  const shown = await world.call("mch01", previewCardRefund, { rechargeId });
  return world.call("mch01", askCardRefund, {
    requestId: randomUUID(),
    rechargeId,
    reason,
    way: 0,
    paysCents: shown.sums[reason - 1]!.paysCents,
    note: "搬家",
    ...more,
  });
};
const caller = () => {
  const now_ms = world.services.clock.now_ms();
  return { services: world.services, now_ms, now: new Date(now_ms).toISOString(), note: () => {} };
};
/** A transfer from the customer's page, which the other has not taken yet. */
const offer = (from: string, to: string, amountCents: number) => {
  const { id: merchant_id, serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
  const at = { service_provider_id, merchant_id, store_id: store().id };
  return world.look((tx) => offerTransfer({ ...caller(), tx }, { store: at, from, to, requestId: randomUUID(), amountCents }));
};
const decide = (id: string, approve = true) => world.call("sp01", decideCardRefund, { id, approve });
/** A point for each yuan from a minute ago on: of what is paid in, or of what is spent of it. */
async function earnPoints(onRecharge: boolean): Promise<void> {
  const [saving, reading] = ["POST", "GET"].map((verb) =>
    points.routes.find(({ endpoint }) => endpoint.path === "/api/points/rule" && endpoint.verb === verb)!,
  );
  const { version, rule } = (await world.ask("mch01", reading!, {})) as { version: number; rule: { earn: object } };
  const earn = { ...rule.earn, on: true, points: 1, perCents: 100, onRecharge };
  await world.ask("mch01", saving!, { version, rule: { ...rule, earn } });
  world.services.clock.advance(60_000);
}
const fee = async (tillNo: string) =>
  (await world.owner<Record<string, number>>("select * from pay_orders where till_no = $1", [tillNo]))[0]!;

describe("a recharge", () => {
  test("at the till brings principal, gift and points with its money, once, and is never shared", async () => {
    const { id } = await world.member();
    const { tillNo, id: recharge } = await world.recharge(id, 100_000);
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
    expect(await fee(tillNo)).toMatchObject({ purpose: 1, member_id: id, profit_sharing: false, status: 2 });
    const again = await world.atTill(createTillRecharge, { tillNo, ticket: id, amountCents: 100_000 as never, ...CODE });
    expect(again).toMatchObject({ status: 2, giftCents: 20_000, points: 100 });
    expect(await world.call("mch01", getRecharge, { id: recharge })).toMatchObject({
      status: 2,
      principalLeftCents: 100_000,
      tierCents: 100_000,
    });
    await expect(
      world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents: 1, reason: "退" }),
    ).rejects.toMatchObject({
      code: "refund.by-card",
    });
  });
  test("counts what the member recharged at every store: a tier that is given once, and what may be held", async () => {
    const { id } = await world.member();
    await world.rule({ tiers: [{ amountCents: 100_000 as never, giftCents: 20_000, points: 100, most: 1 }], anyAmount: true });
    await world.recharge(id, 100_000);
    await world.recharge(id, 100_000, 1);
    expect(await world.balance(id)).toEqual({ principal: 200_000, gift: 20_000, points: 100 });
    const open = { ticket: id, amountCents: 200_000 as never, tradeType: "NATIVE" as const };
    await world.atTill(createTillRecharge, { tillNo: "Z0", ...open });
    await expect(world.atTill(createTillRecharge, { tillNo: "Z1", ...open }, 1)).rejects.toMatchObject({ status: 400 });
  });
  test("counts what came in cash that day at every store before it asks for a second person", async () => {
    const { no } = await world.member();
    const cash = (login: string, n: number) => {
      const given = {
        requestId: randomUUID(),
        storeId: store(n).id,
        memberNo: no,
        amountCents: 30_000 as never,
        way: 1 as const,
        note: "现金",
      };
      return world.call(login, addRecharge, given);
    };
    expect((await cash("mch01", 1)).status).toBe(2);
    expect((await cash("emp01", 0)).status).toBe(3);
  });
  test("counts what is open: two at once never hold more than the law allows", async () => {
    const { id } = await world.member();
    await world.rule({ version: 1, tiers: [], idCardAboveCents: 500_000 });
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) =>
        world.atTill(createTillRecharge, { tillNo: `N${n}`, ticket: id, amountCents: 100_001 as never, tradeType: "NATIVE" }),
      ),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    for (const one of tries)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ status: 400, fields: { amountCents: expect.any(String) } });
  });
  test.each([
    ["frozen", { status: 2 }, "member.frozen"],
    ["leaving", { status: 3, close: true }, "member.closed"],
    ["under age", { birthday: "2015-01-01" }, "member.minor"],
  ])(
    "of a member who is %s is refused, and writes nothing",
    async (_name, { close, ...facts }: { status?: number; birthday?: string; close?: boolean }, code) => {
      const member = await world.member(close ? {} : facts);
      if (close) await world.owner("update members set status = 3, close_asked_at = now() where id = $1", [member.id]);
      const asked = { tillNo: "F", ticket: member.id, amountCents: 100_000 as never, ...CODE };
      await expect(world.atTill(createTillRecharge, asked)).rejects.toMatchObject({ status: 409, code });
      expect(await world.owner("select 1 from pay_orders")).toEqual([]);
    },
  );
  test("above the line without an id number is told to bring one", async () => {
    const member = await world.member({ id_card: false });
    await world.recharge(member.id, 100_000);
    const asked = { tillNo: "G", ticket: member.id, amountCents: 1 as never, ...CODE };
    await expect(world.atTill(createTillRecharge, asked)).rejects.toMatchObject({
      fields: { amountCents: expect.stringContaining("证件号") },
    });
  });
  test("closed and paid after all arrives; closed it is over", async () => {
    const { id } = await world.member();
    const placed = await world.atTill(createTillRecharge, { tillNo: "C", ticket: id, amountCents: 100_000 as never, tradeType: "NATIVE" });
    world.services.clock.advance(3 * 3_600_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await world.owner("select status from recharges")).toEqual([{ status: 1 }]);
    world.channel.trades.get(placed.orderNo)!.state = "NOTPAY";
    const word = world.channel.customerPays(placed.orderNo);
    await world.look(async (tx) => settlePayment(tx, world.services, (await fee("C")) as never, word));
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
  });
  test("of a member who has left for good goes back the way it came", async () => {
    const { id } = await world.member();
    const placed = await world.atTill(createTillRecharge, { tillNo: "L", ticket: id, amountCents: 100_000 as never, tradeType: "NATIVE" });
    await world.owner("update members set status = 3, close_asked_at = now() where id = $1", [id]);
    await world.owner(
      `update members set status = 4, closed_at = now(), name_sealed = null, phone_sealed = null, id_card_sealed = null, name_hash = null,
        tail_hash = null where id = $1`,
      [id],
    );
    const word = world.channel.customerPays(placed.orderNo);
    await world.look(async (tx) => settlePayment(tx, world.services, (await fee("L")) as never, word));
    await world.settleRefunds();
    expect([await fee("L"), await world.balance(id)]).toMatchObject([{ status: 3, refunded_cents: 100_000 }, {}]);
  });
  test("in cash arrives at once, above the line by another's word", async () => {
    const { id, no } = await world.member();
    const cash = { storeId: store().id, memberNo: no, way: 1 as const, note: "收据 0012" };
    expect(await world.call("mch01", addRecharge, { requestId: randomUUID(), amountCents: 50_000 as never, ...cash })).toMatchObject({
      status: 2,
    });
    // Whose it is, as masked as members' own list; found by the whole name, not by a part of it.
    const found = (keyword: string, login = "mch01") => world.call(login, listRecharges, { keyword });
    const row = { memberId: id, memberNo: no, memberName: "文*", memberPhone: expect.stringMatching(/^138\*{4}\d{4}$/) };
    expect((await found(no)).items).toMatchObject([row]);
    expect((await found("文新", "sp01")).items).toContainEqual(expect.objectContaining(row));
    expect((await found("文")).items).toEqual([]);
    const waits = await world.call("mch01", addRecharge, { requestId: randomUUID(), amountCents: 100_000 as never, ...cash });
    expect([waits.status, await world.balance(id)]).toEqual([3, { principal: 50_000 }]);
    // The line is the day's: a cent more of the same member's waits as well.
    const piece = await world.call("mch01", addRecharge, { requestId: randomUUID(), amountCents: 1 as never, ...cash });
    expect(piece.status).toBe(3);
    await world.call("sp01", decideRecharge, { id: piece.id, approve: false });
    await expect(world.call("mch01", decideRecharge, { id: waits.id, approve: true })).rejects.toMatchObject({ code: "second-person" });
    await world.call("sp01", decideRecharge, { id: waits.id, approve: true });
    expect(await world.balance(id)).toEqual({ principal: 150_000, gift: 20_000, points: 100 });
    await expect(world.call("sp01", decideRecharge, { id: waits.id, approve: true })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("mch02", decideRecharge, { id: waits.id, approve: true })).rejects.toMatchObject({ status: 404 });
  });
});

test("an order's money trace says what it spent, earned and gave back of its member's, to whoever sees members", async () => {
  await earnPoints(false);
  const { id } = await world.member();
  await world.recharge(id, 100_000);
  const tillNo = await spend(id, 12_000);
  await world.runJobs();
  await world.till(store(), "refundTillOrder", { requestId: randomUUID(), tillNo, amountCents: 6_000 as never, reason: "退菜" });
  await world.runJobs();
  const order = String((await fee(tillNo))["id"]);
  const traced = async (login: string) => (await world.as(login, "traceOrder", { id: order })).parts;
  const part = (await traced("mch01")).find(({ station }) => station === "member")!;
  expect(part.lines.map(({ label, note, amountCents }) => [label, note, amountCents])).toEqual([
    ["余额消费", "本金 −100.00，赠送 −20.00", -12_000],
    ["获得积分", "+100 积分", null],
    ["退款退回余额", "本金 +50.00，赠送 +10.00", 6_000],
    ["退款扣回积分", "−50 积分", null],
  ]);
  expect(part.sum).toEqual({ label: "储值变动", amountCents: -6_000 });
  expect((await traced("agent01")).map(({ station }) => station)).not.toContain("member");
  // Who holds no stored value earned points alone: no amount stands where none moved.
  const bare = await spend((await world.member()).id, 12_000);
  await world.runJobs();
  const other = String((await fee(bare))["id"]);
  expect((await world.as("mch01", "traceOrder", { id: other })).parts.find(({ station }) => station === "member")).toMatchObject({
    lines: [{ label: "获得积分", note: "+120 积分", amountCents: null }],
    sum: null,
  });
  await world.owner("truncate point_earnings, point_rules cascade");
});

test("who decides a refund reads what it gives back to the member and takes back of them, as whoever asked for it did", async () => {
  await earnPoints(false);
  const { id } = await world.member();
  await world.recharge(id, 100_000);
  const tillNo = await spend(id, 12_000);
  await world.runJobs();
  const orderId = String((await fee(tillNo))["id"]);
  const limit = (cents: number | null) =>
    world.owner("update merchants set refund_approval_above_cents = $2 where id = $1", [world.tree.merchants.mch01.id, cents]);
  await limit(1_000);
  const { principalCents, giftCents, pointsBack, pointsClawed, coupons, gifts } = await world.as("mch01", "previewRefund", {
    orderId,
    amountCents: 6_000 as never,
  });
  const asked = await world.till(store(), "refundTillOrder", {
    requestId: randomUUID(),
    tillNo,
    amountCents: 6_000 as never,
    reason: "退菜",
  });
  expect(asked).toMatchObject({ status: 0 });
  const [refund] = await world.owner<{ id: string }>("select id from refunds where refund_no = $1", [asked.refundNo]);
  const member = { principalCents, giftCents, pointsBack, pointsClawed, coupons, gifts };
  expect(member).toMatchObject({ principalCents: 5_000, giftCents: 1_000, pointsClawed: 50 });
  expect(await world.as("sp01", "previewRefundRequest", { id: refund!.id })).toMatchObject(member);
  await limit(null);
  await world.owner("truncate point_earnings, point_rules cascade");
});

describe("退卡", () => {
  test("by the customer's wish after 120 were used: 880 on the recharge's own order, the rest forfeited, the gift void", async () => {
    const { id } = await world.member();
    const { id: recharge, tillNo } = await world.recharge(id, 100_000);
    await spend(id, 12_000);
    expect(await world.balance(id)).toEqual({ principal: 90_000, gift: 18_000, points: 100 });
    const shown = await world.call("mch01", previewCardRefund, { rechargeId: recharge });
    expect(shown.sums.map(({ paysCents }) => paysCents)).toEqual([100_000, 90_000, 88_000]);
    const asked = await ask(recharge, 3);
    expect(await world.balance(id)).toEqual({ "principal-held": 90_000, "gift-held": 18_000, points: 100 });
    await expect(spend(id, 100_000).then(() => world.balance(id))).resolves.toMatchObject({ "principal-held": 90_000 });
    await expect(world.call("mch01", decideCardRefund, { id: asked.id, approve: true })).rejects.toMatchObject({ code: "second-person" });
    expect(await decide(asked.id)).toMatchObject({ status: 1 });
    await world.settleRefunds();
    expect(await world.balance(id)).toEqual({});
    expect(await fee(tillNo)).toMatchObject({ refunded_cents: 88_000, status: 2 });
    const sums = await world.owner<{ kind: string; n: number }>(
      "select a.kind, sum(p.amount)::int as n from value_postings p join value_accounts a on a.id = p.account_id where a.kind in ('returned', 'forfeited', 'gift-void') group by 1 order by 1",
    );
    expect(sums).toEqual([
      { kind: "forfeited", n: 2_000 },
      { kind: "gift-void", n: 18_000 },
      { kind: "returned", n: 88_000 },
    ]);
    const [refund] = await world.owner<{ fee: number; asked: string }>("select fee_cents::int as fee from refunds");
    expect(refund!.fee).toBe(334);
    const list = await world.call("mch01", listCardRefunds, {});
    expect(list.items[0]).toMatchObject({ status: 2, paysCents: 88_000, forfeitedCents: 2_000 });
  });
  test("counts what was spent at every store, also for whoever sees one store alone", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    await spend(id, 60_000, 1);
    const whole = await world.call("mch01", previewCardRefund, { rechargeId: recharge });
    expect(await world.call("emp01", previewCardRefund, { rechargeId: recharge })).toEqual(whole);
    const placed = await world.till(store(1), "quotePrice", { tillNo: "Q1", grossCents: 10_000, ticket: id, storedValueCents: 5_000 });
    const order = { tillNo: "Q1", subject: "午餐", grossCents: 10_000, quote: placed.quote, ticket: id, tradeType: "NATIVE" as const };
    await world.till(store(1), "createTillOrder", order);
    expect((await world.call("emp01", previewCardRefund, { rechargeId: recharge })).refusal).toContain("未付款的订单");
  });
  test("within seven days and unused pays all back; on the eighth it is refused", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    world.services.clock.advance(8 * 86_400_000);
    await expect(ask(recharge, 1)).rejects.toMatchObject({ fields: { reason: expect.stringContaining("已过") } });
    const { id: second } = await world.recharge(id, 50_000);
    const asked = await ask(second, 1);
    await decide(asked.id);
    await world.settleRefunds();
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
  });
  test("another sum than the one that was shown is refused with the new one", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    await spend(id, 3_000);
    await expect(ask(recharge, 3, { paysCents: 100_000 })).rejects.toMatchObject({ status: 409, code: "card-refund.changed" });
    expect(await world.balance(id)).toMatchObject({ principal: 97_500, gift: 19_500 });
  });
  test("turned down or taken back sets the lot free; only who asked takes it back", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    const one = await ask(recharge, 2);
    await expect(world.call("area01", withdrawCardRefund, { id: one.id })).rejects.toMatchObject({ code: "card-refund.not-asker" });
    await world.call("mch01", withdrawCardRefund, { id: one.id });
    await decide((await ask(recharge, 2)).id, false);
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
    await expect(decide(one.id)).rejects.toMatchObject({ status: 409 });
  });
  test("that the channel refuses sets the lot free; it is asked for anew, and not sent again past its room", async () => {
    const { id } = await world.member();
    const { id: recharge, tillNo } = await world.recharge(id, 100_000);
    const asked = await ask(recharge, 2);
    await decide(asked.id);
    await world.settleRefunds("closed");
    await world.sweep("follow-card-refunds");
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
    const [failed] = await world.owner<{ id: string }>("select id from refunds");
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id })).rejects.toMatchObject({
      code: "refund.by-card",
    });
    const anew = await ask(recharge, 2);
    await decide(anew.id);
    await world.settleRefunds();
    expect([await world.balance(id), (await fee(tillNo))["status"]]).toEqual([{}, 3]);
  });
  test.each(["reject", "withdraw"])("whose refund waits and is then not let go (%s) sets the lot free", async (how) => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    held = true;
    await decide((await ask(recharge, 2)).id);
    const [refund] = await world.owner<{ id: string; status: number }>("select id, status from refunds");
    expect(refund!.status).toBe(0);
    if (how === "reject")
      await world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: refund!.id, decision: "reject", note: "不退" });
    else await world.as("sp01", "cancelRefundRequest", { requestId: randomUUID(), id: refund!.id });
    await world.sweep("follow-card-refunds");
    expect(await world.owner("select status from card_refunds")).toEqual([{ status: 3 }]);
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 100 });
  });
  test("that was given up and arrives after all takes what is left; what the customer spent meanwhile is told", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    await decide((await ask(recharge, 2)).id);
    await world.settleRefunds("abnormal");
    await world.sweep("follow-card-refunds");
    await spend(id, 12_000);
    const [refund] = await world.owner<{ service_provider_id: string; id: string; order_id: string; refund_no: string }>(
      "select * from refunds",
    );
    const news = world.channel.decide(refund!.refund_no, "success");
    expect(await world.look((tx) => settleRefund(tx, world.services, refund!, news))).toBe("settled");
    expect(await world.balance(id)).toEqual({});
    expect(await world.owner("select status, held_principal_cents::int as held, pays_cents::int as pays from card_refunds")).toEqual([
      { status: 2, held: 90_000, pays: 100_000 },
    ]);
    const told = await world.owner<{ title: string }>("select distinct title from messages where title like '退卡失败后%'");
    expect(told).toEqual([{ title: "退卡失败后通道又退了款，顾客已用掉 100.00 元" }]);
  });
  test("that was given up as abnormal may still arrive: until then its lot is neither refunded once more nor moved", async () => {
    const [{ id }, to] = [await world.member(), await world.member()];
    const { id: recharge } = await world.recharge(id, 100_000);
    await decide((await ask(recharge, 2)).id);
    await world.settleRefunds("abnormal");
    await world.sweep("follow-card-refunds");
    await spend(id, 12_000);
    await expect(ask(recharge, 2)).rejects.toMatchObject({ status: 409, message: "上一次退卡退款异常，处理完才能再退" });
    const move = { requestId: randomUUID(), ticket: id, toTicket: to.id, amountCents: 100 as never };
    // At a store that knows nothing of the refund as well.
    const abnormal = { status: 409, message: "有一批余额退卡退款异常，处理完才能转" };
    await expect(world.atTill(transferBalance, move, 1)).rejects.toMatchObject(abnormal);
    await expect(offer(id, to.id, 100)).rejects.toMatchObject(abnormal);
  });
  test.each(["another card refund", "a transfer"] as const)("that was given up and arrives after all leaves what %s holds", async (by) => {
    const [{ id }, to] = [await world.member(), await world.member()];
    const { id: recharge } = await world.recharge(id, 100_000);
    await decide((await ask(recharge, 2)).id);
    await world.settleRefunds("abnormal");
    await world.sweep("follow-card-refunds");
    // As one that was asked for before it was refused.
    await world.owner("update refunds set channel_status = 'CLOSED'");
    const waits = by === "a transfer" ? await offer(id, to.id, 60_000) : await ask(recharge, 2);
    await world.owner("update refunds set channel_status = 'ABNORMAL'");
    const [refund] = await world.owner<{ service_provider_id: string; id: string; order_id: string; refund_no: string }>(
      "select * from refunds",
    );
    const news = world.channel.decide(refund!.refund_no, "success");
    expect(await world.look((tx) => settleRefund(tx, world.services, refund!, news))).toBe("settled");
    const held =
      by === "a transfer" ? { "principal-held": 50_000, "gift-held": 10_000 } : { "principal-held": 100_000, "gift-held": 20_000 };
    expect(await world.balance(id)).toEqual(held);
    expect([...(await world.look(verifyValue)), ...(await world.look(verifyStored))]).toEqual([]);
    if (by === "a transfer") {
      const self = { service_provider_id: refund!.service_provider_id, merchant_id: world.tree.merchants.mch01.id, member_id: to.id };
      await world.look((tx) => answerTransfer({ ...caller(), tx }, self, waits.id, "accept"));
      expect(await world.balance(to.id)).toEqual({ principal: 50_000, gift: 10_000 });
    } else {
      await decide(waits.id, false);
      expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000 });
    }
  });
  test("a lot that nothing holds any more is let go of within a minute; what a card refund or a transfer holds stays", async () => {
    const [one, two, three] = [await world.member(), await world.member(), await world.member()];
    await ask((await world.recharge(one.id, 50_000)).id, 2);
    await world.recharge(two.id, 50_000);
    await offer(two.id, one.id, 20_000);
    const { id: recharge } = await world.recharge(three.id, 100_000);
    const [lot] = await world.owner<{ lot_id: string }>("select lot_id from recharges where id = $1", [recharge]);
    const { id: merchant_id, serviceProviderId: service_provider_id } = world.tree.merchants.mch01;
    const holder = { service_provider_id, merchant_id, member_id: three.id };
    // As no code of ours holds it.
    const act = { cause_id: randomUUID(), store_id: store().id };
    const poster = { ids: world.services.ids, now_ms: world.services.clock.now_ms() };
    await world.look((tx) => holdLot(tx, poster, holder, lot!.lot_id, act));
    expect(await world.look(verifyStored)).toMatchObject([{ rule: "a lot that is held has a card refund that waits" }]);
    for (const _ of [1, 2]) await world.sweep("sweep-lots");
    expect(await Promise.all([one, two, three].map(({ id }) => world.balance(id)))).toEqual([
      { "principal-held": 50_000 },
      { principal: 30_000, "principal-held": 20_000 },
      { principal: 100_000, gift: 20_000, points: 100 },
    ]);
  });
  test("takes back what its recharge gave and what it earned, each on its own, and points hold", async () => {
    await earnPoints(true);
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    await world.runJobs();
    expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 1_100 });
    await decide((await ask(recharge, 2)).id);
    await world.settleRefunds();
    expect(await world.balance(id)).toEqual({});
    expect(await world.look(verifyPoints)).toEqual([]);
    await emptyTables(world.owner, "point_earnings, point_rules");
  });
  test("goes back the way the money came as long as it can", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    await expect(ask(recharge, 2, { way: 1 })).rejects.toMatchObject({ fields: { way: "充值订单还能原路退回，请选择原路退" } });
  });
  test("of cash is offline: proved by one, confirmed by another", async () => {
    const { no, id } = await world.member();
    const cash = { storeId: store().id, memberNo: no, way: 1 as const, note: "收据" };
    const made = await world.call("mch01", addRecharge, { requestId: randomUUID(), amountCents: 50_000 as never, ...cash });
    await expect(ask(made.id, 2)).rejects.toMatchObject({ fields: { way: expect.stringContaining("线下") } });
    const asked = await ask(made.id, 2, { way: 1 });
    await decide(asked.id);
    await expect(world.call("sp01", confirmCardRefund, { id: asked.id })).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", proveCardRefund, { id: asked.id, evidence: "工行 20261124-0001" });
    await expect(world.call("mch01", confirmCardRefund, { id: asked.id })).rejects.toMatchObject({ code: "second-person" });
    await world.call("sp01", confirmCardRefund, { id: asked.id });
    expect(await world.balance(id)).toEqual({});
  });
  test("of money that was paid 365 days ago is offline, to the second; also where it was asked for in time and decided too late", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 50_000);
    const [order] = await world.owner<{ paid_at: string }>("select to_json(paid_at)#>>'{}' as paid_at from pay_orders");
    const paid_ms = Date.parse(order!.paid_at);
    const after = (ms: number) => world.services.clock.set(new Date(paid_ms + 365 * 86_400_000 + ms).toISOString());
    const only = async () => (await world.call("mch01", previewCardRefund, { rechargeId: recharge })).onlyOffline;
    const look = async () =>
      (await world.owner<{ way: number; status: number }>("select way, status from card_refunds order by created_at, id")).at(-1);
    after(-1_000);
    expect(await only()).toBe(null);
    const early = await ask(recharge, 2);
    // A second later the channel gives nothing back any more.
    after(0);
    await decide(early.id);
    expect(await look()).toEqual({ way: 1, status: 1 });
    expect(await world.owner("select id from refunds")).toEqual([]);
    await world.call("mch01", proveCardRefund, { id: early.id, evidence: "工行 20271120-0001" });
    await expect(world.call("mch01", confirmCardRefund, { id: early.id })).rejects.toMatchObject({ code: "second-person" });
    await world.call("sp01", confirmCardRefund, { id: early.id });
    expect(await look()).toEqual({ way: 1, status: 2 });
    expect(await world.balance(id)).toEqual({});
    expect((await world.call("mch01", getLiability, {})).principalCents).toBe(0);
  });
  test("asked for 365 days after the payment goes offline alone", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 50_000);
    const [order] = await world.owner<{ paid_at: string }>("select to_json(paid_at)#>>'{}' as paid_at from pay_orders");
    world.services.clock.set(new Date(Date.parse(order!.paid_at) + 365 * 86_400_000).toISOString());
    await expect(ask(recharge, 3)).rejects.toMatchObject({ fields: { way: expect.stringContaining("365 天") } });
    const asked = await ask(recharge, 3, { way: 1 });
    await decide(asked.id);
    await world.call("mch01", proveCardRefund, { id: asked.id, evidence: "工行 20281120-0001" });
    await world.call("sp01", confirmCardRefund, { id: asked.id });
    expect(await world.balance(id)).toEqual({});
  });
  test("of a lot that an open order draws of waits for that order", async () => {
    const { id } = await world.member();
    const { id: recharge } = await world.recharge(id, 100_000);
    const quoted = await world.till(store(), "quotePrice", {
      tillNo: "O",
      grossCents: 150_000,
      ticket: id,
      storedValueCents: 30_000 as never,
    });
    await world.till(store(), "createTillOrder", {
      tillNo: "O",
      subject: "午餐",
      grossCents: 150_000,
      quote: quoted.quote,
      ticket: id,
      tradeType: "NATIVE",
    });
    await expect(ask(recharge, 2)).rejects.toMatchObject({ status: 409, message: expect.stringContaining("未付款") });
  });
  test("against a spending at the same moment: one of them has the value", async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await world.member();
      const { id: recharge } = await world.recharge(id, 50_000);
      const shown = await world.call("mch01", previewCardRefund, { rechargeId: recharge });
      const tillNo = `X${n}`;
      const quoted = await world.till(store(), "quotePrice", { tillNo, grossCents: 50_000, ticket: id, storedValueCents: "most" });
      const both = await Promise.allSettled([
        world.call("mch01", askCardRefund, {
          requestId: randomUUID(),
          rechargeId: recharge,
          reason: 2,
          way: 0,
          paysCents: shown.sums[1]!.paysCents,
          note: "x",
        }),
        world.till(store(), "createTillOrder", { tillNo, subject: "午餐", grossCents: 50_000, quote: quoted.quote, ticket: id }),
      ]);
      expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });
});

describe("between members", () => {
  test("gift that was sent on is no gift any more: 退卡 does not pay the whole back beside it", async () => {
    await world.rule({ mode: "gift-first" });
    const [from, to] = [await world.member(), await world.member()];
    const { id: recharge } = await world.recharge(from.id, 100_000);
    const moved = { requestId: randomUUID(), ticket: from.id, toTicket: to.id, amountCents: 20_000 as never };
    expect(await world.atTill(transferBalance, moved)).toMatchObject({ principalCents: 0, giftCents: 20_000 });
    const { sums } = await world.call("mch01", previewCardRefund, { rechargeId: recharge });
    expect(sums.map(({ paysCents, refusal }) => [paysCents, refusal])).toEqual([
      [100_000, "已转给别人 200.00 元"],
      [83_333, null],
      [80_000, null],
    ]);
  });
  test("a part of lots goes over with its selling store; nothing is made or lost when two send at once", async () => {
    const [one, two] = [await world.member(), await world.member()];
    await world.recharge(one.id, 100_000);
    await world.recharge(two.id, 100_000);
    const send = (from: string, to: string) =>
      world.atTill(transferBalance, { requestId: randomUUID(), ticket: from, toTicket: to, amountCents: 6_000 as never }, 1);
    const sent = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => (n % 2 ? send(one.id, two.id) : send(two.id, one.id))));
    expect(sent.every(({ status }) => status === "fulfilled")).toBe(true);
    const [a, b] = [await world.balance(one.id), await world.balance(two.id)];
    expect([a["principal"]! + b["principal"]!, a["gift"]! + b["gift"]!]).toEqual([200_000, 40_000]);
    expect(await world.owner("select distinct sold_store_id from value_lots")).toEqual([{ sold_store_id: store().id }]);
  });
  test("not from who is frozen, not to oneself, not above what one may hold", async () => {
    const [one, frozen] = [await world.member(), await world.member()];
    await world.recharge(one.id, 100_000);
    await world.owner("update members set status = 2 where id = $1", [frozen.id]);
    const send = (to: string) =>
      world.atTill(transferBalance, { requestId: randomUUID(), ticket: one.id, toTicket: to, amountCents: 1 as never });
    await expect(send(frozen.id)).rejects.toMatchObject({ code: "member.frozen" });
    await expect(send(one.id)).rejects.toMatchObject({ fields: { toTicket: "不能转给自己" } });
  });
  test("not above the line from which the law wants an identity number", async () => {
    await world.rule({ idCardAboveCents: 100_000 as never, mode: "principal-first" });
    const [one, unknown] = [await world.member(), await world.member({ id_card: false })];
    await world.recharge(one.id, 100_000);
    await world.recharge(unknown.id, 100_000);
    const send = { requestId: randomUUID(), ticket: one.id, toTicket: unknown.id, amountCents: 1 as never };
    await expect(world.atTill(transferBalance, send)).rejects.toMatchObject({
      fields: { amountCents: "接收人储值将超过 1,000.00 元，须先登记证件号" },
    });
  });
});

test("whoever moves what a member holds takes the value before the row, as a merge does, so that the two never wait in a ring", async () => {
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  const free = "select pg_try_advisory_xact_lock(hashtextextended('value:' || $1::text || ':' || $2::text, 0)) as free";
  const { id, no } = await world.member();
  const { id: recharge } = await world.recharge(id, 100_000);
  const given = {
    requestId: randomUUID(),
    storeId: store().id,
    memberNo: no,
    kind: 1 as const,
    amountCents: 100 as never,
    reason: 2 as const,
  };
  for (const move of [() => world.call("mch01", adjustBalance, { ...given, note: "补偿" }), () => ask(recharge, 1)]) {
    let moving: Promise<unknown> | undefined;
    await world.look(async (tx) => {
      await sql`select 1 from members m where m.id = ${id} for no key update of m`.execute(tx);
      moving = move();
      while ((await world.owner(waits)).length === 0) await new Promise((then) => setTimeout(then, 10));
      expect(await world.owner(free, [world.tree.merchants.mch01.id, id])).toEqual([{ free: false }]);
    });
    await moving;
  }
});
test("改余额: what one person gives in a day stays within the line, however many pieces it comes in", async () => {
  const { id, no } = await world.member();
  const give = (cents: number) =>
    world.call("mch01", adjustBalance, {
      requestId: randomUUID(),
      storeId: store().id,
      memberNo: no,
      kind: 1,
      amountCents: cents as never,
      reason: 2,
      note: "补偿",
    });
  expect([(await give(30_000)).status, (await give(20_000)).status]).toEqual([1, 1]);
  const over = await give(1);
  expect([over.status, await world.balance(id)]).toEqual([0, { gift: 50_000 }]);
  await expect(world.call("mch01", decideAdjust, { id: over.id, approve: true })).rejects.toMatchObject({ code: "second-person" });
  await world.call("sp01", decideAdjust, { id: over.id, approve: true });
  expect(await world.balance(id)).toEqual({ gift: 50_001 });
});
test("改余额: gift by one, principal by two, never more than there is", async () => {
  const { id, no } = await world.member();
  await world.recharge(id, 100_000);
  const change = (kind: 1 | 2 | 3, cents: number) =>
    world.call("mch01", adjustBalance, {
      requestId: randomUUID(),
      storeId: store().id,
      memberNo: no,
      kind,
      amountCents: cents as never,
      reason: 2,
      note: "录错",
    });
  await change(1, 500);
  await change(2, 20_400);
  expect(await world.balance(id)).toMatchObject({ principal: 100_000, gift: 100 });
  await expect(change(2, 101)).rejects.toMatchObject({ status: 409 });
  const waits = await change(3, 40_000);
  expect([waits.status, (await world.balance(id))["principal"]]).toEqual([0, 100_000]);
  await expect(world.call("mch01", decideAdjust, { id: waits.id, approve: true })).rejects.toMatchObject({ code: "second-person" });
  await world.call("sp01", decideAdjust, { id: waits.id, approve: true });
  expect((await world.balance(id))["principal"]).toBe(60_000);
});

test("交班 tells recharges from sales; cash that passed no channel is handed over beside them, once", async () => {
  const shop = world.tree.merchants.mch01.stores[0]!;
  const { id, no } = await world.member();
  await world.recharge(id, 100_000);
  await world.till(shop, "createTillOrder", {
    tillNo: "SHIFT-1",
    subject: "午餐",
    grossCents: 3_000,
    tradeType: "MICROPAY",
    authCode: "130000000000000009",
  });
  const cash = { storeId: shop.id, memberNo: no, way: 1 as const, note: "收现金" };
  await world.call("mch01", addRecharge, { ...cash, requestId: randomUUID(), amountCents: 30_000 as never });
  const shift = await world.as("mch01", "getShift", { storeId: shop.id });
  expect(shift.total).toMatchObject({ payCount: 2, paidCents: 103_000, rechargeCents: 100_000, cardCents: 0, netCents: 103_000 });
  expect(shift.outside).toEqual([{ name: "充值现金", count: 1, cents: 30_000 }]);
  // The cashier's own shift has what tills took, not what the store took past them.
  expect((await world.as("mch01", "getShift", { storeId: shop.id, cashierId: shop.cashiers[0]!.id })).outside).toEqual([]);
  const seen = { storeId: shop.id, lastHandoverId: shift.lastHandoverId, lastEntryId: shift.lastEntryId! };
  await expect(world.as("mch01", "handOver", { ...seen, outsideCents: 0 as never })).rejects.toMatchObject({ code: "handover.outside" });
  const both = await Promise.allSettled([1, 2].map(() => world.as("mch01", "handOver", { ...seen, outsideCents: 30_000 as never })));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await world.call("mch01", addRecharge, { ...cash, requestId: randomUUID(), amountCents: 5_000 as never });
  const next = await world.as("mch01", "getShift", { storeId: shop.id });
  expect([next.total.payCount, next.outside]).toEqual([0, [{ name: "充值现金", count: 1, cents: 5_000 }]]);
  const { items } = await world.as("mch01", "listHandovers", { storeId: shop.id });
  expect(items[0]!.figures).toMatchObject({ total: { rechargeCents: 100_000, netCents: 103_000 }, outside: [{ count: 1, cents: 30_000 }] });
});

test("a new version of the rule is refused where another came before, and holds for the next recharge", async () => {
  await world.rule({ version: 1, tiers: [{ amountCents: 100_000 as never, giftCents: 1 }] });
  await expect(world.call("mch01", saveRechargeRules, { version: 1, tiers: [] })).rejects.toMatchObject({ code: "rule.changed" });
  await expect(
    world.call("mch01", saveRechargeRules, { version: 2, tiers: [{ amountCents: 450_000 as never, giftCents: 100_000 }] }),
  ).rejects.toMatchObject({
    status: 400,
    fields: { "tiers.0.giftCents": expect.stringContaining("上限") },
  });
  const { id } = await world.member();
  await world.recharge(id, 100_000);
  expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 1 });
  expect((await world.call("mch01", getRechargeRules, {})).rule).toMatchObject({ version: 2 });
});

// membership.md 9, example 1.
test("sold at A and spent at B: A owes B the principal, B bears the gift; every figure is the book's, folded or not", async () => {
  const { id } = await world.member();
  await world.recharge(id, 100_000);
  await spend(id, 12_000, 1);
  const seen = async () => ({
    consumption: (await world.call("mch01", summariseConsumption, {})).rows,
    statement: await world.call("mch01", getStatements, {}),
    liability: await world.call("mch01", getLiability, {}),
  });
  const fresh = await seen();
  expect(fresh.consumption).toMatchObject([
    { storeId: store(1).id, soldStoreId: store(0).id, principalCents: 10_000, giftCents: 2_000, count: 1 },
  ]);
  expect(fresh.statement.pairs).toMatchObject([{ owesId: store(0).id, owedId: store(1).id, principalCents: 10_000 }]);
  expect(fresh.statement.nets.reduce((sum, one) => sum + one.netCents, 0)).toBe(0);
  expect(fresh.liability).toMatchObject({
    principalCents: 90_000,
    giftCents: 18_000,
    byAge: [90_000, 0, 0],
    stores: [{ id: store(0).id, principalCents: 90_000 }],
    flow: { soldCents: 100_000, earnedCents: -10_000, closingCents: 90_000 },
  });
  await world.look((tx: Transaction) => foldValue(tx));
  expect(await seen()).toEqual(fresh);
  const rows = await world.call("mch01", listMoves, { report: "consumption" });
  expect(rows.items).toMatchObject([{ principalCents: -10_000, giftCents: -2_000, afterCents: 90_000, giftAfterCents: 18_000 }]);
  expect(await world.call("mch01", summariseRecharges, {})).toMatchObject({
    count: 1,
    principalCents: 100_000,
    byTier: [{ tierCents: 100_000 }],
  });
  expect((await world.call("mch02", listRecharges, {})).items).toEqual([]);
  expect((await world.call("mch02", getLiability, {})).principalCents).toBe(0);
  await filesSay(fresh);
});

/** The files of 储值汇总 say what the screen says, of any day, to whom it says it. */
async function filesSay({
  liability,
  statement,
}: {
  liability: { on: string; stores: object[] };
  statement: { month: string; pairs: object[] };
}) {
  const file = async (login: string, source: typeof storedLiabilityExport | typeof storedStatementExport, input: object) => {
    const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
    const scope = parseScope(user!.scope);
    const rows: Record<string, unknown>[] = [];
    await withScope(world.services.pool, scope, async (tx) => {
      for await (const batch of source.rows(tx, scope, source.input.parse(input) as never)) rows.push(...(batch as typeof rows));
      expect(await source.count(tx, scope, source.input.parse(input) as never)).toBe(rows.length);
    });
    return rows;
  };
  const told = (rows: readonly object[], keys: readonly string[]) =>
    rows.map((row) => keys.map((key) => (row as Record<string, unknown>)[key]));
  const { on } = liability;
  const sums = ["name", "principalCents", "halfYearCents", "yearCents", "olderCents", "giftCents"];
  expect(told(await file("mch01", storedLiabilityExport, { on }), sums)).toEqual(told(liability.stores, sums));
  expect(await file("mch01", storedLiabilityExport, { on: addDays(on, -1) })).toEqual([]);
  const owes = ["owes", "owed", "principalCents", "giftCents"];
  const { month } = statement;
  expect(told(await file("mch01", storedStatementExport, { month }), owes)).toEqual(told(statement.pairs, owes));
  // The store that spent sees who owes it; another merchant sees nothing.
  expect(await file("mch01", storedStatementExport, { month, storeId: store(1).id })).toHaveLength(1);
  expect(await file("mch01", storedStatementExport, { month, storeId: store(2).id })).toEqual([]);
  for (const source of [storedLiabilityExport, storedStatementExport]) expect(await file("mch02", source, { on, month })).toEqual([]);
}
