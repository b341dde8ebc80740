import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { hashPassword } from "../../accounts/server/index.ts";
import { closeOrder, settlePayment } from "../../orders/server/index.ts";
import {
  addCampaign,
  addCouponStock,
  decideCampaign,
  getCampaign,
  getCouponFigures,
  getCoupon,
  listCampaigns,
  listCoupons,
  steerCampaign,
  summariseCoupons,
  tryCampaign,
  updateCampaign,
  withdrawCampaign,
} from "../contract/index.ts";
import { couponsAgainst, couponCentre, dropCoupon, mustGive, ownCoupons, tillCoupons } from "./received/member-coupons.ts";
import { type CouponWorld, openCouponWorld, TERMS } from "./testing/coupon-world.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const PAY = { tradeType: "MICROPAY", authCode: "130000000000000009" };
const self = (id: string) => ({
  service_provider_id: world.tree.merchants.mch01.serviceProviderId,
  merchant_id: world.tree.merchants.mch01.id,
  id,
  status: 1,
});
const order = async (till_no: string) =>
  (await world.owner<{ id: string; status: number }>("select * from pay_orders where till_no = $1", [till_no]))[0]!;
const arrives = (tillNo: string, orderNo: string) =>
  world.look(async (tx) => settlePayment(tx, world.services, (await order(tillNo)) as never, world.channel.customerPays(orderNo) as never));
const closes = (tillNo: string) =>
  world.look(async (tx) => closeOrder(tx, world.services, (await order(tillNo)) as never, "超时" as never));
const uses = (coupon: string) =>
  world.owner<{ state: string }>("select state from coupon_uses where coupon_id = $1 order by at, state", [coupon]);
const received = async (terms = {}, more = {}) => {
  const [campaign, member] = [await world.campaign(terms, more), await world.member()];
  return { campaign, member, coupon: (await world.claim(campaign, member)).coupon_id };
};
const numberOf = async (coupon: string) => (await world.owner<{ no: string }>("select no from coupons where id = $1", [coupon]))[0]!.no;

