import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { addDays, addMonths, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  extendTimesCard,
  addTimesProduct,
  getRights,
  getTerm,
  getTillOffers,
  getTimesCard,
  getVipRules,
  listTerms,
  listTimesCards,
  listTimesUses,
  lookAtTimesCards,
  previewTermRefund,
  previewTimesRefund,
  refundTerm,
  refundTimesCard,
  reverseTimesUse,
  reverseTimesUseAtTill,
  sellTerm,
  sellTermAtTill,
  sellTimesCard,
  sellTimesCardAtTill,
  setRights,
  setVipLevels,
  summariseTimesCards,
  summariseTimesUses,
  useTimesCard,
  useTimesCardAtDesk,
} from "../contract/index.ts";
import { addCampaign, decideCampaign } from "../../coupons/contract/index.ts";
import { coupons } from "../../coupons/server/index.ts";
import { settleRefund } from "../../orders/server/index.ts";
import { CODE, openVipWorld, type VipWorld } from "./testing/vip-world.ts";
import { levelMultiple, levelNamesOf, timesUsesSince, vip } from "./index.ts";
import { memberCodeOf, members } from "../../members/server/index.ts";
import { waitForHolder } from "../../value-book/server/index.ts";
import { lockLevel } from "./levels/follow-level.ts";
import { levelIs } from "./levels/member-level.ts";
import { mergeMember } from "./merge-member.ts";
import { TEST_PIN } from "../../pricing/server/testing/test-members.ts";

let world: VipWorld;
let product = "";
const LEVELS = [
  { rank: 1, name: "银卡", basis: "growth" as const, threshold: 100 },
  { rank: 2, name: "金卡", basis: "growth" as const, threshold: 300 },
  { rank: 5, name: "黑卡", basis: "paid" as const, priceCents: 19_900, months: 1 },
];
const RIGHTS = [
  { rank: 1, birthdayPoints: 100 },
  { rank: 2, discount: 95, birthdayPoints: 200, birthdayGiftCents: 1_000 },
  { rank: 5, discount: 90, multiple: 200 },
];
/** A campaign of mch01 that another approved. */
async function plantCampaign(): Promise<string> {
  const ask = (endpoint: typeof addCampaign | typeof decideCampaign, input: object) =>
    world.ask(
      "mch01",
      coupons.routes.find((one) => one.endpoint === endpoint)!,
      input,
    );
  const { id } = (await ask(addCampaign, {
    requestId: randomUUID(),
    name: "会员券",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 30, unit: "day" } },
    total: 30,
    perPerson: 1,
    beginsAt: new Date(world.services.clock.now_ms() - 1_000).toISOString(),
    endsAt: new Date(world.services.clock.now_ms() + 90 * DAY).toISOString(),
  })) as { id: string };
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
  await ask(decideCampaign, { id, version: 1, approve: true });
  return id;
}
const provider = () => world.tree.merchants.mch01.serviceProviderId;
const merchant = () => world.tree.merchants.mch01.id;
const DAY = 86_400_000;
const START = "2026-11-20T04:00:00.000Z";
beforeAll(async () => {
  world = await openVipWorld();
  await world.person("mch01", setVipLevels, { version: 0, levels: LEVELS });
  await world.person("mch01", setRights, { version: 0, rights: RIGHTS });
  const facts = { name: "洗车卡", times: 10, giftTimes: 2, priceCents: 50_000 as never, singlePriceCents: 6_000 as never, days: 90 };
  product = (await world.person("mch01", addTimesProduct, facts)).id;
});
afterEach(async () => {
  world.services.clock.set(START);
  expect(await world.breaches()).toEqual([]);
});
afterAll(() => world.close());

const stands = async (member: string) =>
  (
    await world.owner<{ rank: number; growth: number; earned: number }>(
      "select rank::int, earned_rank::int as earned, growth::int from vip_members where member_id = $1",
      [member],
    )
  )[0];
const history = async (member: string) =>
  (
    await world.owner<{ from: number; to: number; cause: string }>(
      `select rank_from::int as "from", rank_to::int as "to", cause from level_history where member_id = $1 order by at, id`,
      [member],
    )
  ).map(({ from, to, cause }) => `${from}→${to} ${cause}`);
const quoteOf = (member: string, unitCents = 10_000) =>
  world.till(world.store(), "quotePrice", { tillNo: "Q", lines: [{ place: 1, name: "套餐", units: 1, unitCents }], ticket: member });
let n = 0;
const sellCard = async (member: string, store = 0) => {
  world.services.clock.advance(1_000);
  const tillNo = `C${++n}`;
  await world.device(world.store(store), sellTimesCardAtTill, { tillNo, ticket: member, productId: product, ...CODE });
  return (
    await world.owner<{ id: string; no: string }>(
      "select c.id, c.card_no as no from times_cards c join pay_orders o on o.id = c.order_id where o.till_no = $1",
      [tillNo],
    )
  )[0]!;
};
const use = (member: string, cardNo: string, more: object = {}, store = 0) =>
  world.device(world.store(store), useTimesCard, { requestId: randomUUID(), ticket: member, cardNo, ...more });
