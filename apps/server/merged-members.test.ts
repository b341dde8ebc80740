import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import {
  mergeMembers,
  closeMember,
  getMember,
  getMemberAccount,
  getMemberThings,
  revealMember,
  sendMergeCode,
} from "@zhangfang/domains/members/contract/index.ts";
import { plantTicket } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import { members } from "@zhangfang/domains/members/server/index.ts";
import { merchantScope } from "@zhangfang/server/database/scope.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { adjustPoints, savePointRule } from "@zhangfang/domains/points/contract/index.ts";
import { adjustBalance, decideCardRefund } from "@zhangfang/domains/stored-value/contract/index.ts";
import { addLot, addPoints, clawPoints } from "@zhangfang/domains/value-book/server/index.ts";
import {
  addTimesProduct,
  refundTimesCard,
  previewTimesRefund,
  sellTimesCardAtTill,
  setVipLevels,
  useTimesCard,
} from "@zhangfang/domains/vip/contract/index.ts";
import { levelNamesOf } from "@zhangfang/domains/vip/server/index.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { domains } from "./domains.ts";
import { POINT_RULE } from "./testing/flows/point-rule.ts";
import { type CustomerWorld, openCustomers, routeOf } from "./testing/customers.ts";

// Two records of one person become one, and a person leaves: what every room keeps of them.
const CASH = { tradeType: "MICROPAY" as const, authCode: "130000000000000009" };
const DAY = 86_400_000;
let customers: CustomerWorld;
let world: TillWorld;
let product = "";
const as = <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> =>
  world.ask(login, routeOf(endpoint), input as object) as Promise<OutputOf<E>>;
const till = <E extends Endpoint>(endpoint: E, input: InputOf<E>, store = 0): Promise<OutputOf<E>> =>
  world.askTill(world.tree.merchants.mch01.stores[store]!, routeOf(endpoint), input as object) as Promise<OutputOf<E>>;
beforeAll(async () => {
  customers = await openCustomers();
  ({ world } = customers);
  await as("mch01", savePointRule, { version: 0, rule: POINT_RULE } as never);
  await as("mch01", setVipLevels, { version: 0, levels: [{ rank: 1, name: "银卡", basis: "growth", threshold: 100 }] } as never);
  const facts = { name: "洗车卡", times: 10, giftTimes: 2, priceCents: 50_000 as never, singlePriceCents: 6_000 as never, days: 90 };
  product = (await as("mch01", addTimesProduct, facts)).id;
});
// An address gets thirty codes an hour.
beforeEach(() => world.services.clock.advance(3_700_000));
afterEach(async () => {
  await world.runJobs();
  expect(await world.verify()).toEqual([]);
  for (const { verify } of domains)
    if (verify)
      expect([verify.name, await world.look<unknown>((tx) => verify.run(tx, world.services.clock.now_ms()))]).toEqual([verify.name, []]);
});
afterAll(() => customers.close());

const refusal = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  if (error instanceof Refusal) return { status: error.status, code: error.code };
  throw error ?? new Error("was not refused");
};
const ticketOf = (member: string) => plantTicket({ till: world, services: world.services }, "mch01", 0, member);
let n = 0;
/** Goods at the first store, all of it by stored value where that is wished. @returns the till number */
async function buys(member: string, cents: number, stored = 0, pays = true): Promise<string> {
  const tillNo = `MM${++n}`;
  world.services.clock.advance(1_000);
  const sale = { tillNo, grossCents: cents as never, ticket: await ticketOf(member) };
  const { quote } = await world.till(world.tree.merchants.mch01.stores[0]!, "quotePrice", {
    ...sale,
    ...(stored > 0 && { storedValueCents: stored as never }),
  });
  const order = { ...sale, subject: "午餐", quote, ...(!pays ? { tradeType: "NATIVE" as const } : stored < cents ? CASH : {}) };
  await world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", order as never);
  await world.runJobs();
  return tillNo;
}
async function refundsArrive(): Promise<void> {
  await world.runJobs();
  for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "success");
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
}
async function givesBack(tillNo: string, cents: number): Promise<void> {
  await world.till(world.tree.merchants.mch01.stores[0]!, "refundTillOrder", {
    requestId: randomUUID(),
    tillNo,
    amountCents: cents as never,
    reason: "退菜",
  });
  await refundsArrive();
}
async function buysCard(member: string): Promise<{ id: string; no: string }> {
  const tillNo = `MC${++n}`;
  world.services.clock.advance(1_000);
  await till(sellTimesCardAtTill, { tillNo, ticket: await ticketOf(member), productId: product, ...CASH });
  await world.runJobs();
  const rows = await world.owner<{ id: string; no: string }>(
    "select c.id, c.card_no as no from times_cards c join pay_orders o on o.id = c.order_id where o.till_no = $1",
    [tillNo],
  );
  return rows[0]!;
}
/** The shop takes a times card back. */
async function askCardBack(id: string): Promise<void> {
  const { reasons } = await as("mch01", previewTimesRefund, { id });
  await as("mch01", refundTimesCard, { requestId: randomUUID(), id, reason: 2, refundCents: reasons[1]!.refundCents, note: "停业" });
}
const balances = async (member: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await world.owner<{ kind: string; balance: number }>(
        "select kind, balance::int as balance from value_accounts where owner_id = $1 and balance <> 0",
        [member],
      )
    ).map(({ kind, balance }) => [kind, balance]),
  );