describe("a campaign", () => {
  test("waits for another than who made it, and is approved as it was read", async () => {
    const { id } = await world.call("mch01", addCampaign, world.facts());
    await expect(world.call("mch01", decideCampaign, { id, version: 1, approve: true })).rejects.toMatchObject({
      status: 403,
      code: "second-person",
    });
    await expect(world.call("mch01", decideCampaign, { id, version: 1, approve: false })).rejects.toMatchObject({ code: "second-person" });
    await expect(world.call("mch02", decideCampaign, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 404 });
    const { requestId: _request, ...facts } = world.facts({ offCents: 1_500 });
    await world.call("mch01", updateCampaign, { id, version: 1, ...facts });
    await world.owner("update coupon_campaigns set made_by = gen_random_uuid() where id = $1", [id]);
    await expect(world.call("mch01", updateCampaign, { id, version: 2, ...facts })).rejects.toMatchObject({ status: 403 });
    await expect(world.call("mch01", decideCampaign, { id, version: 1, approve: true })).rejects.toMatchObject({ status: 409 });
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({
      state: "UNAUDIT",
      mayDecide: true,
      mayDecideAlone: false,
      version: 2,
    });
    await world.call("mch01", decideCampaign, { id, version: 2, approve: true });
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({
      state: "RUNNING",
      worth: "满 80 减 15",
      valueCents: 45_000,
      versions: [{ version: 2 }, { version: 1 }],
    });
    await expect(world.call("mch01", decideCampaign, { id, version: 2, approve: true })).rejects.toMatchObject({ status: 409 });
    await expect(world.call("mch01", withdrawCampaign, { id })).rejects.toMatchObject({ status: 403 });
  });
  test("of up to 1,000.00 its merchant's root runs alone, with the refund password", async () => {
    const small = await world.call("mch01", addCampaign, world.facts({}, { total: 50 }));
    const large = await world.call("mch01", addCampaign, world.facts({}, { total: 51 }));
    const decide = (id: string, refundPassword?: string) =>
      world.call("mch01", decideCampaign, { id, version: 1, approve: true, ...(refundPassword !== undefined && { refundPassword }) });
    await expect(decide(small.id, "135790")).rejects.toMatchObject({ code: "second-person" });
    const { serviceProviderId, id: merchant } = world.tree.merchants.mch01;
    await world.owner(
      "insert into merchant_settings (service_provider_id, merchant_id, refund_password_hash, updated_at) values ($1, $2, $3, now())",
      [serviceProviderId, merchant, await hashPassword("135790")],
    );
    await expect(decide(small.id)).rejects.toMatchObject({ fields: { refundPassword: "请输入退款密码" } });
    await expect(decide(small.id, "000000")).rejects.toMatchObject({ status: 400 });
    await expect(decide(large.id, "135790")).rejects.toMatchObject({ code: "second-person" });
    expect(await world.call("mch01", getCampaign, { id: small.id })).toMatchObject({ mayDecideAlone: true });
    await decide(small.id, "135790");
    expect(await world.owner("select alone from coupon_campaigns where id = $1", [small.id])).toEqual([{ alone: true }]);
    const more = { id: small.id, seen: 50, total: 51, refundPassword: "135790" };
    await expect(world.call("mch01", addCouponStock, more)).rejects.toMatchObject({ code: "second-person" });
    await world.call("mch01", withdrawCampaign, { id: large.id });
  });
  test("is refused where it can't be, at the field", async () => {
    const bad = (terms: object, more: object = {}) => world.call("mch01", addCampaign, world.facts(terms, more));
    const past = new Date(world.services.clock.now_ms() - 1_000).toISOString();
    await expect(bad({}, { endsAt: past })).rejects.toMatchObject({ fields: { endsAt: expect.any(String) } });
    const over = { mode: 2, from: "2020-01-01", to: "2020-01-02" } as const;
    await expect(bad({ validity: over })).rejects.toMatchObject({ fields: { "terms.validity.to": expect.any(String) } });
    await expect(bad({ kind: 3, goodsTags: ["none"] })).rejects.toMatchObject({ fields: { "terms.goodsTags": expect.any(String) } });
    await expect(bad({ kind: 3, skus: ["none"] })).rejects.toMatchObject({ fields: { "terms.skus": expect.any(String) } });
    await expect(bad({ storeIds: [world.tree.merchants.mch02.stores[0]!.id] })).rejects.toMatchObject({ status: 404 });
    await expect(bad({ offCents: null })).rejects.toMatchObject({ fields: { "terms.offCents": "请填写优惠金额" } });
    await expect(bad({ methods: ["MINI_PROGRAMS"] })).rejects.toMatchObject({ fields: { "terms.methods": expect.any(String) } });
    expect((await world.call("mch01", listCampaigns, {})).items).toEqual([]);
  });
  test("is found by a part of its name or number, a renamed one by its new name, and another's by nobody", async () => {
    const add = (login: string, name: string) => world.call(login, addCampaign, world.facts({}, { name }));
    const [tea, coffee] = [await add("mch01", "早餐 Tea 满减"), await add("mch01", "午餐咖啡")];
    const found = async (login: string, keyword: string) =>
      (await world.call(login, listCampaigns, { keyword })).items.map(({ id }) => id).toSorted();
    expect([
      await found("mch01", "tea"),
      await found("mch01", "餐"),
      await found("mch01", coffee.no.slice(2, 8)),
      await found("mch01", "晚餐"),
    ]).toEqual([[tea.id], [coffee.id, tea.id].toSorted(), [coffee.id], []]);
    await world.call("mch01", updateCampaign, { id: tea.id, version: 1, ...world.facts({}, { name: "晚餐" }) } as never);
    expect([await found("mch01", "tea"), await found("mch01", "晚餐"), await found("mch02", "晚餐")]).toEqual([[], [tea.id], []]);
  });
  test("is paused, resumed, stopped for ever, and gets more where the total is the one that was seen", async () => {
    const id = await world.campaign();
    const member = await world.member();
    await world.call("mch01", steerCampaign, { id, act: "pause" });
    await expect(world.claim(id, member)).rejects.toMatchObject({ code: "coupon.paused" });
    await world.call("mch01", steerCampaign, { id, act: "resume" });
    await world.claim(id, member);
    const stock = (seen: number, total: number) => world.call("mch01", addCouponStock, { id, seen, total });
    await expect(stock(29, 40)).rejects.toMatchObject({ status: 409 });
    await expect(stock(30, 30)).rejects.toMatchObject({ status: 400 });
    await stock(30, 40);
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({ total: 40, issued: 1, valueCents: 80_000 });
    await world.call("mch01", steerCampaign, { id, act: "stop" });
    await expect(world.call("mch01", steerCampaign, { id, act: "resume" })).rejects.toMatchObject({ status: 409 });
    await expect(world.claim(id, await world.member())).rejects.toMatchObject({ code: "coupon.over" });
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({ state: "STOPED", valueCents: 2_000 });
  });
  test("past its end is stopped by itself, and a coupon past its own is over", async () => {
    const { campaign, coupon, member } = await received({}, {});
    world.services.clock.advance(31 * 86_400_000);
    expect(await world.look((tx) => ownCoupons(tx, world.services, self(member), "gone"))).toMatchObject({ items: [{ state: "EXPIRED" }] });
    await world.sweep("end-coupon-campaigns", "expire-coupons");
    expect(await world.call("mch01", getCampaign, { id: campaign })).toMatchObject({ state: "STOPED", valueCents: 0 });
    expect(await world.state(coupon)).toBe("EXPIRED");
  });
  test("is tried on the orders of the last 30 days before it is made", async () => {
    await world.place("A", {}, PAY);
    await world.place("B", {}, PAY);
    const played = await world.call("mch01", tryCampaign, { terms: TERMS as never });
    expect(played).toMatchObject({
      orders: 2,
      withGoods: 2,
      uses: 2,
      costCents: 4_000,
      near: 0,
      valueCents: 2_000,
      mostCents: 10_000,
      whole: true,
    });
    expect(played.steps.reduce((sum, n) => sum + n, 0)).toBe(2);
    const missed = await world.call("mch01", tryCampaign, { terms: { ...TERMS, minCents: 12_000 } as never });
    expect(missed).toMatchObject({ uses: 0, costCents: 0, near: 2 });
  });
});