const sellLevel = async (member: string, store = 0) => {
  world.services.clock.advance(1_000);
  const tillNo = `L${++n}`;
  await world.device(world.store(store), sellTermAtTill, { tillNo, ticket: member, rank: 5, ...CODE });
  return (
    await world.owner<{ id: string; first: string; last: string }>(
      "select t.id, t.first_day::text as first, t.last_day::text as last from vip_terms t join pay_orders o on o.id = t.order_id where o.till_no = $1",
      [tillNo],
    )
  )[0]!;
};
/** What the channel says of the refunds that are out, and what follows of it. */
const refundsAre = async (how: "success" | "closed" | "abnormal", but = "") => {
  await world.runJobs();
  for (const refundNo of world.channel.refunds.keys()) if (refundNo !== but) world.channel.decide(refundNo, how);
  world.services.clock.advance(60_000);
  await world.sweep("query-refunds");
  await world.runJobs();
  await world.sweep("follow-vip-refunds");
};
/** The refund of a term or a card. */
const refundOf = async (of: string) =>
  (
    await world.owner<{ service_provider_id: string; id: string; order_id: string; refund_no: string }>(
      "select * from refunds where id in (select refund_id from vip_terms where id = $1 union select refund_id from times_cards where id = $1)",
      [of],
    )
  )[0]!;
/** The money of a refund that was given up arrives after all. */
const arrive = (refund: Awaited<ReturnType<typeof refundOf>>) => {
  const news = world.channel.decide(refund.refund_no, "success");
  return world.look((tx) => settleRefund(tx, world.services, refund, news));
};
/** The row, if nobody holds it while `begin` waits for what is held here. */
async function rowWhileHeld(
  hold: (tx: Transaction) => Promise<unknown>,
  begin: () => Promise<unknown>,
  table: "vip_terms" | "times_cards",
  id: string,
): Promise<unknown[]> {
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  const there: { begun?: Promise<unknown>; rows: unknown[] } = { rows: [] };
  await world.look(async (tx) => {
    await hold(tx);
    there.begun = begin();
    while ((await world.owner(waits)).length === 0) await new Promise((then) => setTimeout(then, 10));
    there.rows = await world.owner(`select id from ${table} where id = $1 for update skip locked`, [id]);
  });
  await there.begun;
  return there.rows;
}
const bookOf = async (member: string) =>
  Object.fromEntries(
    (
      await world.owner<{ kind: string; cents: number }>(
        `select a.kind, sum(p.amount)::int as cents from value_postings p join value_accounts a on a.id = p.account_id
          join value_entries e on e.id = p.entry_id where e.owner_id = $1 group by 1 having sum(p.amount) <> 0`,
        [member],
      )
    ).map(({ kind, cents }) => [kind, cents]),
  );

describe("a level that is earned", () => {
  test("rises with the order that reaches it, is worth its discount at the next quote, and a refund undoes its own lift alone", async () => {
    const { id } = await world.member();
    const first = await world.buys(id, 15_050);
    expect(await stands(id)).toEqual({ rank: 1, earned: 1, growth: 150 });
    const second = await world.buys(id, 16_000);
    expect(await stands(id)).toEqual({ rank: 2, earned: 2, growth: 310 });
    expect(await quoteOf(id)).toMatchObject({ paidCents: 9_500, parts: [{ source: "member", name: "金卡 9.5 折", offCents: 500 }] });
    await world.givesBack(first, 15_050);
    expect(await stands(id)).toMatchObject({ rank: 2, growth: 160 });
    await world.givesBack(second, 6_000);
    expect(await stands(id)).toMatchObject({ rank: 1, growth: 100 });
    expect(await quoteOf(id)).toMatchObject({ paidCents: 10_000 });
    expect(await history(id)).toEqual(["0→1 order", "1→2 order", "2→1 refund"]);
  });
  test("falls at the end of its keep period to what the last twelve months reach, by the job of 00:10", async () => {
    const { id } = await world.member();
    await world.buys(id, 40_000);
    world.services.clock.set("2027-11-19T16:05:00.000Z");
    await world.sweep("follow-days");
    expect(await stands(id)).toMatchObject({ rank: 2 });
    world.services.clock.set("2027-11-19T16:11:00.000Z");
    await world.sweep("follow-days");
    expect(await stands(id)).toMatchObject({ rank: 0 });
    expect(await history(id)).toEqual(["0→2 order", "2→0 kept"]);
    await world.sweep("follow-days");
    expect(await history(id)).toHaveLength(2);
  });
  test("comes with a sheet by its name, also a store's, and falls after twelve months to what they reached; no other name, none that is bought", async () => {
    const sheet = members.imports[0]!;
    const [store] = await world.owner<{ number: string }>("select number from stores where id = $1", [world.store().id]);
    const rowOf = (level?: string) => ({
      phone: `137${world.services.ids.digits(8)}`,
      storeNumber: store!.number,
      ...(level && { level }),
    });
    const scope = storeScope(provider(), merchant(), world.store().id);
    const run = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => withScope(world.services.pool, scope, work);
    const rows = ["金卡", undefined, "钻石卡", "黑卡"].map(rowOf);
    const verdicts = await run((tx) => sheet.check(tx, scope, rows, randomUUID(), world.services));
    expect(verdicts.map((one) => ("errors" in one ? one.errors : "ok"))).toEqual([
      "ok",
      "ok",
      { level: "没有「钻石卡」这个等级，现有：银卡、金卡" },
      { level: "「黑卡」是付费等级，不能导入，请在「VIP订单」里开通" },
    ]);
    const principal: Principal = { kind: "user", id: randomUUID(), name: "店长", scope, holds: () => true };
    const now_ms = world.services.clock.now_ms();
    const author = { services: world.services, principal, scope, now_ms, now: new Date(now_ms).toISOString(), audit: async () => {} };
    const make = (at: number) => run((tx) => sheet.create(author, tx, (verdicts[at] as { value: unknown }).value));
    const [gold, none] = [await make(0), await make(1)];
    expect([await stands(gold), await stands(none)]).toEqual([{ rank: 2, earned: 2, growth: 0 }, undefined]);
    // What they spend less than it asks for lowers nothing; they pay 142.50 of it.
    world.services.clock.advance(DAY);
    await world.buys(gold, 15_000);
    expect(await stands(gold)).toEqual({ rank: 2, earned: 2, growth: 142 });
    world.services.clock.set("2027-11-19T16:05:00.000Z");
    await world.sweep("follow-days");
    expect(await stands(gold)).toMatchObject({ rank: 2 });
    world.services.clock.set("2027-11-19T16:11:00.000Z");
    await world.sweep("follow-days");
    expect(await history(gold)).toEqual(["0→2 import", "2→1 kept"]);
    const ref = { service_provider_id: provider(), merchant_id: merchant(), id: gold };
    expect((await world.look((tx) => vip.memberFacts!.levelSteps!(tx, ref))).map(({ from, to, cause }) => [from, to, cause])).toEqual([
      ["金卡", "银卡", "保级期满"],
      ["无等级", "金卡", "导入"],
    ]);
  });
});

