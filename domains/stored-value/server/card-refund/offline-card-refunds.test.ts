import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { points, verifyPoints } from "../../../points/server/index.ts";
import { addLot, verifyValue } from "../../../value-book/server/index.ts";
import {
  askCardRefund,
  confirmCardRefund,
  decideCardRefund,
  getCardRefund,
  getLiability,
  listOtherLots,
  previewCardRefund,
  proveCardRefund,
  transferBalance,
} from "../../contract/index.ts";
import { openStoredWorld, type StoredWorld } from "../testing/stored-world.ts";
import { verifyStored } from "../verify-stored.ts";

let world: StoredWorld;
beforeAll(async () => void (world = await openStoredWorld([points])));
beforeEach(async () => {
  await world.clean();
  await emptyTables(world.owner, "point_earnings, point_rules");
  await world.rule();
});
afterEach(async () =>
  expect([
    ...(await world.verify()),
    ...(await world.look(verifyValue)),
    ...(await world.look(verifyStored)),
    ...(await world.look(verifyPoints)),
  ]).toEqual([]),
);
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
/** A balance that was brought along: as a line of a sheet books it. */
async function bring(member_id: string, principal_cents: number, gift_cents: number, n = 0): Promise<string> {
  const { id: merchant_id, serviceProviderId: service_provider_id, stores } = shop();
  const lot = {
    cause: "opening",
    cause_id: randomUUID(),
    sold_store_id: stores[n]!.id,
    mode: "ratio",
    principal_cents,
    gift_cents,
  } as const;
  const poster = { ids: world.services.ids, now_ms: world.services.clock.now_ms() };
  return (await world.look((tx) => addLot(tx, poster, { service_provider_id, merchant_id, member_id }, lot)))!;
}
async function spend(member: string, cents: number): Promise<void> {
  const tillNo = `S${world.services.ids.digits(12)}`;
  const at = shop().stores[0]!;
  const quoted = await world.till(at, "quotePrice", { tillNo, grossCents: cents, ticket: member, storedValueCents: "most" });
  await world.till(at, "createTillOrder", { tillNo, subject: "午餐", grossCents: cents, quote: quoted.quote, ticket: member });
}
const send = (from: string, to: string, cents: number) =>
  world.atTill(transferBalance, { requestId: randomUUID(), ticket: from, toTicket: to, amountCents: cents as never });
const otherLots = async (login = "mch01") => (await world.call(login, listOtherLots, {})).items;
const lotOf = async (memberId: string): Promise<string> => (await otherLots()).find((one) => one.memberId === memberId)!.id;
const ask = async (which: { lotId: string } | { rechargeId: string }, reason: 1 | 2 | 3, way: 0 | 1 = 1, more: object = {}) => {
  const { sums } = await world.call("mch01", previewCardRefund, which);
  return world.call("mch01", askCardRefund, {
    requestId: randomUUID(),
    ...which,
    reason,
    way,
    paysCents: sums[reason - 1]!.paysCents,
    note: "搬家",
    ...more,
  });
};
/** Asked for by the merchant, let go by the provider, proved by the one and confirmed by the other. */
async function payOffline(id: string): Promise<void> {
  await expect(world.call("mch01", decideCardRefund, { id, approve: true })).rejects.toMatchObject({ code: "second-person" });
  expect(await world.call("sp01", decideCardRefund, { id, approve: true })).toMatchObject({ status: 1 });
  await world.call("mch01", proveCardRefund, { id, evidence: "工行 20261124-0001" });
  await expect(world.call("mch01", confirmCardRefund, { id })).rejects.toMatchObject({ code: "second-person" });
  await world.call("sp01", confirmCardRefund, { id });
  await expect(world.call("sp01", confirmCardRefund, { id })).rejects.toMatchObject({ status: 409 });
}
const there = ([principal, gift]: readonly [number, number]) => ({ ...(principal > 0 && { principal }), ...(gift > 0 && { gift }) });
const flows = () =>
  world.owner<{ kind: string; n: number }>(
    `select a.kind, sum(p.amount)::int as n from value_postings p join value_accounts a on a.id = p.account_id
      where a.kind in ('returned', 'forfeited', 'gift-void', 'adjusted')
      group by 1 having sum(p.amount) <> 0 order by 1`,
  );