describe("a coupon at the till", () => {
  test("is read by its code, held by the order, used by its payment, and comes back with the whole of it", async () => {
    const { campaign, member, coupon } = await received();
    await world.place("A", { coupons: [await world.code(member, coupon)] }).then(async ({ orderNo }) => {
      expect([await world.state(coupon), (await uses(coupon))[0]?.state]).toEqual(["LOCKED", "HELD"]);
      expect(await world.look((tx) => couponsAgainst(tx, self(member)))).toContain("未付款");
      await arrives("A", orderNo);
    });
    expect(await order("A")).toMatchObject({ status: 2, coupon_cents: 2_000, paid_cents: 8_000 });
    expect([await world.state(coupon), (await uses(coupon))[0]?.state]).toEqual(["USED", "TAKEN"]);
    expect(await world.call("mch01", getCampaign, { id: campaign })).toMatchObject({
      offCents: 2_000,
      grossCents: 10_000,
      orders: 1,
      stores: [{ used: 1 }],
    });
    const { id: orderId } = await order("A");
    expect(await world.as("mch01", "previewRefund", { orderId, amountCents: 3_000 as never })).toMatchObject({
      coupons: [{ back: false }],
    });
    expect(await world.as("mch01", "previewRefund", { orderId, amountCents: 8_000 as never })).toMatchObject({
      coupons: [{ back: true, why: expect.stringContaining("退回") }],
    });
    await world.refund("A", 3_000);
    expect(await world.state(coupon)).toBe("USED");
    await world.refund("A", 5_000);
    expect([await world.state(coupon), (await uses(coupon))[0]?.state]).toEqual(["SENDED", "RETURNED"]);
    const { events } = await world.call("mch01", getCoupon, { id: coupon });
    expect(events.map(({ cause, to }) => `${cause} ${to}`)).toEqual(["claim SENDED", "order LOCKED", "paid USED", "refund SENDED"]);
  });
  test("is found by its number for who is known, by nobody else's, and `best` finds it by itself", async () => {
    const { member, coupon } = await received();
    const no = await numberOf(coupon);
    const listed = await world.look((tx) => tillCoupons(tx, self(member), new Date(world.services.clock.now_ms()).toISOString()));
    expect(listed).toMatchObject([{ no, name: "满减" }]);
    expect((await world.quote({ coupons: [no], ticket: member })).paidCents).toBe(8_000);
    expect((await world.quote({ coupons: "best", ticket: member })).paidCents).toBe(8_000);
    await expect(world.quote({ coupons: [no] })).rejects.toMatchObject({ status: 400 });
    await expect(world.quote({ coupons: [no], ticket: await world.member() })).rejects.toMatchObject({ status: 400 });
    await world.place("A", { coupons: "best", ticket: member }, PAY);
    expect([(await order("A")).status, await world.state(coupon)]).toEqual([2, "USED"]);
  });
  test("`best` looks at each campaign, however many coupons of another end before; one more coupon never makes it dearer", async () => {
    const day = { mode: 3, wait: 0, count: 1, unit: "day" } as const;
    const low = await world.campaign({ minCents: 0, offCents: 100, validity: day }, { total: 200, perPerson: 100 });
    const high = await world.campaign({ minCents: 0, offCents: 5_000 });
    const member = await world.member();
    for (let n = 0; n < 100; n++) await world.claim(low, member);
    const asked = () => world.quote({ coupons: "best", ticket: member }) as Promise<{ paidCents: number; compared?: { whole: boolean } }>;
    expect(await asked()).toMatchObject({ paidCents: 9_900, compared: { whole: true } });
    await world.claim(high, member);
    expect(await asked()).toMatchObject({ paidCents: 5_000, compared: { whole: true } });
  });
  test("by wrong codes: after five that name it the right one is not looked at either, until the minute is over", async () => {
    const member = await world.member();
    const { coupon_id, no } = await world.claim(await world.campaign(), member);
    const guess = (digits: string) => world.quote({ coupons: [`98${no}${digits}`] });
    for (let n = 0; n < 5; n++)
      await expect(guess(`0000000${n}`)).rejects.toMatchObject({ fields: { coupons: "券码无效或已过期，请顾客刷新后再扫" } });
    const right = async () => world.quote({ coupons: [await world.code(member, coupon_id)] });
    await expect(right()).rejects.toMatchObject({ fields: { coupons: "读错的券码太多，请一分钟后再试" } });
    // Another coupon at the same store is read all the same.
    const other = await world.member();
    const second = await world.claim(await world.campaign(), other);
    expect((await world.quote({ coupons: [await world.code(other, second.coupon_id)] })).paidCents).toBe(8_000);
    world.services.clock.advance(60_000);
    expect((await right()).paidCents).toBe(8_000);
  });
  test("by wrong codes: after thirty at a store it reads none for the rest of the minute, and other stores do", async () => {
    const member = await world.member();
    const { coupon_id } = await world.claim(await world.campaign(), member);
    for (let n = 0; n < 30; n++)
      await expect(world.quote({ coupons: [`98${String(n).padStart(10, "0")}00000000`] })).rejects.toMatchObject({ status: 400 });
    const code = await world.code(member, coupon_id);
    await expect(world.quote({ coupons: [code] })).rejects.toMatchObject({ fields: { coupons: "读错的券码太多，请一分钟后再试" } });
    expect((await world.quote({ coupons: [code] }, 1)).paidCents).toBe(8_000);
  });
  test("by guessing: of 60 wrong codes at once five are looked at, and a right one among those who wait is not", async () => {
    const member = await world.member();
    const { coupon_id, no } = await world.claim(await world.campaign(), member);
    const codes = Array.from({ length: 60 }, (_none, n) => `98${no}${String(n).padStart(8, "0")}`);
    const answers = await Promise.allSettled(codes.map((code, n) => world.quote({ coupons: [code] }, n % 2)));
    const said = answers.map((one) =>
      one.status === "rejected" ? (one.reason as { status: number; fields?: { coupons?: string } }) : undefined,
    );
    const looked = said.filter((one) => one?.fields?.coupons?.startsWith("券码无效"));
    expect([said.every((one) => one?.status === 400 || one?.status === 503), looked.length <= 5]).toEqual([true, true]);
    const right = async () => world.quote({ coupons: [await world.code(member, coupon_id)] });
    for (let n = 0; n < 5; n++) await world.quote({ coupons: [codes[n]!] }).catch(() => undefined);
    await expect(right()).rejects.toMatchObject({ fields: { coupons: "读错的券码太多，请一分钟后再试" } });
    // Of a hundred million, two are right at a moment: whoever guesses five times each minute of a whole day has one chance in seven thousand.
    expect((5 * 60 * 24 * 2) / 100_000_000).toBeLessThan(1 / 6_900);
    world.services.clock.advance(60_000);
    // Right ones are never counted: a busy till reads as many as come.
    for (let n = 0; n < 8; n++) expect((await right()).paidCents).toBe(8_000);
  });
  test("by codes at as many tills at once as there are connections: none waits for a second one", async () => {
    const campaign = await world.campaign({}, { total: 100 });
    const codes: string[] = [];
    for (let n = 0; n < world.services.pool.options.max; n++) {
      const member = await world.member();
      codes.push(await world.code(member, (await world.claim(campaign, member)).coupon_id));
    }
    const answers = await Promise.allSettled(codes.map((code) => world.quote({ coupons: [code] })));
    expect(answers.filter(({ status }) => status === "rejected")).toEqual([]);
  });
  test("by one code shown at two stores at once: one of them reads it, and used it is nobody's", async () => {
    const { member, coupon } = await received();
    const code = await world.code(member, coupon);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, (_none, n) => world.quote({ coupons: [code] }, n % 2)));
    const readers = new Set(answers.flatMap(({ status }, n) => (status === "fulfilled" ? [n % 2] : [])));
    expect(readers.size).toBe(1);
    const [store] = [...readers];
    await world.place("A", { coupons: [code] }, PAY, store);
    for (const at of [0, 1]) await expect(world.quote({ coupons: [code] }, at)).rejects.toMatchObject({ status: 400 });
  });
  test("by a code that is another store's reading, too old or used is refused, in the cashier's words", async () => {
    const { member, coupon } = await received();
    const code = await world.code(member, coupon);
    await world.quote({ coupons: [code] });
    await expect(world.quote({ coupons: [code] }, 1)).rejects.toMatchObject({ fields: { coupons: expect.stringContaining("刷新") } });
    world.services.clock.advance(11 * 60_000);
    await expect(world.quote({ coupons: [code] })).rejects.toMatchObject({ fields: { coupons: expect.stringContaining("刷新") } });
    await expect(world.quote({ coupons: ["98012345678901234567"] })).rejects.toMatchObject({ status: 400 });
    await world.place("A", { coupons: [await world.code(member, coupon)] }, PAY);
    expect(await world.code(member, coupon)).toBe("");
    world.services.clock.advance(11 * 60_000);
    await expect(world.quote({ coupons: [await numberOf(coupon)], ticket: member })).rejects.toMatchObject({
      fields: { coupons: "券不存在、已使用或已过期" },
    });
  });
  test("that another store or other hours are for says so, and `best` leaves it alone", async () => {
    const { member, coupon } = await received({ storeIds: [world.tree.merchants.mch01.stores[1]!.id] });
    await expect(world.quote({ coupons: [await world.code(member, coupon)] })).rejects.toMatchObject({
      fields: { coupons: "这张券不能在本店使用" },
    });
    expect((await world.quote({ coupons: "best", ticket: member })).paidCents).toBe(10_000);
    expect((await world.quote({ coupons: [await world.code(member, coupon)] }, 1)).paidCents).toBe(8_000);
  });
  test("at two tills at once is used by one order", async () => {
    const { member, coupon } = await received();
    const ask = { coupons: "best", ticket: member };
    const quotes = [await world.quote(ask), await world.quote(ask, 1)];
    const placed = await Promise.allSettled(
      quotes.map(({ quote }, store) =>
        world.till(world.tree.merchants.mch01.stores[store]!, "createTillOrder", {
          tillNo: `T${store}`,
          tradeType: "NATIVE",
          subject: "午餐",
          grossCents: 10_000 as never,
          lines: [
            { place: 1, name: "咖啡", units: 3, unitCents: 2_800, tags: ["drink"] },
            { place: 2, name: "蛋糕", units: 1, unitCents: 1_600 },
          ],
          quote,
          ticket: member,
        }),
      ),
    );
    expect(placed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [no] = placed.flatMap((one) => (one.status === "rejected" ? [one.reason as { status: number }] : []));
    expect(no?.status).toBe(409);
    expect((await uses(coupon)).map(({ state }) => state)).toEqual(["HELD"]);
  });
  test("is free again when its order closes; paid after that takes it", async () => {
    const { member, coupon } = await received();
    const { orderNo } = await world.place("A", { coupons: "best", ticket: member });
    const { items } = await world.look((tx) => ownCoupons(tx, world.services, self(member), "using"));
    expect(items).toMatchObject([{ couponId: coupon, order: { storeName: expect.any(String) as string, paidCents: 8_000 } }]);
    await closes("A");
    expect([await world.state(coupon), (await uses(coupon))[0]?.state]).toEqual(["SENDED", "RELEASED"]);
    await arrives("A", orderNo);
    expect([await world.state(coupon), (await uses(coupon))[0]?.state]).toEqual(["USED", "TAKEN"]);
  });
  test("used elsewhere meanwhile the merchant bears it", async () => {
    const { member, coupon } = await received();
    const { orderNo } = await world.place("A", { coupons: "best", ticket: member });
    await closes("A");
    await world.place("B", { coupons: "best", ticket: member }, PAY);
    await arrives("A", orderNo);
    expect(await order("A")).toMatchObject({ status: 2, short_cents: 2_000, coupon_cents: 0 });
    expect((await uses(coupon)).map(({ state }) => state).toSorted()).toEqual(["BORNE", "TAKEN"]);
  });
  test("that is over when its order closes or goes back is over, or a while longer by its terms", async () => {
    const one = await received();
    await world.place("A", { coupons: "best", ticket: one.member });
    world.services.clock.advance(8 * 86_400_000);
    await closes("A");
    expect(await world.state(one.coupon)).toBe("EXPIRED");
    const two = await received({ graceDays: 3 });
    await world.place("B", { coupons: "best", ticket: two.member }, PAY);
    world.services.clock.advance(8 * 86_400_000);
    await world.refund("B", 8_000);
    expect(await world.state(two.coupon)).toBe("SENDED");
    const mine = await world.look((tx) => ownCoupons(tx, world.services, self(two.member), "usable"));
    expect(Date.parse(mine.items[0]!.validTo)).toBeGreaterThan(world.services.clock.now_ms() + 3 * 86_400_000);
  });
});