describe("a level that is bought", () => {
  test("counts from the payment on, at every store, ends at 24:00, and then the earned level is back", async () => {
    const { id } = await world.member();
    await world.buys(id, 12_000);
    const term = await sellLevel(id, 1);
    expect([term.first, term.last]).toEqual(["2026-11-20", "2026-12-20"]);
    expect(await quoteOf(id)).toMatchObject({ paidCents: 9_000, parts: [{ name: "黑卡 9 折" }] });
    const where = {
      service_provider_id: provider(),
      merchant_id: merchant(),
      store_id: world.store(2).id,
      at: new Date(world.services.clock.now_ms()).toISOString(),
    };
    expect(await world.look((tx) => levelMultiple(tx, where, id))).toBe(200);
    // Outside the areas of their card a level is worth nothing: no discount, and points once (membership.md 7).
    const [card] = await world.owner<{ id: string }>(
      `insert into member_cards (service_provider_id, id, merchant_id, name, tone, form, everywhere, status, created_at)
       values ($1, gen_random_uuid(), $2, '一店卡', 'COLOR010', '21100000000', false, 2, now()) returning id`,
      [provider(), merchant()],
    );
    await world.owner("insert into card_places values ($1, $2, 'store', $3, $4)", [provider(), card!.id, world.store(0).id, merchant()]);
    await world.owner(
      `insert into card_holders (service_provider_id, id, merchant_id, store_id, card_id, member_id, code, way, by_name, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, $5, '123456789012', 'office', '店长', now())`,
      [provider(), merchant(), world.store(0).id, card!.id, id],
    );
    const at = (n: number) => world.look((tx) => levelMultiple(tx, { ...where, store_id: world.store(n).id }, id));
    expect([await at(0), await at(2)]).toEqual([200, 100]);
    await world.owner("delete from card_holders where card_id = $1", [card!.id]);
    expect([...(await world.look((tx) => levelNamesOf(tx, provider(), [id], "2026-12-20")))]).toEqual([[id, "黑卡"]]);
    expect([...(await world.look((tx) => levelNamesOf(tx, provider(), [id], "2026-12-21")))]).toEqual([[id, "银卡"]]);
    // A list is filtered by what it shows.
    const listedAt = async (rank: number, day: string): Promise<boolean> => {
      const { rows } = await world.look((tx) => sql<{ id: string }>`select m.id from members m where ${levelIs(rank, day)}`.execute(tx));
      return rows.some((row) => row.id === id);
    };
    expect([await listedAt(5, "2026-12-20"), await listedAt(1, "2026-12-20")]).toEqual([true, false]);
    expect([await listedAt(5, "2026-12-21"), await listedAt(1, "2026-12-21"), await listedAt(0, "2026-12-21")]).toEqual([
      false,
      true,
      false,
    ]);
    world.services.clock.set("2026-12-20T15:59:59.000Z");
    expect(await quoteOf(id)).toMatchObject({ paidCents: 9_000 });
    // No job has run yet.
    world.services.clock.set("2026-12-20T16:00:00.000Z");
    expect(await quoteOf(id)).toMatchObject({ paidCents: 10_000 });
    world.services.clock.set("2026-12-20T16:10:00.000Z");
    await world.sweep("end-vip-days", "follow-days");
    expect(await stands(id)).toMatchObject({ rank: 1, earned: 1 });
    expect(await world.person("mch01", getTerm, { id: term.id })).toMatchObject({ status: 5, level: { name: "银卡" } });
    expect(await history(id)).toEqual(["0→1 order", "1→5 term", "5→1 term"]);
  });
  test("appends where it is renewed", async () => {
    const { id } = await world.member();
    await sellLevel(id);
    expect(await sellLevel(id)).toMatchObject({ first: "2026-12-21", last: "2027-01-20" });
  });
  test("moves up where one before it goes back: who paid for a later one is never left without the level in between", async () => {
    const { id } = await world.member();
    const terms = [await sellLevel(id), await sellLevel(id), await sellLevel(id)];
    const [first, middle, last] = terms as [(typeof terms)[0], (typeof terms)[0], (typeof terms)[0]];
    expect(last).toMatchObject({ first: "2027-01-21", last: "2027-02-20" });
    const giveBack = async (term: string) => {
      await world.person("mch01", refundTerm, { requestId: randomUUID(), id: term, refundCents: 19_900 as never, reason: "不用了" });
      // Nothing moves before the money is back: the refund may fail.
      const asked = await world.person("mch01", getTerm, { id: last.id });
      await world.refundsArrive();
      return [asked.firstDay, (await world.person("mch01", getTerm, { id: last.id })).firstDay];
    };
    expect(await giveBack(middle.id)).toEqual(["2027-01-21", "2026-12-21"]);
    expect(await world.person("mch01", getTerm, { id: last.id })).toMatchObject({ status: 1, lastDay: "2027-01-20" });
    const today = shanghaiDay(world.services.clock.now_ms());
    expect(await giveBack(first.id)).toEqual(["2026-12-21", today]);
    expect(await stands(id)).toMatchObject({ rank: 5 });
    expect(await world.breaches()).toEqual([]);
  });
  test("moves up where its own refund fails after the one before it went back, and the next one behind it", async () => {
    const { id } = await world.member();
    const [first, second, third] = [await sellLevel(id), await sellLevel(id), await sellLevel(id)];
    for (const term of [first.id, second.id])
      await world.person("mch01", refundTerm, { requestId: randomUUID(), id: term, refundCents: 19_900 as never, reason: "不用了" });
    await refundsAre("success", (await refundOf(second.id)).refund_no);
    // It may still go back: until then it keeps its days.
    expect(await world.person("mch01", getTerm, { id: second.id })).toMatchObject({ status: 3, firstDay: second.first });
    world.services.clock.advance(3_600_000);
    await refundsAre("closed");
    const today = shanghaiDay(world.services.clock.now_ms());
    const again = await world.person("mch01", getTerm, { id: second.id });
    expect(again).toMatchObject({ status: 1, firstDay: today, lastDay: addMonths(today, 1) });
    expect(await world.person("mch01", getTerm, { id: third.id })).toMatchObject({ status: 1, firstDay: addDays(again.lastDay!, 1) });
    expect(await stands(id)).toMatchObject({ rank: 5 });
  });
  test("goes back whole within seven days, by days where it was used, and the sum that was seen has to hold", async () => {
    const { id } = await world.member();
    const [whole, used] = [await sellLevel(id), await sellLevel((await world.member()).id)];
    expect(await world.person("mch01", previewTermRefund, { id: whole.id })).toMatchObject({
      rule: "whole",
      refundCents: 19_900,
      used: null,
    });
    const ask = (term: string, refundCents: number) => ({
      requestId: randomUUID(),
      id: term,
      refundCents: refundCents as never,
      reason: "不用了",
    });
    await expect(world.person("mch01", refundTerm, ask(whole.id, 100))).rejects.toMatchObject({ status: 409, code: "refund.changed" });
    await expect(world.person("mch02", refundTerm, ask(whole.id, 19_900))).rejects.toMatchObject({ status: 404 });
    const given = ask(whole.id, 19_900);
    const asked = await world.person("mch01", refundTerm, given);
    expect(await world.person("mch01", refundTerm, given)).toEqual(asked);
    // From the request on.
    expect(await stands(id)).toMatchObject({ rank: 0 });
    await world.refundsArrive();
    expect(await world.person("mch01", getTerm, { id: whole.id })).toMatchObject({ status: 4, refundCents: 19_900 });
    const [owner] = await world.owner<{ member_id: string }>("select member_id from vip_terms where id = $1", [used.id]);
    await world.buys(owner!.member_id, 10_000);
    world.services.clock.set("2026-11-26T04:00:00.000Z");
    expect(await world.person("mch01", previewTermRefund, { id: used.id })).toMatchObject({
      rule: "days",
      daysLeft: 24,
      days: 30,
      refundCents: 15_920,
      used: "会员折扣 1 单",
    });
  });
  test("comes back where its refund fails, and ends by another one", async () => {
    const { id } = await world.member();
    const term = await sellLevel(id);
    const refund = () =>
      world.person("mch01", refundTerm, { requestId: randomUUID(), id: term.id, refundCents: 19_900 as never, reason: "不用了" });
    await refund();
    await world.runJobs();
    for (const refundNo of world.channel.refunds.keys()) world.channel.decide(refundNo, "closed");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await world.sweep("follow-vip-refunds");
    expect(await world.person("mch01", getTerm, { id: term.id })).toMatchObject({ status: 1 });
    expect(await stands(id)).toMatchObject({ rank: 5 });
    const [failed] = await world.owner<{ id: string }>(
      "select r.id from refunds r join vip_terms t on t.refund_id = r.id where t.id = $1",
      [term.id],
    );
    // Its level counts again: sent again as it stands, the money would go back beside it.
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed!.id })).rejects.toMatchObject({
      code: "refund.by-card",
    });
    await refund();
    await world.refundsArrive();
    expect(await world.person("mch01", getTerm, { id: term.id })).toMatchObject({ status: 4 });
    expect(await stands(id)).toMatchObject({ rank: 0 });
  });
  test("begins behind a term whose refund is on its way, which may not come", async () => {
    const { id } = await world.member();
    const first = await sellLevel(id);
    await world.person("mch01", refundTerm, { requestId: randomUUID(), id: first.id, refundCents: 19_900 as never, reason: "不用了" });
    const second = await sellLevel(id);
    await refundsAre("closed");
    expect(await world.person("mch01", getTerm, { id: first.id })).toMatchObject({ status: 1 });
    expect(second).toMatchObject({ first: addDays(first.last, 1) });
    expect(await world.breaches()).toEqual([]);
  });
  test("is not refunded once more while its abnormal refund may still arrive; what arrives beside another one is counted", async () => {
    const { id } = await world.member();
    const term = await sellLevel(id);
    const back = (refundCents: number) =>
      world.person("mch01", refundTerm, { requestId: randomUUID(), id: term.id, refundCents: refundCents as never, reason: "不用了" });
    await world.buys(id, 10_000);
    world.services.clock.set("2026-12-07T04:00:00.000Z");
    const { refundCents } = await world.person("mch01", previewTermRefund, { id: term.id });
    await back(refundCents);
    await refundsAre("abnormal");
    const abnormal = await refundOf(term.id);
    await expect(back(refundCents)).rejects.toMatchObject({ status: 409, message: "上一笔退款异常，处理完才能再退" });
    // As one that was asked for before it was refused.
    await world.owner("update refunds set channel_status = 'CLOSED' where id = $1", [abnormal.id]);
    await back(refundCents);
    await world.owner("update refunds set channel_status = 'ABNORMAL' where id = $1", [abnormal.id]);
    await refundsAre("success", abnormal.refund_no);
    await expect(arrive(abnormal)).resolves.toBe("settled");
    expect(await world.person("mch01", getTerm, { id: term.id })).toMatchObject({ status: 4, refundCents: 2 * refundCents });
  });
  test("of somebody who was merged is asked back, and is there again, under the lock of who they are now", async () => {
    const [{ id: into }, { id: from }] = [await world.member(), await world.member()];
    const term = await sellLevel(from);
    const of = { service_provider_id: provider(), merchant_id: merchant() };
    await world.owner("update members set status = 5, merged_into = $2 where id = $1", [from, into]);
    await world.look((tx) => mergeMember(tx, world.services, { ...of, from, into }));
    const rowWhile = (begin: () => Promise<unknown>) =>
      rowWhileHeld((tx) => lockLevel(tx, { ...of, member_id: into }), begin, "vip_terms", term.id);
    const ask = { requestId: randomUUID(), id: term.id, refundCents: 19_900 as never, reason: "不用了" };
    expect(await rowWhile(() => world.person("mch01", refundTerm, ask))).toEqual([{ id: term.id }]);
    await world.runJobs();
    world.channel.decide((await refundOf(term.id)).refund_no, "closed");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    expect(await rowWhile(() => world.sweep("follow-vip-refunds"))).toEqual([{ id: term.id }]);
    expect(await world.person("mch01", getTerm, { id: term.id })).toMatchObject({ status: 1 });
    expect(await stands(into)).toMatchObject({ rank: 5 });
  });
  test("is sold from the office by a code, once for its request, and ends as closed where nobody pays", async () => {
    const { no, id } = await world.member();
    const request = { requestId: randomUUID(), memberNo: no, storeId: world.store().id, rank: 5 };
    const sold = await world.person("mch01", sellTerm, request);
    expect(sold.codeUrl).toMatch(/^weixin/);
    expect(await world.person("mch01", sellTerm, request)).toEqual(sold);
    expect((await world.person("mch01", listTerms, { keyword: no })).items[0]).toMatchObject({ id: sold.id, status: 0, memberNo: no });
    world.services.clock.advance(3 * 3_600_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await world.person("mch01", getTerm, { id: sold.id })).toMatchObject({ status: 2 });
    expect(await stands(id)).toBeUndefined();
    await expect(world.person("mch01", sellTerm, { ...request, requestId: randomUUID(), memberNo: "0000000000" })).rejects.toMatchObject({
      fields: { memberNo: "没有这个会员号" },
    });
    await expect(
      world.person("emp01", sellTerm, { ...request, requestId: randomUUID(), storeId: world.store(1).id }),
    ).rejects.toMatchObject({ status: 404 });
  });
  test.each([
    [{ stage: 0 as const }, "member.unconfirmed"],
    [{ birthday: "2010-01-01" }, "member.minor"],
  ])("is not sold to a member of %o", async (facts, code) => {
    const { id } = await world.member(facts);
    await expect(world.device(world.store(), sellTermAtTill, { tillNo: `X${++n}`, ticket: id, rank: 5, ...CODE })).rejects.toMatchObject({
      status: 409,
      code,
    });
    await expect(world.device(world.store(), sellTermAtTill, { tillNo: `X${++n}`, ticket: id, rank: 1, ...CODE })).rejects.toMatchObject({
      status: 400,
    });
  });
  test("an ordinary refund does not touch it, and nothing of it is shared", async () => {
    const { id } = await world.member();
    await sellLevel(id);
    const [order] = await world.owner<{ id: string; profit_sharing: boolean; purpose: number }>(
      "select id, profit_sharing, purpose::int from pay_orders where member_id = $1",
      [id],
    );
    expect(order).toMatchObject({ profit_sharing: false, purpose: 2 });
    await expect(
      world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId: order!.id, amountCents: 100 as never, reason: "退" }),
    ).rejects.toMatchObject({ code: "refund.by-card" });
  });
});