const holder = (member_id: string) => {
  const { serviceProviderId, id } = world.tree.merchants.mch01;
  return { service_provider_id: serviceProviderId, merchant_id: id, member_id };
};
const poster = () => ({ ids: world.services.ids, now_ms: world.services.clock.now_ms() });
const givePoints = (member: string, points: number) =>
  world.look((tx) =>
    addPoints(tx, poster(), holder(member), {
      cause: "points-given",
      cause_id: randomUUID(),
      points,
      usable_from: shanghaiDay(world.services.clock.now_ms()),
      expires_on: null,
    }),
  );
/** Both phones have said yes by a code. */
async function merge(id: string, intoNo: string) {
  world.services.clock.advance(61_000);
  await as("mch01", sendMergeCode, { id });
  await as("mch01", sendMergeCode, { id, intoNo });
  await world.runJobs();
  const [into] = await world.owner<{ id: string }>("select id from members where no = $1", [intoNo]);
  const codeOf = async (member: string) => customers.lastCode((await as("mch01", revealMember, { id: member, reason: "核对手机" })).phone);
  const codes = { sms: await codeOf(id), intoSms: await codeOf(into!.id) };
  return as("mch01", mergeMembers, { id, intoNo, reason: "同一个人", ...codes });
}
const levelOf = async (id: string) =>
  (await world.look((tx) => levelNamesOf(tx, holder(id).service_provider_id, [id], shanghaiDay(world.services.clock.now_ms())))).get(id);