describe("receiving", () => {
  test("200 claims by 50 for 30 pieces: exactly 30, nobody more than one, and who came first has one", async () => {
    const id = await world.campaign();
    const members: string[] = [];
    for (let n = 0; n < 50; n++) members.push(await world.member());
    const claims = await Promise.allSettled(Array.from({ length: 200 }, (_none, n) => world.claim(id, members[n % 50]!)));
    const got = claims.flatMap((one, n) => (one.status === "fulfilled" ? [n] : []));
    expect(got).toEqual(Array.from({ length: 30 }, (_none, n) => n));
    const why = new Set(claims.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : [])));
    expect([...why].toSorted()).toEqual(["coupon.gone", "coupon.person"]);
  });
  test("whoever comes in the same moment goes in one write", async () => {
    const campaign = await world.campaign();
    const members = [await world.member(), await world.member(), await world.member()];
    const got = await Promise.all(members.map((member) => world.claim(campaign, member)));
    expect(new Set(got.map(({ no }) => no)).size).toBe(3);
    const writes = "select count(distinct xmin::text)::int as n from coupons where campaign_id = $1";
    expect(await world.owner(writes, [campaign])).toEqual([{ n: 1 }]);
  });
  test("what is gone or has not begun is told for a second without a look at the stock; a claim that was answered hears its answer", async () => {
    const gives = (id: string, request: string) =>
      mustGive({ services: world.services, transaction: (fn) => world.look(fn) }, self(randomUUID()), id, request);
    const [id, member, request] = [await world.campaign({}, { total: 1 }), await world.member(), randomUUID()];
    await gives(id, request);
    await world.claim(id, member, request);
    world.services.clock.advance(1_001);
    await expect(gives(id, randomUUID())).rejects.toMatchObject({ code: "coupon.gone" });
    await expect(gives(id, request)).resolves.toBeUndefined();
    await world.call("mch01", addCouponStock, { id, seen: 1, total: 2 });
    await expect(gives(id, randomUUID())).rejects.toMatchObject({ code: "coupon.gone" });
    world.services.clock.advance(1_000);
    await expect(gives(id, randomUUID())).resolves.toBeUndefined();
    const later = await world.campaign({}, { beginsAt: new Date(world.services.clock.now_ms() + 60_000).toISOString() });
    await expect(gives(later, randomUUID())).rejects.toMatchObject({ code: "coupon.early" });
    world.services.clock.advance(60_000);
    await expect(gives(later, randomUUID())).resolves.toBeUndefined();
  });
  test("held at 23:59:59 and paid at 00:05 it is used, though it ended at midnight", async () => {
    const now_ms = world.services.clock.now_ms();
    const midnight = Date.parse(dayStart(addDays(shanghaiDay(now_ms), 1)));
    const day = { mode: 3, wait: 0, count: 1, unit: "day" } as const;
    const member = await world.member();
    const { coupon_id } = await world.claim(await world.campaign({ validity: day }), member);
    world.services.clock.advance(midnight - 1_000 - now_ms);
    const { orderNo } = await world.place("A", { coupons: "best", ticket: member });
    expect(await world.state(coupon_id)).toBe("LOCKED");
    world.services.clock.advance(301_000);
    await world.sweep("expire-coupons");
    await arrives("A", orderNo);
    expect([(await order("A")).status, await world.state(coupon_id)]).toEqual([2, "USED"]);
    expect(await world.owner("select state, off_cents::int as off from coupon_uses")).toEqual([{ state: "TAKEN", off: 2_000 }]);
    // Its use is the lock's in limits, and of the day on which it was paid in figures.
    const [today, yesterday] = [shanghaiDay(midnight), shanghaiDay(midnight - 1)];
    const used = async (of: string) => (await world.call("mch01", getCouponFigures, { from: of, to: of } as never)).total.used;
    expect([await used(yesterday), await used(today)]).toEqual([0, 1]);
  });
  test("the same claim twice is one coupon, and somebody else's is none", async () => {
    const id = await world.campaign({}, { perPerson: 5 });
    const [member, other, request] = [await world.member(), await world.member(), randomUUID()];
    const [first, second] = await Promise.all([world.claim(id, member, request), world.claim(id, member, request)]);
    expect(second).toEqual(first);
    expect((await world.claim(id, member, request)).coupon_id).toBe(first!.coupon_id);
    await expect(world.claim(id, other, request)).rejects.toMatchObject({ code: "coupon.again" });
  });
  test("nobody claims more than five a minute, and what was claimed may be asked for again", async () => {
    const [campaign_id, member, request_id] = [await world.campaign({}, { perPerson: 100 }), await world.member(), randomUUID()];
    await world.claim(campaign_id, member, request_id);
    for (let n = 0; n < 4; n++) await world.claim(campaign_id, member);
    const hurried = (request?: string) => world.claim(campaign_id, member, request, true);
    await expect(hurried()).rejects.toMatchObject({ status: 429 });
    await expect(hurried(request_id)).resolves.toMatchObject({ no: expect.any(String) });
    world.services.clock.advance(61_000);
    // Nor five more than that at one moment.
    const came = await Promise.allSettled(Array.from({ length: 20 }, () => hurried()));
    expect(came.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });
  test("what one had before they were merged counts, and is theirs to use", async () => {
    const id = await world.campaign();
    const [from, into] = [await world.member(), await world.member()];
    await world.claim(id, from);
    await world.owner(
      "update members set merged_into = $2, status = 5, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
      [from, into],
    );
    await expect(world.claim(id, into)).rejects.toMatchObject({ code: "coupon.person" });
    expect((await world.quote({ coupons: "best", ticket: into })).paidCents).toBe(8_000);
  });
  test("a stop waits for those who are being served, and nobody is served after it", async () => {
    const id = await world.campaign({}, { total: 1_000 });
    const members: string[] = [];
    for (let n = 0; n < 20; n++) members.push(await world.member());
    const claims = members.map((member) => world.claim(id, member).then(() => world.services.clock.now_ms()));
    const stop = world.call("mch01", steerCampaign, { id, act: "stop" });
    const settled = await Promise.allSettled(claims);
    await stop;
    const got = settled.filter(({ status }) => status === "fulfilled").length;
    expect(await world.call("mch01", getCampaign, { id })).toMatchObject({ state: "STOPED", issued: got });
    await expect(world.claim(id, await world.member())).rejects.toMatchObject({ code: "coupon.over" });
  });
  test("who ordered before they were merged is no new guest; who only recharged is one", async () => {
    const id = await world.campaign({ newOnly: true });
    const [from, into, saver] = [await world.member(), await world.member(), await world.member()];
    await world.place("A", { ticket: from }, PAY);
    await world.place("B", { ticket: saver }, PAY);
    await world.owner(
      "update members set merged_into = $2, status = 5, name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
      [from, into],
    );
    await world.owner("update pay_orders set purpose = 1 where till_no = 'B'");
    await expect(world.claim(id, into)).rejects.toMatchObject({ code: "coupon.not-for" });
    expect((await world.look((tx) => couponCentre(tx, world.services, self(into)))).map(({ state }) => state)).toEqual(["closed"]);
    await expect(world.claim(id, saver)).resolves.toMatchObject({ no: expect.any(String) });
    await world.owner("update pay_orders set purpose = 0 where till_no = 'B'");
  });
  test("who it is not for hears why, at the counter and on their page", async () => {
    const id = await world.campaign({ newOnly: true });
    const member = await world.member();
    await world.place("A", { ticket: member }, PAY);
    await expect(world.claim(id, member)).rejects.toMatchObject({ code: "coupon.not-for" });
    const later = new Date(world.services.clock.now_ms() + 86_400_000).toISOString();
    await world.campaign({}, { beginsAt: later });
    await world.campaign({}, { listed: false });
    const shown = await world.look((tx) => couponCentre(tx, world.services, self(member)));
    expect(shown.map(({ state, why }) => [state, why])).toEqual([
      ["closed", "只给没下过单的新客"],
      ["early", "还没到领取时间"],
    ]);
  });
  test("the page says what is had and gone, and what is deleted is deleted", async () => {
    const { member, coupon, campaign } = await received({}, { total: 1 });
    const centre = async (id: string) =>
      (await world.look((tx) => couponCentre(tx, world.services, self(id)))).map(({ state, left }) => [state, left]);
    expect(await centre(member)).toEqual([["had", 0]]);
    expect(await centre(await world.member())).toEqual([["gone", 0]]);
    const mine = () => world.look((tx) => ownCoupons(tx, world.services, self(member), "usable"));
    expect(await mine()).toMatchObject({
      counts: { usable: 1, gone: 0 },
      items: [{ couponId: coupon, where: "全部门店", worth: "满 80 减 20" }],
    });
    const stranger = await world.member();
    const drop = (id: string) =>
      withScope(world.services.pool, platformScope("a member deletes"), (tx) => dropCoupon(tx, world.services, self(id), "会员", coupon));
    await expect(drop(stranger)).rejects.toMatchObject({ status: 404 });
    await drop(member);
    expect((await mine()).items).toEqual([]);
    await expect(drop(member)).rejects.toMatchObject({ status: 404 });
    expect(await world.call("mch01", getCampaign, { id: campaign })).toMatchObject({ coupons: [{ state: "DELETED", count: 1 }] });
  });
});

test("lists show the end of a number, sum up by state, and keep to who may see them", async () => {
  const { coupon, member } = await received();
  const other = await received();
  await world.place("A", { coupons: "best", ticket: member }, PAY);
  const all = await world.call("mch01", listCoupons, {});
  expect(all.items.map(({ id }) => id).toSorted()).toEqual([coupon, other.coupon].toSorted());
  expect(all.items.every(({ no }) => no.length === 4)).toBe(true);
  expect((await world.call("sp01", listCoupons, { state: "USED" })).items).toMatchObject([
    { id: coupon, offCents: 2_000, worth: "满 80 减 20" },
  ]);
  expect((await world.call("mch02", listCoupons, {})).items).toEqual([]);
  expect(await world.call("mch01", summariseCoupons, {})).toEqual({
    states: [
      { state: "SENDED", count: 1 },
      { state: "USED", count: 1 },
    ],
    more: false,
  });
  await expect(world.call("mch02", getCoupon, { id: coupon })).rejects.toMatchObject({ status: 404 });
  expect((await world.call("mch01", listCoupons, { keyword: await numberOf(coupon) })).items).toHaveLength(1);
});