test("退卡 of what was brought along: offline alone, by two, with the legal sums; what was recharged beside it stays", async () => {
  const { id } = await world.member();
  const lotId = await bring(id, 50_000, 10_000);
  await spend(id, 12_000);
  await world.recharge(id, 30_000);
  const shown = await world.call("mch01", previewCardRefund, { lotId });
  expect(shown).toMatchObject({ rechargeId: null, lotId, usedCents: 12_000, points: 0, onlyOffline: "转来和导入的余额，只能线下退" });
  expect(shown.sums.map(({ paysCents, refusal }) => [paysCents, refusal])).toEqual([
    [50_000, "已消费 120.00 元"],
    [40_000, null],
    [38_000, null],
  ]);
  await expect(ask({ lotId }, 1)).rejects.toMatchObject({ fields: { reason: expect.stringContaining("已消费") } });
  await expect(ask({ lotId }, 3, 0)).rejects.toMatchObject({ fields: { way: expect.stringContaining("只能线下退") } });
  await expect(ask({ lotId }, 3, 1, { paysCents: 50_000 })).rejects.toMatchObject({ code: "card-refund.changed" });
  // Twice at once: one of them holds the lot.
  const twice = await Promise.allSettled([ask({ lotId }, 3), ask({ lotId }, 3)]);
  expect(twice.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await world.balance(id)).toEqual({ principal: 30_000, "principal-held": 40_000, "gift-held": 8_000 });
  const asked = twice.find((one) => one.status === "fulfilled")!.value;
  await payOffline(asked.id);
  expect(await world.balance(id)).toEqual({ principal: 30_000 });
  expect(await flows()).toEqual([
    { kind: "forfeited", n: 2_000 },
    { kind: "gift-void", n: 8_000 },
    { kind: "returned", n: 38_000 },
  ]);
  expect(await world.call("mch01", getCardRefund, { id: asked.id })).toMatchObject({
    status: 2,
    way: 1,
    rechargeId: null,
    orderNo: null,
    paysCents: 38_000,
    forfeitedCents: 2_000,
  });
  // No money of a channel moved, and what was brought along is owed no more.
  expect(await world.owner("select id from refunds")).toEqual([]);
  const { flow } = await world.call("mch01", getLiability, {});
  expect(flow).toMatchObject({
    soldCents: 30_000,
    importedCents: 50_000,
    earnedCents: -10_000,
    refundedCents: -40_000,
    closingCents: 30_000,
  });
  expect(await otherLots()).toEqual([]);
  await expect(ask({ lotId }, 2)).rejects.toMatchObject({ status: 409, message: "这一批已没有余额" });
});

test.each([
  ["ratio", [10_000, 2_000], [50_000, 40_000], [50_000, 10_000]],
  // What the mode drew is other than what was paid for, and what is paid back is the same.
  ["principal-first", [12_000, 0], [60_000, 48_000], [40_000, 20_000]],
  ["gift-first", [0, 12_000], [40_000, 40_000], [60_000, 0]],
] as const)(
  "退卡 of what another member moved here, of which a part went on, %s: everybody together gets what was paid for, to the cent",
  async (mode, ofThree, ofTwo, ofOne) => {
    await world.rule({ mode });
    const [one, two, three] = [await world.member(), await world.member(), await world.member()];
    const { id: rechargeId } = await world.recharge(one.id, 100_000);
    await send(one.id, two.id, 60_000);
    // The newest comes first.
    world.services.clock.advance(1_000);
    await send(two.id, three.id, 12_000);
    await world.recharge(two.id, 50_000);
    const rows = await otherLots();
    expect(
      rows.map(({ memberId, origin, principalCents, principalLeftCents }) => [memberId, origin, principalCents, principalLeftCents]),
    ).toEqual([
      [three.id, 1, ofThree[0], ofThree[0]],
      [two.id, 1, ...ofTwo],
    ]);
    const lotId = await lotOf(two.id);
    const { sums } = await world.call("mch01", previewCardRefund, { lotId });
    expect(sums.map(({ paysCents, refusal }) => [paysCents, refusal])).toEqual([
      [50_000, "已转给别人 120.00 元"],
      [40_000, null],
      [38_000, null],
    ]);
    // No seven days for whoever did not buy it.
    const third = await world.call("mch01", previewCardRefund, { lotId: await lotOf(three.id) });
    expect(third.sums[0]).toMatchObject({ refusal: "是别人转来的余额", grantable: false });
    await payOffline((await ask({ lotId }, 2)).id);
    expect([await world.balance(two.id), await world.balance(three.id)]).toEqual([{ principal: 50_000 }, there(ofThree)]);
    // 40 of the 100 points came with what is paid back by now.
    expect(await world.balance(one.id)).toEqual({ ...there(ofOne), points: 60 });
    await payOffline((await ask({ lotId: third.lotId }, 2)).id);
    const own = await ask({ rechargeId }, 2, 0);
    await world.call("sp01", decideCardRefund, { id: own.id, approve: true });
    await world.settleRefunds();
    expect(await flows()).toEqual([
      { kind: "gift-void", n: 20_000 },
      { kind: "returned", n: 100_000 },
    ]);
    expect([await world.balance(one.id), await world.balance(three.id)]).toEqual([{}, {}]);
  },
);