test("takes lots, points, times cards, debts and the level along; what comes back of old orders comes to who stays", async () => {
  const [from, into] = [await customers.joined("林小满"), await customers.joined("林满")];
  await customers.recharge(from.phone);
  await customers.recharge(into.phone);
  const old = await buys(from.id, 20_000);
  const stored = await buys(from.id, 11_000, 11_000);
  const card = await buysCard(from.id);
  expect(await levelOf(from.id)).toBe("银卡");
  // 500 + 50, of which 110 are spent: 100 of the principal and 10 of the gift. 200 points and 100 are earned, 20 were given.
  expect(await balances(from.id)).toEqual({ principal: 40_000, gift: 4_000, points: 320, times: 50_000 });
  expect(await balances(into.id)).toEqual({ principal: 50_000, gift: 5_000, points: 20 });

  await merge(from.id, into.no);
  expect(await balances(from.id)).toEqual({});
  expect(await balances(into.id)).toEqual({ principal: 90_000, gift: 9_000, points: 340, times: 50_000 });
  expect(await levelOf(into.id)).toBe("银卡");
  expect(await as("mch01", getMember, { id: from.id })).toMatchObject({ status: 5, mergedInto: into.id });
  // The page of who was merged is closed, the other's shows it all.
  expect((await from.phone.get("home")).status).toBe(401);
  expect((await into.phone.get("home")).body).toMatchObject({ principalCents: 90_000, giftCents: 9_000, points: 340, level: "银卡" });
  expect((await as("mch01", getMemberAccount, { id: into.id, account: "stored" })).entries[0]).toMatchObject({
    cause: "会员合并",
    after: 90_000,
  });

  // The shop sees what can be used and how the level moved, and the file of members has it too.
  expect(await as("mch01", getMemberThings, { id: into.id })).toMatchObject({
    coupons: [],
    timesCards: [{ no: card.no, name: "洗车卡", left: 12 }],
    level: "银卡",
    levels: [{ from: "无等级", to: "银卡" }],
  });
  const memberExport = members.exports!.find(({ name }) => name === "members")!;
  const filed: Readonly<Record<string, unknown>>[] = [];
  await world.look(async (tx) => {
    const { service_provider_id, merchant_id } = holder(into.id);
    const scope = merchantScope(service_provider_id, merchant_id);
    for await (const batch of memberExport.rows(tx, scope, memberExport.input.parse({}), world.services)) filed.push(...batch);
  });
  expect(filed.find(({ memberNo }) => memberNo === into.no)).toMatchObject({ level: "银卡" });
  expect(memberExport.columns.map(({ label }) => label)).toContain("等级");

  // The copy of one's data is of both records: what was bought and held under the old one is the person's own.
  const copy = (await into.phone.post("data", { sms: await customers.ownCode(into.phone, into.number, "data") })).body;
  expect((copy["订单"] as { 实付元: number }[]).map(({ 实付元 }) => 实付元).toSorted((a, b) => a - b)).toEqual([0, 200, 500, 500, 500]);
  expect(copy).toMatchObject({ 次卡: [{ 卡号: card.no, 剩余次数: 12, 状态: "使用中" }], 优惠券: [] });
  expect((copy["时间线"] as { 事: string }[]).filter(({ 事 }) => 事 === "入会")).toHaveLength(2);

  // Both orders go back, in part and whole: the stored value to its lot, the points are taken back; nothing comes to the old record.
  await givesBack(stored, 5_500);
  expect(await balances(into.id)).toMatchObject({ principal: 95_000, gift: 9_500, points: 290 });
  await givesBack(old, 20_000);
  expect(await balances(into.id)).toMatchObject({ points: 90 });
  expect(await balances(from.id)).toEqual({});
  // Its lift is undone as it would have been.
  expect(await levelOf(into.id)).toBeUndefined();

  // The card is used by who stays, and goes back.
  await till(useTimesCard, { requestId: randomUUID(), ticket: await ticketOf(into.id), cardNo: card.no });
  await askCardBack(card.id);
  await refundsArrive();
  expect(await balances(into.id)).not.toHaveProperty("times");

  // 退卡 of the old record's recharge, on its own order.
  const lots = (await into.phone.get("lots")).body as { items: { lotId: string; principalLeftCents: number }[] };
  const lot = lots.items.find(({ principalLeftCents }) => principalLeftCents === 45_000)!;
  const { sums } = (await into.phone.get(`lots/${lot.lotId}/refund`)).body as { sums: { paysCents: number }[] };
  const asked = { requestId: randomUUID(), lotId: lot.lotId, reason: 2, paysCents: sums[1]!.paysCents, note: "不用了" };
  const sms = await customers.ownCode(into.phone, into.number, "refund");
  const { id } = (await into.phone.post("card-refunds", { ...asked, sms })).body as { id: string };
  expect(await as("mch01", decideCardRefund, { id, approve: true })).toMatchObject({ status: 1 });
  await refundsArrive();
  expect(await balances(into.id)).toMatchObject({ principal: 50_000, gift: 5_000 });
  expect(await balances(from.id)).toEqual({});
});

test("pays debts with what the two have together", async () => {
  const [from, into] = [await customers.joined("周一"), await customers.joined("周壹")];
  const order = { id: randomUUID(), store_id: world.tree.merchants.mch01.stores[0]!.id };
  await world.look((tx) => clawPoints(tx, poster(), holder(from.id), order, { refund_id: randomUUID(), points: 70 }));
  await givePoints(into.id, 100);
  expect(await balances(from.id)).toEqual({ "points-debt": -70 });
  await merge(from.id, into.no);
  expect([await balances(from.id), await balances(into.id)]).toEqual([{}, { points: 30 }]);
});

