import { randomInt, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { merchantStatementExport, statementExport } from "../subsidies/statement-routes.ts";
import { fileRows } from "@zhangfang/server/testing/file-rows.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, parseScope, platformScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { findOrMake } from "../../../members/server/index.ts";
import {
  addCampaign,
  answerCampaign,
  answerStatement,
  askRevoke,
  countSendAudience,
  createSend,
  decideRevoke,
  getSend,
  listSendable,
  listSendRows,
  steerSend,
  coverMerchants,
  decideCampaign,
  getCampaign,
  listCampaigns,
  listStatements,
  listSubsidies,
  payStatement,
  summariseSubsidies,
  tryCampaign,
} from "../../contract/index.ts";
import { couponCentre, mustGive } from "../received/member-coupons.ts";
import { sendRowExport } from "../sends/send-routes.ts";
import { type CouponWorld, openCouponWorld, TERMS } from "../testing/coupon-world.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const idOf = (merchant: "mch01" | "mch02" | "mch03") => world.tree.merchants[merchant].id;
/** A member of another merchant than mch01. */
async function memberOf(merchant: "mch03"): Promise<string> {
  const { serviceProviderId, id: merchant_id, stores } = world.tree.merchants[merchant];
  const phone = `137${String(randomInt(10_000_000, 99_999_999))}`;
  const { id } = await withScope(world.services.pool, platformScope("a member of a test"), (tx) =>
    findOrMake(tx, world.services, {
      service_provider_id: serviceProviderId,
      merchant_id,
      store_id: stores[0]!.id,
      source: 1,
      by: { kind: "phone", phone, confirmed: true },
      stage: 1,
      name: "文新",
      by_name: "收银端",
    }),
  );
  return id;
}
const self = (merchant: "mch01" | "mch03", id: string) => ({
  service_provider_id: world.tree.merchants[merchant].serviceProviderId,
  merchant_id: idOf(merchant),
  id,
  status: 1,
});
/** A provider's campaign that another of the provider's people approved. */
async function campaign(
  percent: number,
  merchants: readonly ("mch01" | "mch03")[] = ["mch01", "mch03"],
  terms = {},
  more = {},
): Promise<string> {
  const provider = { percent, merchantIds: merchants.map(idOf) };
  const { id } = await world.call("sp01", addCampaign, world.facts(terms, { provider, ...more }));
  await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
  await world.call("sp01", decideCampaign, { id, version: 1, approve: true });
  return id;
}
const centre = (merchant: "mch01" | "mch03", member: string) =>
  world.look((tx) => couponCentre(tx, world.services, self(merchant, member)));
const PAID = { kind: 2, minCents: 0, offCents: null, percent: 88, capCents: 1_500 } as const;
const LINES = [
  { place: 1, name: "套餐", units: 2, unitCents: 3_990 },
  { place: 2, name: "茶", units: 1, unitCents: 2_550 },
];

describe("a provider's campaign", () => {
  test("is seen by the merchants it covers once it runs, and by nobody else", async () => {
    const provider = { percent: 70, merchantIds: [idOf("mch01"), idOf("mch03")] };
    const { id } = await world.call("sp01", addCampaign, world.facts({}, { provider }));
    const offered = async (login: string) => (await world.call(login, listCampaigns, { offered: true })).items.map((one) => one.id);
    expect(await offered("mch01")).toEqual([]);
    await expect(world.call("mch01", getCampaign, { id })).rejects.toMatchObject({ status: 404 });
    await expect(world.call("sp01", decideCampaign, { id, version: 1, approve: true })).rejects.toMatchObject({ code: "second-person" });
    await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
    await world.call("sp01", decideCampaign, { id, version: 1, approve: true });
    expect([await offered("mch01"), await offered("mch03"), await offered("mch02")]).toEqual([[id], [id], []]);
    expect((await world.call("mch01", listCampaigns, {})).items).toEqual([]);
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({
      cover: "ASKED",
      providerPercent: 70,
      funder: 1,
      covers: [],
      mayDecide: false,
    });
    expect(await world.call("sp01", getCampaign, { id })).toMatchObject({ merchants: 0, covers: [{ state: "ASKED" }, { state: "ASKED" }] });
    // What a merchant has nothing to say of.
    await expect(world.call("mch01", decideCampaign, { id, version: 1, approve: false })).rejects.toMatchObject({ status: 404 });
    await expect(world.call("mch02", answerCampaign, { id, accept: true })).rejects.toMatchObject({ status: 404 });
  });
  test("covers merchants of its own provider alone, with stores of theirs and no goods", async () => {
    const add = (provider: object | null, terms = {}) => world.call("sp01", addCampaign, world.facts(terms, { provider }));
    await expect(add(null)).rejects.toMatchObject({ fields: { "provider.merchantIds": "请选择适用商户" } });
    await expect(add({ percent: 50, merchantIds: [idOf("mch02")] })).rejects.toMatchObject({ status: 404 });
    const mine = { percent: 50, merchantIds: [idOf("mch01")] };
    await expect(add(mine, { kind: 3, skus: ["A"] })).rejects.toMatchObject({
      fields: { "terms.kind": expect.stringContaining("全场") as string },
    });
    await expect(
      add({ percent: 50, merchantIds: [idOf("mch01"), idOf("mch03")] }, { storeIds: [world.tree.merchants.mch01.stores[0]!.id] }),
    ).rejects.toMatchObject({ fields: { "terms.storeIds": expect.stringContaining("没有一家门店") as string } });
    await expect(add(mine, { levels: [2] })).rejects.toMatchObject({ fields: { "terms.levels": expect.any(String) as string } });
    await expect(add(mine, { storeIds: [world.tree.merchants.mch03.stores[0]!.id] })).rejects.toMatchObject({
      fields: { "terms.storeIds": expect.stringContaining("不属于适用商户") as string },
    });
    await expect(world.call("mch01", addCampaign, world.facts({}, { provider: mine }))).rejects.toMatchObject({
      fields: { "provider.percent": "商户的券由商户自己承担" },
    });
    expect(await world.call("sp01", tryCampaign, { terms: TERMS as never, merchantIds: [idOf("mch01")] })).toMatchObject({ orders: 0 });
  });
  test("asks who would bear a part; who said no gives none, and what was received stays good", async () => {
    const id = await campaign(70);
    const member = await world.member();
    const claims = () =>
      mustGive({ services: world.services, transaction: (fn) => world.look(fn) }, self("mch01", member), id, randomUUID());
    expect(await centre("mch01", member)).toEqual([]);
    await expect(claims()).rejects.toMatchObject({ status: 404 });
    await world.call("mch01", answerCampaign, { id, accept: true });
    await expect(world.call("mch01", answerCampaign, { id, accept: true })).rejects.toMatchObject({ status: 409 });
    expect(await centre("mch01", member)).toMatchObject([{ campaignId: id, state: "open" }]);
    const { coupon_id } = await world.claim(id, member);
    await world.call("mch01", answerCampaign, { id, accept: false });
    expect(await centre("mch01", member)).toEqual([]);
    await expect(world.claim(id, await world.member())).rejects.toMatchObject({ status: 409 });
    expect(await world.quote({ coupons: [await world.code(member, coupon_id)] })).toMatchObject({ paidCents: 8_000 });
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({ cover: "LEFT", issued: 1 });
  });
  test("one stock for all its merchants, and each coupon is good at its own", async () => {
    const id = await campaign(100, ["mch01"], {}, { total: 2 });
    expect(await world.call("sp01", coverMerchants, { id, merchantIds: [idOf("mch01"), idOf("mch03")] })).toEqual({ added: 1 });
    // Who made it says for nobody else whose orders it may be used in, and what waits is as it was read.
    await world.owner("update coupon_campaigns set made_by = (select id from users where login = 'sp01'), alone = true where id = $1", [
      id,
    ]);
    await expect(world.call("sp01", coverMerchants, { id, merchantIds: [idOf("mch03")] })).rejects.toMatchObject({ code: "second-person" });
    await world.owner("update coupon_campaigns set made_by = gen_random_uuid(), alone = false where id = $1", [id]);
    await expect(world.call("sp01", coverMerchants, { id, merchantIds: [idOf("mch02")] })).rejects.toMatchObject({ status: 404 });
    const [here, there] = [await world.member(), await memberOf("mch03")];
    await world.claim(id, here);
    const { coupon_id } = await world.claim(id, there);
    await expect(world.claim(id, await world.member())).rejects.toMatchObject({ code: "coupon.gone" });
    expect(await world.owner("select merchant_id from coupons where id = $1", [coupon_id])).toEqual([{ merchant_id: idOf("mch03") }]);
    const { no } = (await world.owner<{ no: string }>("select no from coupons where id = $1", [coupon_id]))[0]!;
    await expect(world.quote({ coupons: [no], ticket: here })).rejects.toMatchObject({ fields: { coupons: expect.any(String) as string } });
    expect((await world.call("sp01", getCampaign, { id })).covers.map(({ state }) => state)).toEqual(["ACCEPTED", "ACCEPTED"]);
  });
});

test("two members of one phone at two merchants never take one place, whatever each had under an earlier phone", async () => {
  const id = await campaign(100, ["mch01", "mch03"], {}, { perPerson: 3 });
  const [here, there] = [await world.member(), await memberOf("mch03")];
  await world.claim(id, here);
  // Who is here takes over the phone of who is there.
  await world.owner(
    `update member_identities i set subject_hash = (select j.subject_hash from member_identities j where j.member_id = $2 and j.kind = 'phone')
      where i.member_id = $1 and i.kind = 'phone'`,
    [here, there],
  );
  await world.claim(id, here);
  await world.claim(id, there);
  expect((await world.owner<{ nth: number }>("select nth from coupons order by nth")).map(({ nth }) => nth)).toEqual([1, 2, 3]);
  await expect(world.claim(id, here)).rejects.toMatchObject({ code: "coupon.person" });
});

describe("subsidies", () => {
  /** Example 7 of marketing.md 8, paid. */
  async function sold(tillNo: string): Promise<{ member: string; campaign: string }> {
    const id = await campaign(70, ["mch01"], PAID, { perPerson: 3 });
    await world.call("mch01", answerCampaign, { id, accept: true });
    const member = await world.member();
    const { no } = await world.claim(id, member);
    const { quote, paidCents } = await world.quote({ lines: LINES, coupons: [no], ticket: member });
    expect(paidCents).toBe(9_266);
    const placed = (await world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
      tillNo,
      tradeType: "MICROPAY",
      authCode: "130000000000000009",
      subject: "午餐",
      grossCents: 10_530 as never,
      lines: LINES,
      quote,
      ticket: member,
    })) as unknown as { status: number };
    expect(placed.status).toBe(2);
    return { member, campaign: id };
  }
  const claim = async () => (await world.call("mch01", summariseSubsidies, {})).openCents;
  const units = (tillNo: string, lineUnits: object) =>
    world.till(world.tree.merchants.mch01.stores[0]!, "refundTillOrder", {
      requestId: randomUUID(),
      tillNo,
      reason: "退菜",
      ...lineUnits,
    } as never);
  async function done(asked: Promise<unknown>): Promise<void> {
    const { refundNo } = (await asked) as { refundNo: string };
    await world.runJobs();
    world.channel.decide(refundNo, "success");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await world.runJobs();
  }

  test("a provider sends its own coupons to members of the merchants that take part, unseen, and pays its part of what they use", async () => {
    const id = await campaign(70, ["mch01", "mch03"], PAID, { perPerson: 3 });
    await world.call("mch01", answerCampaign, { id, accept: true });
    const [member] = [await world.member(), await memberOf("mch03")];
    const here = (await world.owner("select 1 from members where merchant_id = $1 and status in (1, 2)", [idOf("mch01")])).length;
    const send = (more: object) =>
      world.call("sp01", createSend, { requestId: randomUUID(), name: "回店", campaignId: id, filter: {}, ...more });
    expect((await world.call("sp01", listSendable, {})).items).toMatchObject([{ id }]);
    expect(await world.call("sp01", countSendAudience, { campaignId: id })).toEqual({ members: here });
    await expect(send({ filter: { merchantId: idOf("mch03") } })).rejects.toMatchObject({
      fields: { "filter.merchantId": "这家商户没有参加此券" },
    });
    await expect(send({ filter: { merchantId: idOf("mch02") } })).rejects.toMatchObject({ status: 404 });
    await expect(send({ filter: undefined, memberNos: ["9000000001"] })).rejects.toMatchObject({
      fields: { memberNos: "服务商只能按条件选会员" },
    });
    await world.owner("update coupon_stock set total = 10000 where campaign_id = $1", [id]);
    const { id: task, rows } = await send({ filter: { merchantId: idOf("mch01") } });
    await world.runJobs();
    expect(await world.call("sp01", getSend, { id: task })).toMatchObject({
      status: 2,
      mine: true,
      merchantName: null,
      waiting: 0,
      toMake: 0,
    });
    expect(rows).toBe(here);
    // The provider is told numbers and masks, and a merchant has nothing to say of it.
    const { items } = await world.call("sp01", listSendRows, { taskId: task, pageSize: 100 });
    expect(items.map(({ memberPhone }) => memberPhone).filter((phone) => phone !== null && !/^\d{3}\*{4}\d{4}$/.test(phone))).toEqual([]);
    for (const endpoint of [getSend, steerSend])
      await expect(world.call("mch01", endpoint as never, { id: task, act: "pause" } as never)).rejects.toMatchObject({ status: 404 });
    await expect(world.call("mch01", listSendRows, { taskId: task })).rejects.toMatchObject({ status: 404 });
    // Nor has it a file of the rows, which are its members' own.
    const { serviceProviderId } = world.tree.merchants.mch01;
    const inFile = (scope: Scope) =>
      withScope(world.services.pool, scope, (tx) => sendRowExport.count(tx, scope, { taskId: task }, world.services));
    expect(await inFile(parseScope(`SP|${serviceProviderId}|||||||`))).toBe(here);
    expect(await inFile(merchantScope(serviceProviderId, idOf("mch01")))).toBe(0);
    const [one] = await world.owner<{ no: string }>("select no from members where id = $1", [member]);
    const { id: theirs } = await world.call("mch01", createSend, {
      requestId: randomUUID(),
      name: "回店",
      campaignId: await world.campaign(),
      memberNos: [one!.no],
    });
    await expect(world.call("sp01", steerSend, { id: theirs, act: "pause" })).rejects.toMatchObject({ status: 404 });
    const [coupon] = await world.owner<{ no: string }>("select no from coupons where member_id = $1 and campaign_id = $2", [member, id]);
    const { quote } = await world.quote({ lines: LINES, coupons: [coupon!.no], ticket: member });
    await world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
      tillNo: "S1",
      tradeType: "MICROPAY",
      authCode: "130000000000000009",
      subject: "午餐",
      grossCents: 10_530 as never,
      lines: LINES,
      quote,
      ticket: member,
    });
    expect(await claim()).toBe(885);
    // Taken back by the provider's own people, of whoever's members they are.
    await world.call("sp01", askRevoke, { id: task, reason: "发错了" });
    await expect(world.call("mch01", decideRevoke, { id: task, approve: true })).rejects.toMatchObject({ status: 404 });
    await world.owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [task]);
    await world.call("sp01", decideRevoke, { id: task, approve: true });
    await world.runJobs();
    expect(await world.call("sp01", getSend, { id: task })).toMatchObject({ coupons: { usable: 0, used: 1 }, revoke: { status: 2 } });
  });
  test("a paid order's are claimed to the cent, a refund's units take theirs back, and the rest takes the rest", async () => {
    const { campaign: id } = await sold("P1");
    expect(await claim()).toBe(885);
    await done(units("P1", { units: [{ place: 1, units: 1 }] }));
    expect(await claim()).toBe(885 - 335);
    expect(await world.call("sp01", getCampaign, { id })).toMatchObject({ offCents: 1_264, providerCents: 885 });
    await done(units("P1", { amountCents: 9_266 - 3_511 }));
    expect(await claim()).toBe(0);
  });
  test("a month becomes a statement, the provider pays outside, and the merchant says whether it came", async () => {
    await sold("S1");
    const month = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 7);
    await world.sweep("make-subsidy-statements");
    expect((await world.call("sp01", listStatements, {})).items).toEqual([]);
    world.services.clock.advance(32 * 86_400_000);
    await world.sweep("make-subsidy-statements");
    await world.sweep("make-subsidy-statements");
    const { items } = await world.call("mch01", listStatements, {});
    expect(items).toMatchObject([{ month, earnedCents: 885, backCents: 0, dueCents: 885, state: "WAITING" }]);
    const { id } = items[0]!;
    expect((await world.call("mch01", listSubsidies, { statementId: id })).items).toMatchObject([{ cause: "payment", cents: 885 }]);
    const today = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
    const pay = (paidRef: string, paidOn = today) => world.call("sp01", payStatement, { id, paidOn, paidRef });
    await expect(pay("B1", "2099-01-01")).rejects.toMatchObject({ fields: { paidOn: "付款日期不能晚于今天" } });
    await expect(world.call("mch01", answerStatement, { id, received: true, reason: "" })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("sp02", payStatement, { id, paidOn: today, paidRef: "B1" })).rejects.toMatchObject({ status: 404 });
    await pay("B1");
    await world.call("mch01", answerStatement, { id, received: false, reason: "没收到" });
    await pay("B2");
    const both = await Promise.allSettled([1, 2].map(() => world.call("mch01", answerStatement, { id, received: true, reason: "" })));
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await world.call("mch01", summariseSubsidies, {})).toEqual({ openCents: 0, waitingCents: 0, paidCents: 0, settledCents: 885 });
  });
  test("what refunds take back after a settled month is carried over, and the next months pay it off", async () => {
    const { member, campaign: id } = await sold("C1");
    const next = async () => {
      world.services.clock.advance(32 * 86_400_000);
      await world.sweep("make-subsidy-statements");
    };
    await next();
    const first = (await world.call("sp01", listStatements, {})).items[0]!;
    const file = async (login: string, source: object) => {
      const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
      return fileRows(world.services, source as never, user!.scope);
    };
    const shown = (await world.call("sp01", listStatements, {})).items.map(({ month, dueCents }) => ({ month, dueCents }));
    expect(await file("sp01", statementExport)).toMatchObject(shown);
    const own = (await world.call("mch01", listStatements, {})).items.map(({ month, dueCents }) => ({ month, dueCents }));
    expect(await file("mch01", merchantStatementExport)).toMatchObject(own);
    expect(own.length).toBeGreaterThan(0);
    expect(await file("sp02", statementExport)).toEqual([]);
    const today = new Date(world.services.clock.now_ms() + 8 * 3_600_000).toISOString().slice(0, 10);
    await world.call("sp01", payStatement, { id: first.id, paidOn: today, paidRef: "B1" });
    await world.call("mch01", answerStatement, { id: first.id, received: true, reason: "" });
    await done(units("C1", { units: [{ place: 1, units: 1 }] }));
    expect(await claim()).toBe(-335);
    await next();
    expect((await world.call("sp01", listStatements, { state: "CARRIED" })).items).toMatchObject([{ backCents: 335, dueCents: -335 }]);
    await world.owner(
      "update coupon_campaigns set ends_at = now() + interval '10 years', state = 'RUNNING', stopped_at = null where id = $1",
      [id],
    );
    const { no } = await world.claim(id, member);
    const { quote } = await world.quote({ lines: LINES, coupons: [no], ticket: member });
    await world.till(world.tree.merchants.mch01.stores[0]!, "createTillOrder", {
      tillNo: "C2",
      tradeType: "MICROPAY",
      authCode: "130000000000000009",
      subject: "午餐",
      grossCents: 10_530 as never,
      lines: LINES,
      quote,
      ticket: member,
    });
    await next();
    expect((await world.call("sp01", listStatements, { state: "WAITING" })).items).toMatchObject([
      { carriedCents: -335, earnedCents: 885, dueCents: 550 },
    ]);
  });
});