test("what was moved keeps the terms that it was sold under, also after the rule has changed and through two hands", async () => {
  await world.rule({ wishPays: "as-merchant" });
  const [one, two, three] = [await world.member(), await world.member(), await world.member()];
  await world.recharge(one.id, 100_000);
  await send(one.id, two.id, 24_000);
  await send(two.id, three.id, 12_000);
  await world.rule({ wishPays: "less-used" });
  await spend(three.id, 6_000);
  const { sums } = await world.call("mch01", previewCardRefund, { lotId: await lotOf(three.id) });
  expect(sums.map(({ paysCents }) => paysCents)).toEqual([10_000, 5_000, 5_000]);
});

test("principal first: who sends the principal on and spends the gift has been paid nothing for it", async () => {
  await world.rule({ mode: "principal-first" });
  const [one, two] = [await world.member(), await world.member()];
  const { id: rechargeId } = await world.recharge(one.id, 100_000);
  await send(one.id, two.id, 100_000);
  expect([await world.balance(one.id), await world.balance(two.id)]).toEqual([{ gift: 20_000, points: 100 }, { principal: 100_000 }]);
  const lotId = await lotOf(two.id);
  const preview = await world.call("mch01", previewCardRefund, { lotId });
  expect(preview).toMatchObject({ principalCents: 83_333, giftCents: 16_667, principalLeftCents: 100_000 });
  expect(preview.sums.map(({ paysCents }) => paysCents)).toEqual([83_333, 83_333, 83_333]);
  await payOffline((await ask({ lotId }, 2)).id);
  // The rest of what was paid for is with the gift.
  const own = await world.call("mch01", previewCardRefund, { rechargeId });
  expect(own.sums[1]).toMatchObject({ paysCents: 16_667 });
  await spend(one.id, 20_000);
  const spent = await world.call("mch01", previewCardRefund, { rechargeId });
  expect([spent.sums[1]!.paysCents, spent.refusal]).toEqual([0, "这一批已没有余额"]);
  expect(await flows()).toEqual([
    { kind: "forfeited", n: 16_667 },
    { kind: "returned", n: 83_333 },
  ]);
});

test("what was spent before it moved is reckoned by no mode against whoever has the rest, nor for them", async () => {
  for (const mode of ["principal-first", "gift-first"] as const) {
    await world.rule({ mode });
    const [one, two, three] = [await world.member(), await world.member(), await world.member()];
    await world.recharge(one.id, 100_000);
    await spend(one.id, 60_000);
    await send(one.id, two.id, 20_001);
    world.services.clock.advance(1_000);
    await send(one.id, three.id, 39_999);
    const pays = [];
    for (const { id } of [two, three]) {
      const { sums } = await world.call("mch01", previewCardRefund, { lotId: await lotOf(id) });
      pays.push(sums[1]!.paysCents);
    }
    // 500.00 is what the one who spent 600.00 of 1,000.00 and 200.00 would have had back.
    expect([mode, pays]).toEqual([mode, [16_668, 33_332]]);
  }
});