describe("a times card", () => {
  test("is used at two stores, one use is taken back, and goes back by the customer's reason: the worked example, to the cent", async () => {
    const { id } = await world.member();
    expect((await world.device(world.store(1), getTillOffers, {})).timesProducts).toMatchObject([
      { name: "洗车卡", times: 10, giftTimes: 2 },
    ]);
    const card = await sellCard(id);
    const values = [];
    for (const store of [0, 1, 1]) {
      world.services.clock.advance(1_000);
      values.push(await use(id, card.no, {}, store));
    }
    expect(values.map(({ leftTimes }) => leftTimes)).toEqual([11, 10, 9]);
    expect(
      (await world.owner<{ v: number }>("select value_cents::int as v from times_uses where card_id = $1 order by at, id", [card.id])).map(
        ({ v }) => v,
      ),
    ).toEqual([4_167, 4_166, 4_167]);
    const fourth = await use(id, card.no);
    await world.device(world.store(), reverseTimesUseAtTill, { requestId: randomUUID(), useId: fourth.useId });
    await expect(
      world.device(world.store(), reverseTimesUseAtTill, { requestId: randomUUID(), useId: fourth.useId }),
    ).rejects.toMatchObject({ code: "times.reversed" });
    const preview = await world.person("mch01", previewTimesRefund, { id: card.id });
    expect(preview.reasons.map(({ refundCents, refusal }) => [refundCents, refusal])).toEqual([
      [50_000, "已核销 3 次"],
      [37_500, null],
      [32_000, null],
    ]);
    await world.person("mch01", refundTimesCard, {
      requestId: randomUUID(),
      id: card.id,
      reason: 3,
      refundCents: 32_000 as never,
      note: "搬家",
    });
    await expect(use(id, card.no)).rejects.toMatchObject({ status: 409, message: "次卡退款中，不能核销" });
    await world.refundsArrive();
    expect(await bookOf(id)).toEqual({ "times-sold": -50_000, "times-earned": 12_500, returned: 32_000, forfeited: 5_500 });
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 5, refundReason: 3, refundCents: 32_000 });
    expect(await world.person("mch01", summariseTimesCards, { keyword: card.no })).toMatchObject({
      soldCents: 50_000,
      earnedCents: 12_500,
      leftCents: 0,
      refundedCents: 32_000,
      forfeitedCents: 5_500,
    });
    // A store sees what was used there, wherever it was sold.
    expect((await world.person("emp01", listTimesUses, { keyword: card.no })).items).toHaveLength(2);
    expect(await world.person("mch01", summariseTimesUses, { keyword: card.no })).toMatchObject({
      times: 3,
      valueCents: 12_500,
      reversed: 1,
    });
  });
  test("is another member's to nobody, asks the PIN of who is known by a number alone, and one request is one use", async () => {
    const [{ id }, other] = [await world.member(), await world.member()];
    const card = await sellCard(id);
    await expect(use(other.id, card.no)).rejects.toMatchObject({ status: 400, fields: { cardNo: "会员没有这张次卡" } });
    await expect(use(`${id}/1`, card.no)).rejects.toMatchObject({ status: 400, fields: { pin: "请输入支付密码" } });
    const request = { requestId: randomUUID(), pin: TEST_PIN, times: 2 };
    const used = await use(`${id}/1`, card.no, request);
    expect(await use(`${id}/1`, card.no, request)).toEqual(used);
    expect(used).toMatchObject({ leftTimes: 10 });
    await expect(use(id, card.no, { times: 11 })).rejects.toMatchObject({ fields: { times: "次卡只剩 10 次" } });
  });
  test("is found at a desk by its member's code or by its number, used and taken back there, and asks who showed no code for the PIN", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    const storeId = world.store(1).id;
    const [row] = await world.owner<{ no: string; code_version: number }>("select no, code_version from members where id = $1", [id]);
    const code = memberCodeOf(world.services, { service_provider_id: provider(), id, ...row! });
    const shown = { memberNo: row!.no, proof: "full", cards: [{ cardNo: card.no, name: "洗车卡", left: 12, why: "" }] };
    expect(await world.person("mch01", lookAtTimesCards, { storeId, code })).toMatchObject(shown);
    // A code is good once.
    await expect(world.person("mch01", lookAtTimesCards, { storeId, code })).rejects.toMatchObject({
      status: 400,
      fields: { code: "会员码已用过，请顾客刷新后再扫" },
    });
    expect(await world.person("mch01", lookAtTimesCards, { storeId, code: card.no })).toMatchObject({ ...shown, proof: "weak" });
    await expect(world.person("mch01", lookAtTimesCards, { storeId, code: "000000000000" })).rejects.toMatchObject({
      status: 404,
      code: "times.none",
    });
    const atDesk = (more: object) =>
      world.person("mch01", useTimesCardAtDesk, {
        requestId: randomUUID(),
        storeId,
        ticket: `${id}/1`,
        cardNo: card.no,
        times: 2,
        ...more,
      });
    await expect(atDesk({})).rejects.toMatchObject({ status: 400, fields: { pin: "请输入支付密码" } });
    const used = await atDesk({ pin: TEST_PIN });
    expect(used).toMatchObject({ times: 2, leftTimes: 10 });
    const since = new Date(world.services.clock.now_ms() - 1_000).toISOString();
    const of = { service_provider_id: provider(), merchant_id: merchant(), store_id: storeId };
    const listed = (await world.look((tx) => timesUsesSince(tx, of, since))).find((one) => one.id === used.useId);
    expect(listed).toMatchObject({ title: "洗车卡", tail: card.no.slice(-4), times: 2, reversedAt: null });
    await world.person("mch01", reverseTimesUse, { id: used.useId, reason: "没洗成" });
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ leftTimes: 12, earnedCents: 0 });
    // Another merchant's desk finds neither code nor card.
    const foreign = world.tree.merchants.mch02.stores[0]!.id;
    await expect(world.person("mch01", lookAtTimesCards, { storeId: foreign, code: card.no })).rejects.toMatchObject({ status: 404 });
    await expect(world.person("mch02", lookAtTimesCards, { storeId: foreign, code: card.no })).rejects.toMatchObject({
      code: "times.none",
    });
  });
  test("is found by its number at the desk, but not by trying numbers: after thirty of one person theirs wait a minute, and nobody else's", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    const storeId = world.tree.merchants.mch01.stores[0]!.id;
    const look = (code: string, login = "mch01") => world.person(login, lookAtTimesCards, { storeId, code });
    world.services.clock.advance(60_000);
    for (let n = 0; n < 30; n++) await expect(look(String(n).padStart(12, "0"))).rejects.toMatchObject({ code: "times.none" });
    await expect(look(card.no)).rejects.toMatchObject({
      status: 400,
      code: "times.shut",
      fields: { code: "读错的次卡号太多，请改用会员码，或一分钟后再试" },
    });
    expect(await look(card.no, "area01")).toMatchObject({ cards: [{ cardNo: card.no }] });
    world.services.clock.advance(60_000);
    expect(await look(card.no)).toMatchObject({ cards: [{ cardNo: card.no }] });
    // A platform's voucher is no card however often it is looked at: one number alone is no guessing.
    for (let n = 0; n < 7; n++) await expect(look("100000000001")).rejects.toMatchObject({ code: "times.none" });
  });
  test("waits for its member's value before it is held: used, taken back and gone back alike", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    const of = { service_provider_id: provider(), merchant_id: merchant(), member_id: id };
    const rowWhile = (begin: () => Promise<unknown>) => rowWhileHeld((tx) => waitForHolder(tx, of), begin, "times_cards", card.id);
    const free = [{ id: card.id }];
    expect(await rowWhile(() => use(`${id}/1`, card.no, { pin: TEST_PIN }))).toEqual(free);
    const { useId } = await use(id, card.no);
    const takeBack = () => world.device(world.store(), reverseTimesUseAtTill, { requestId: randomUUID(), useId });
    expect(await rowWhile(takeBack)).toEqual(free);
    const note = "不要了";
    const ask = { requestId: randomUUID(), id: card.id, reason: 2 as const, refundCents: 45_833 as never, note };
    await world.person("mch01", refundTimesCard, ask);
    await world.runJobs();
    const refund = await refundOf(card.id);
    expect(await rowWhile(() => arrive(refund))).toEqual(free);
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 5, refundCents: 45_833 });
  });
  test("has its last time once, at whichever of two stores is first", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    await use(id, card.no, { times: 11 });
    const tried = await Promise.allSettled(Array.from({ length: 10 }, (_none, at) => use(id, card.no, {}, at % 2)));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 2, leftTimes: 0, earnedCents: 50_000 });
  });
  test("ends at 24:00, stays owed, is good again after an extension, and for one more day after a reversal", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    world.services.clock.set("2027-02-18T15:59:00.000Z");
    const late = await use(id, card.no);
    world.services.clock.set("2027-02-18T16:01:00.000Z");
    await expect(use(id, card.no)).rejects.toMatchObject({ status: 409, code: "times.ended" });
    world.services.clock.set("2027-02-18T16:10:00.000Z");
    await world.sweep("end-vip-days");
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 3, leftCents: 45_833 });
    const row = (await world.person("mch01", listTimesUses, { keyword: card.no })).items[0]!;
    await world.person("mch01", reverseTimesUse, { id: row.id, reason: "没洗成" });
    expect(late.useId).toBe(row.id);
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 1, lastDay: "2027-02-20", leftTimes: 12 });
    await expect(world.person("mch01", extendTimesCard, { id: card.id, lastDay: "2027-02-20", reason: "春节" })).rejects.toMatchObject({
      status: 400,
    });
    await world.person("mch01", extendTimesCard, { id: card.id, lastDay: "2027-03-31", reason: "春节" });
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ lastDay: "2027-03-31" });
  });
  test("a use is taken back within 24 hours, and not after", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    const { useId } = await use(id, card.no);
    world.services.clock.advance(DAY + 1);
    await expect(world.device(world.store(), reverseTimesUseAtTill, { requestId: randomUUID(), useId })).rejects.toMatchObject({
      code: "times.late",
    });
    // A store that neither used nor sold it knows nothing of it.
    await expect(world.device(world.store(2), reverseTimesUseAtTill, { requestId: randomUUID(), useId })).rejects.toMatchObject({
      status: 404,
    });
  });
  test("unused goes back whole within seven days, once for who had it before", async () => {
    const { id } = await world.member();
    const [first, second] = [await sellCard(id), await (world.services.clock.advance(1_000), sellCard(id))];
    const reasons = async (card: string) =>
      (await world.person("mch01", previewTimesRefund, { id: card })).reasons.map(({ refusal }) => refusal);
    expect(await reasons(first.id)).toEqual([null, null, null]);
    expect(await reasons(second.id)).toEqual(["顾客之前买过同一种次卡", null, null]);
    world.services.clock.set("2026-11-28T04:00:00.000Z");
    expect((await reasons(first.id))[0]).toBe("第 7 天是 2026-11-27，已过");
    world.services.clock.set("2026-11-27T04:00:00.000Z");
    const ask = { requestId: randomUUID(), id: first.id, reason: 1 as const, refundCents: 50_000 as never, note: "不要了" };
    const tried = await Promise.allSettled([
      world.person("mch01", refundTimesCard, ask),
      world.person("mch01", refundTimesCard, { ...ask, requestId: randomUUID(), reason: 2 }),
      use(id, first.no),
    ]);
    expect(tried.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(1);
    await world.refundsArrive();
  });
  test("is not refunded once more while its abnormal refund may still arrive; what arrives beside another one is booked", async () => {
    const { id } = await world.member();
    const card = await sellCard(id);
    await use(id, card.no, { times: 6 });
    const back = (refundCents: number) =>
      world.person("mch01", refundTimesCard, {
        requestId: randomUUID(),
        id: card.id,
        reason: 2,
        refundCents: refundCents as never,
        note: "不要了",
      });
    await back(25_000);
    await refundsAre("abnormal");
    const abnormal = await refundOf(card.id);
    await expect(back(25_000)).rejects.toMatchObject({ status: 409, message: "上一笔退款异常，处理完才能再退" });
    // As one that was asked for before it was refused.
    await world.owner("update refunds set channel_status = 'CLOSED' where id = $1", [abnormal.id]);
    await back(25_000);
    await world.owner("update refunds set channel_status = 'ABNORMAL' where id = $1", [abnormal.id]);
    await refundsAre("success", abnormal.refund_no);
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 5, refundCents: 25_000 });
    await expect(arrive(abnormal)).resolves.toBe("settled");
    expect(await world.person("mch01", getTimesCard, { id: card.id })).toMatchObject({ status: 5, refundCents: 50_000 });
    expect(await bookOf(id)).toEqual({ "times-sold": -50_000, "times-earned": 25_000, returned: 50_000, forfeited: -25_000 });
  });
  test("is sold from the office as well", async () => {
    const { no } = await world.member();
    const sold = await world.person("mch01", sellTimesCard, {
      requestId: randomUUID(),
      memberNo: no,
      storeId: world.store().id,
      productId: product,
    });
    world.channel.customerPays(sold.orderNo);
    world.services.clock.advance(10_000);
    await world.sweep("query-payments");
    await world.runJobs();
    expect(await world.person("mch01", getTimesCard, { id: sold.id })).toMatchObject({ status: 1, leftTimes: 12, lastDay: "2027-02-18" });
    expect((await world.person("mch02", listTimesCards, {})).items).toEqual([]);
  });
});