test("is refused while either has something open, is not confirmed, waits for a second person, or would hold too much", async () => {
  const [one, two] = [await customers.joined("吴一"), await customers.joined("吴二")];
  await customers.recharge(one.phone);
  const open = await buys(one.id, 30_000, 5_000, false);
  for (const [id, into] of [
    [one.id, two.no],
    [two.id, one.no],
  ] as const)
    expect(await refusal(merge(id, into))).toEqual({ status: 409, code: "member.open" });
  await world.till(world.tree.merchants.mch01.stores[0]!, "closeTillOrder", { tillNo: open });
  await world.runJobs();
  await as("mch01", adjustPoints, { requestId: randomUUID(), memberNo: two.no, points: 20_000, reason: "event", note: "抽奖" });
  expect(await refusal(merge(one.id, two.no))).toEqual({ status: 409, code: "member.open" });
  await world.owner("update point_adjustments set status = 2, decided_at = now() where member_id = $1", [two.id]);
  await world.owner("update members set phone_confirmed_at = null where id = $1", [two.id]);
  expect(await refusal(merge(one.id, two.no))).toEqual({ status: 409, code: "member.unconfirmed" });
  await world.owner("update members set phone_confirmed_at = now() where id = $1", [two.id]);
  const gift = { cause: "opening" as const, cause_id: randomUUID(), sold_store_id: world.tree.merchants.mch01.stores[0]!.id };
  await world.look((tx) => addLot(tx, poster(), holder(two.id), { ...gift, mode: "ratio", principal_cents: 0, gift_cents: 450_000 }));
  expect(await refusal(merge(one.id, two.no))).toEqual({ status: 409, code: "stored.most" });
  expect(await balances(one.id)).toMatchObject({ principal: 50_000, gift: 5_000 });
});

test("a refund and a merge at once: whichever is first, it comes to who stays", async () => {
  for (let round = 0; round < 4; round++) {
    const [from, into] = [await customers.joined("郑一"), await customers.joined("郑壹")];
    await customers.recharge(from.phone);
    const stored = await buys(from.id, 11_000, 11_000);
    await Promise.all([givesBack(stored, 11_000), merge(from.id, into.no)]);
    expect([await balances(from.id), await balances(into.id)]).toEqual([{}, { principal: 50_000, gift: 5_000, points: 20 }]);
  }
});

test("who leaves gives up gifts and points by entries; principal, times and what is open keep them; what comes back later is paid offline", async () => {
  const member = await customers.joined("冯一");
  await customers.recharge(member.phone);
  const stored = await buys(member.id, 11_000, 11_000);
  const ask = (giveUp: boolean) => as("mch01", closeMember, { id: member.id, giveUp, reason: "本人要求" });
  expect(await refusal(ask(true))).toEqual({ status: 409, code: "member.principal" });
  // All of the rest is spent but gift and points.
  await as("mch01", adjustBalance, {
    requestId: randomUUID(),
    storeId: world.tree.merchants.mch01.stores[0]!.id,
    memberNo: member.no,
    kind: 1,
    reason: 1,
    note: "补偿",
    amountCents: 1_000 as never,
  });
  for (const cents of [20_000, 20_000, 4_000]) await buys(member.id, cents, cents);
  expect(await balances(member.id)).toEqual({ gift: 1_000, points: 518 });
  const card = await buysCard(member.id);
  expect(await refusal(ask(true))).toEqual({ status: 409, code: "member.times" });
  await askCardBack(card.id);
  expect((await refusal(ask(true))).status).toBe(409);
  await refundsArrive();
  expect(await refusal(ask(false))).toMatchObject({ status: 400 });
  await ask(true);
  world.services.clock.advance(8 * DAY);
  await world.sweep("close-members");
  expect(await as("mch01", getMember, { id: member.id })).toMatchObject({ status: 4, name: "" });
  expect(await balances(member.id)).toEqual({});
  const { entries } = await as("mch01", getMemberAccount, { id: member.id, account: "points" });
  expect(entries[0]).toMatchObject({ cause: "注销作废积分", after: 0 });
  // The order that was paid with stored value goes back: nothing comes to the bare id, the shop is told what it owes.
  await givesBack(stored, 11_000);
  expect(await balances(member.id)).toEqual({});
  const told = await world.owner<{ title: string }>("select title from messages where title like '%请线下退给顾客'");
  expect([...new Set(told.map(({ title }) => title))]).toEqual(["会员已注销，退款中的储值本金 ¥100.00 请线下退给顾客"]);
  expect((await member.phone.get("home")).status).toBe(401);
});