test("gift that a mode moved alone is worth its share of what was paid for, and stands in the list", async () => {
  await world.rule({ mode: "gift-first" });
  const [one, two] = [await world.member(), await world.member()];
  const { id: rechargeId } = await world.recharge(one.id, 100_000);
  await send(one.id, two.id, 20_000);
  expect(await world.balance(two.id)).toEqual({ gift: 20_000 });
  const own = await world.call("mch01", previewCardRefund, { rechargeId });
  const moved = await world.call("mch01", previewCardRefund, { lotId: await lotOf(two.id) });
  expect([own.sums[1]!.paysCents, moved.sums[1]!.paysCents, moved.refusal]).toEqual([83_333, 16_667, null]);
});

test("a store pays back what it sold; gift alone is no lot to pay back, and exactly one lot is named", async () => {
  const { id } = await world.member();
  const lotId = await bring(id, 5_000, 0, 1);
  const gift = await bring(id, 0, 700);
  expect((await otherLots()).map((one) => one.id)).toEqual([lotId]);
  expect(await otherLots("emp01")).toEqual([]);
  expect(await otherLots("mch02")).toEqual([]);
  for (const login of ["emp01", "mch02"])
    await expect(world.call(login, previewCardRefund, { lotId })).rejects.toMatchObject({ status: 404 });
  await expect(ask({ lotId: gift }, 2)).rejects.toMatchObject({ status: 409, message: expect.stringContaining("只有赠送") });
  await expect(world.call("mch01", previewCardRefund, {})).rejects.toMatchObject({ status: 400 });
  await expect(world.call("mch01", previewCardRefund, { lotId, rechargeId: lotId })).rejects.toMatchObject({ status: 400 });
});

test("a refund that was given up and may still arrive keeps what was moved out of its lot since from being paid back or moved on", async () => {
  const [one, two, three, four] = [await world.member(), await world.member(), await world.member(), await world.member()];
  const { id: rechargeId } = await world.recharge(one.id, 100_000);
  await send(one.id, two.id, 12_000);
  world.services.clock.advance(1_000);
  await world.call("sp01", decideCardRefund, { id: (await ask({ rechargeId }, 2, 0)).id, approve: true });
  await world.settleRefunds("abnormal");
  await world.sweep("follow-card-refunds");
  // As what was moved while the channel called it closed.
  await world.owner("update refunds set channel_status = 'CLOSED'");
  await send(one.id, three.id, 24_000);
  await send(three.id, four.id, 12_000);
  await world.owner("update refunds set channel_status = 'ABNORMAL'");
  const words = "原充值的退卡退款异常，处理完才能退";
  const refusals = await Promise.all(
    [two, three, four].map(async ({ id }) => (await world.call("mch01", previewCardRefund, { lotId: await lotOf(id) })).refusal),
  );
  // What was moved before it was asked for is no part of it.
  expect(refusals).toEqual([null, words, words]);
  await expect(ask({ lotId: await lotOf(four.id) }, 2)).rejects.toMatchObject({ status: 409, message: words });
  await expect(send(four.id, two.id, 100)).rejects.toMatchObject({ status: 409, code: "card-refund.abnormal" });
  await payOffline((await ask({ lotId: await lotOf(two.id) }, 2)).id);
  await world.owner("update refunds set channel_status = 'CLOSED'");
  expect((await ask({ lotId: await lotOf(four.id) }, 2)).ok).toBe(true);
});

/** A point for each yuan that is recharged. */
async function earnOnRecharge(): Promise<void> {
  const [saving, reading] = ["POST", "GET"].map((verb) =>
    points.routes.find(({ endpoint }) => endpoint.path === "/api/points/rule" && endpoint.verb === verb)!,
  );
  const { version, rule } = (await world.ask("mch01", reading!, {})) as { version: number; rule: { earn: object } };
  const earn = { ...rule.earn, on: true, points: 1, perCents: 100, onRecharge: true };
  await world.ask("mch01", saving!, { version, rule: { ...rule, earn } });
  world.services.clock.advance(60_000);
}