describe("a birthday", () => {
  test("brings what the level is worth once a year, also where the job runs twice, late, or the birthday is changed", async () => {
    const { id } = await world.member({ birthday: "1990-11-24" });
    const never = await world.member({ birthday: "1990-11-24" });
    await world.buys(id, 40_000);
    const run = () => world.sweep("give-birthday-rights");
    await run();
    expect(await bookOf(id)).toEqual({});
    world.services.clock.set("2026-11-30T00:00:00.000Z");
    await Promise.all([run(), run()]);
    expect(await bookOf(id)).toEqual({ "points-issued": -200, points: 200, granted: -1_000, gift: 1_000 });
    // The report 生日赠送 has it.
    expect(await world.owner("select cause, gift_cents::int as cents from value_moves where member_id = $1", [id])).toEqual([
      { cause: "birthday", cents: 1_000 },
    ]);
    await world.owner("update members set birthday = '1990-12-01' where id = $1", [id]);
    world.services.clock.set("2026-12-01T00:00:00.000Z");
    await run();
    expect(await bookOf(id)).toMatchObject({ points: 200, gift: 1_000 });
    expect(await bookOf(never.id)).toEqual({});
    expect((await world.person("mch01", getRights, {})).given).toEqual([
      { kind: "birthday-points", members: 1, value: 200 },
      { kind: "birthday-gift", members: 1, value: 1_000 },
    ]);
  });
});