test("退卡 offline of what was moved takes back from its buyer what came with it and was earned, in proportion and once", async () => {
  await earnOnRecharge();
  const [one, two, three] = [await world.member(), await world.member(), await world.member()];
  const { id: rechargeId } = await world.recharge(one.id, 100_000);
  await world.runJobs();
  const points = async () => (await world.balance(one.id))["points"] ?? 0;
  expect(await points()).toBe(1_100);
  await send(one.id, two.id, 60_000);
  world.services.clock.advance(1_000);
  await send(two.id, three.id, 12_000);
  /** What the preview says that its buyer loses. */
  const shown = async (of: { id: string }) => {
    const { points: given, pointsThere, pointsOf, sums } = await world.call("mch01", previewCardRefund, { lotId: await lotOf(of.id) });
    return [pointsOf?.memberId, pointsThere, given, sums[1]!.earnedBack];
  };
  // 100.00 of 1,000.00 back: 100 of 1,000 earned; 120.00 of 1,200.00: 10 of 100 that came with it.
  expect(await shown(three)).toEqual([one.id, 1_100, 10, 100]);
  await payOffline((await ask({ lotId: await lotOf(three.id) }, 2)).id);
  expect(await points()).toBe(990);
  expect(await shown(two)).toEqual([one.id, 990, 40, 400]);
  await payOffline((await ask({ lotId: await lotOf(two.id) }, 2)).id);
  await world.runJobs();
  expect(await points()).toBe(550);
  const own = await world.call("mch01", previewCardRefund, { rechargeId });
  expect([own.pointsOf, own.points, own.sums[1]!.earnedBack]).toEqual([null, 50, 500]);
  await world.call("sp01", decideCardRefund, { id: (await ask({ rechargeId }, 2, 0)).id, approve: true });
  await world.settleRefunds();
  expect(await world.balance(one.id)).toEqual({});
  expect(await world.owner("select kept::int as kept from point_earnings")).toEqual([{ kept: 0 }]);
});

test("who moves everything keeps no points of it once the other is paid", async () => {
  await earnOnRecharge();
  const [one, two] = [await world.member(), await world.member()];
  await world.recharge(one.id, 100_000);
  await world.runJobs();
  await send(one.id, two.id, 120_000);
  await payOffline((await ask({ lotId: await lotOf(two.id) }, 2)).id);
  await world.runJobs();
  expect([await world.balance(one.id), await world.balance(two.id)]).toEqual([{}, {}]);
  // And each night asks so.
  await world.owner("update recharges set points = points - 1");
  expect(await world.look(verifyStored)).toMatchObject([
    { rule: "card refunds take back no more points than their recharge gave, whoever has its lots", count: 1 },
  ]);
  await world.owner("update recharges set points = points + 1");
});

test("退卡 offline takes back what the recharge earned, in proportion, as one on its order does", async () => {
  await earnOnRecharge();
  const { id } = await world.member();
  const { id: rechargeId } = await world.recharge(id, 50_000);
  world.services.clock.advance(1_000);
  const { id: second } = await world.recharge(id, 100_000);
  await world.runJobs();
  await spend(id, 12_500);
  // 500 and 1,000 by what was paid, 100 by the tier.
  expect(await world.balance(id)).toEqual({ principal: 137_500, gift: 20_000, points: 1_600 });
  const [order] = await world.owner<{ paid_at: string }>("select to_json(max(paid_at))#>>'{}' as paid_at from pay_orders");
  world.services.clock.set(new Date(Date.parse(order!.paid_at) + 365 * 86_400_000).toISOString());
  const { sums } = await world.call("mch01", previewCardRefund, { rechargeId });
  expect(sums.map(({ earnedBack }) => earnedBack)).toEqual([500, 375, 375]);
  await payOffline((await ask({ rechargeId }, 2)).id);
  await world.runJobs();
  // 375 of 500 went back: 125 are kept.
  expect(await world.balance(id)).toEqual({ principal: 100_000, gift: 20_000, points: 1_225 });
  await payOffline((await ask({ rechargeId: second }, 2)).id);
  expect(await world.balance(id)).toEqual({ points: 125 });
  expect(await world.owner("select kept::int as kept from point_earnings order by earned")).toEqual([{ kept: 125 }, { kept: 0 }]);
});