describe("coupons of a level", () => {
  test("come on the birthday and once a month, whose campaign is not given out is refused", async () => {
    const { version } = await world.person("mch01", getRights, {});
    const campaign = await plantCampaign();
    const rights = (more: object) => [{ rank: 1 }, { rank: 2, ...more }];
    await expect(
      world.person("mch01", setRights, { version, rights: rights({ monthlyCouponId: randomUUID() }) } as never),
    ).rejects.toMatchObject({ fields: { "rights.1.monthlyCouponId": "这张优惠券不在发放中" } });
    const more = { birthdayCouponId: campaign, birthdayCouponCount: 1, monthlyCouponId: campaign, monthlyCouponCount: 2 };
    await world.person("mch01", setRights, { version, rights: rights(more) } as never);
    const { id } = await world.member({ birthday: "1990-11-24" });
    await world.buys(id, 40_000);
    const had = () =>
      world.owner<{ kind: string; period: string; status: number }>(
        `select g.kind, g.period, x.status from right_grants g join coupon_gifts x on x.cause = 'right' and x.cause_id = g.id where g.member_id = $1 order by 1, 2`,
        [id],
      );
    for (const at of ["2026-11-24T00:30:00.000Z", "2026-11-25T00:30:00.000Z", "2026-12-01T00:30:00.000Z"]) {
      world.services.clock.set(at);
      await world.sweep("give-birthday-rights");
      await Promise.all([world.sweep("give-monthly-coupons"), world.sweep("give-monthly-coupons")]);
    }
    expect((await had()).map(({ kind, period }) => [kind, period])).toEqual([
      ["birthday-coupons", "2026"],
      ["monthly-coupons", "2026-11"],
      ["monthly-coupons", "2026-11"],
      ["monthly-coupons", "2026-12"],
      ["monthly-coupons", "2026-12"],
    ]);
    const now = await world.person("mch01", getRights, {});
    expect(now.levels[1]).toMatchObject({ monthlyCouponId: campaign, monthlyCoupons: "满 80 减 20 的券 2 张" });
    await world.person("mch01", setRights, { version: now.version, rights: RIGHTS } as never);
  });
});

// Last: what came before stands by the first ladder, and the clock has been set back to it.
describe("a new ladder", () => {
  test("lifts at once and lowers nobody, and is not saved over one that was not seen", async () => {
    const { id } = await world.member();
    await world.buys(id, 12_000);
    const { version } = await world.person("mch01", getVipRules, {});
    world.services.clock.advance(1_000);
    await world.person("mch01", setVipLevels, {
      version,
      levels: [{ ...LEVELS[0]!, threshold: 50 }, { ...LEVELS[1]!, threshold: 120 }, LEVELS[2]!],
    });
    await world.runJobs();
    expect(await stands(id)).toMatchObject({ rank: 2 });
    world.services.clock.advance(1_000);
    await world.person("mch01", setVipLevels, { version: version + 1, levels: LEVELS });
    await world.runJobs();
    expect(await stands(id)).toMatchObject({ rank: 2 });
    expect(await history(id)).toEqual(["0→1 order", "1→2 rules"]);
    await expect(world.person("mch01", setVipLevels, { version, levels: [] })).rejects.toMatchObject({
      status: 409,
      code: "version.changed",
    });
  });
});
