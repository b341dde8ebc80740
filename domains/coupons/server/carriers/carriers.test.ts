import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { carryThrough, giveCouponChannel } from "../../../channels/server/index.ts";
import { startSimulator, testTransport, type TestSimulator } from "../../../channels/server/simulator-for-tests.ts";
import { setChannelSettings } from "../../../organisation/server/index.ts";
import { failAtCalls, live } from "../../../orders/server/testing/failpoints.ts";
import {
  addCampaign,
  addCouponStock,
  checkDifference,
  type CouponState,
  getCampaign,
  listDifferences,
  retryDifference,
  steerCampaign,
} from "../../contract/index.ts";
import { moveCoupons } from "../holding/move-coupons.ts";
import { type CouponWorld, openCouponWorld } from "../testing/coupon-world.ts";

let world: CouponWorld;
let simulator: TestSimulator;
beforeAll(async () => {
  world = await openCouponWorld();
  simulator = await startSimulator(1_000);
  const { id: merchantId, serviceProviderId } = world.tree.merchants.mch01;
  const { mode, appId, mchId, subMchId, certSerial, privateKeyPem, apiV3Key, platformKeys, baseUrl } = await simulator.register();
  await world.look((tx) =>
    setChannelSettings(tx, world.services, {
      serviceProviderId,
      merchantId,
      channel: 0,
      mode,
      appId,
      mchId,
      subMchId,
      certSerial,
      privateKeyPem,
      apiV3Key,
      platformKeys,
      baseUrl,
    }),
  );
  await world.owner("update channel_settings set state = 'active', proved_at = now()");
  const { busifavor, favor } = carryThrough(testTransport);
  giveCouponChannel(world.services, { busifavor: failAtCalls(busifavor), favor: failAtCalls(favor) });
});
beforeEach(() => world.clean());
afterEach(async () => {
  await simulator.control("DELETE faults");
  expect(await world.breaches()).toEqual([]);
});
afterAll(async () => {
  await simulator.stop();
  await world.close();
});

const PAY = { tradeType: "MICROPAY", authCode: "130000000000000009" };
const tell = () => world.sweep("tell-coupon-carriers");
/** Until nothing is due any more, however long WeChat needs. */
async function settle(rounds = 8): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await tell();
    world.services.clock.advance(61_000 + round * 1_800_000);
  }
}
interface There {
  readonly batches: readonly { stockId: string; state: string; total: number; given: { stock_name: string } }[];
  readonly codes: readonly { code: string; state: string; lastNo: string | null }[];
}
/** What the simulator holds for true of a campaign. */
async function there(campaign: string): Promise<There> {
  const { mirror } = await world.call("mch01", getCampaign, { id: campaign });
  if (!mirror?.stockId) return { batches: [], codes: [] };
  return (await simulator.control(`GET coupons?stockId=${mirror.stockId}`)) as There;
}
const stateThere = async (campaign: string) => (await there(campaign)).codes.map(({ state }) => state);
const differences = async (campaignId: string) => (await world.call("mch01", listDifferences, { campaignId })).items;
const calls = (operation: string) =>
  world.owner<{ number: string; outcome: string }>("select number, outcome from coupon_calls where operation = $1 order by id", [
    operation,
  ]);
const carried = (terms = {}, more = {}) => world.campaign(terms, { carrier: "busifavor", name: "午市满减", ...more });
/** A coupon of a campaign whose code is at WeChat. */
async function uploaded(terms = {}, more = {}) {
  const campaign = await carried(terms, more);
  await settle(2);
  const member = await world.member();
  const { coupon_id: coupon } = await world.claim(campaign, member);
  await settle(2);
  return { campaign, member, coupon };
}
const pay = (member: string, no: string, tillNo = "T1") => world.place(tillNo, { ticket: member, coupons: [no] }, PAY);
const numberOf = async (coupon: string) => (await world.owner<{ no: string }>("select no from coupons where id = $1", [coupon]))[0]!.no;
async function move(coupon: string, to: CouponState): Promise<void> {
  const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
  await withScope(world.services.pool, platformScope("a move of a test"), (tx) =>
    moveCoupons(tx, world.services, { service_provider_id, merchant_id }, [{ id: coupon }], { to, cause: "revoked" }),
  );
}
const fault = (operation: string, kind: string, times = 1) =>
  simulator.control("POST faults", { kind, operation, times, code: "PARAM_ERROR", message: "参数错误" });

describe("商家券", () => {
  test("a campaign is made known when it is approved, and its coupons are used, given back and made void there as here", async () => {
    const { id: waiting } = await world.call("mch01", addCampaign, world.facts({}, { carrier: "busifavor" }));
    await tell();
    expect(await there(waiting)).toEqual({ batches: [], codes: [] });
    const { campaign, member, coupon } = await uploaded();
    expect(await there(campaign)).toMatchObject({
      batches: [{ state: "RUNNING", total: 30, given: { stock_name: "午市满减", coupon_code_mode: "MERCHANT_UPLOAD" } }],
      codes: [{ code: await numberOf(coupon), state: "UPLOADED" }],
    });
    expect((await world.call("mch01", getCampaign, { id: campaign })).mirror).toMatchObject({
      carrier: "busifavor",
      state: "running",
      total: 30,
      codes: 1,
      waiting: 0,
      differences: 0,
    });
    await pay(member, await numberOf(coupon));
    expect(await world.state(coupon)).toBe("USED");
    await tell();
    expect(await stateThere(campaign)).toEqual(["USED"]);
    await world.refund("T1", 8_000);
    await tell();
    expect([await world.state(coupon), await stateThere(campaign)]).toEqual(["SENDED", ["SENDED"]]);
    await move(coupon, "DEACTIVATED");
    await tell();
    expect(await stateThere(campaign)).toEqual(["DEACTIVATED"]);
    await world.call("mch01", addCouponStock, { id: campaign, seen: 30, total: 45 });
    await tell();
    expect((await there(campaign)).batches[0]!.total).toBe(45);
    expect(await differences(campaign)).toEqual([]);
    for (const operation of ["create", "codes", "use", "return", "deactivate", "budget"]) expect(await calls(operation)).toHaveLength(1);
  });

  test("claiming and using wait for nobody: what WeChat was not told is told later, and only what is left of it", async () => {
    const campaign = await carried();
    await fault("create-stock", "lost-request", 2);
    await tell();
    const member = await world.member();
    const { coupon_id: coupon } = await world.claim(campaign, member);
    await pay(member, await numberOf(coupon));
    expect(await world.state(coupon)).toBe("USED");
    await settle();
    expect(await stateThere(campaign)).toEqual(["USED"]);
    // Used and given back before anybody looked: there is nothing to tell.
    await world.refund("T1", 8_000);
    await pay(member, await numberOf(coupon), "T2");
    await settle(2);
    expect([await stateThere(campaign), await calls("return")]).toEqual([["USED"], []]);
  });

  test.each([
    "lost-request",
    "lost-reply",
    "error-500",
    "error-500-done",
    "rate-limited",
    "rate-limited-done",
    "refuse-done",
    "forged-answer",
    "garbled-answer",
  ])("%s of any call ends in the same on both sides", async (kind) => {
    const each = ["create-stock", "upload-codes", "coupon-use", "coupon-return", "coupon-deactivate", "stock-budget"];
    for (const operation of each) await fault(operation, kind);
    const campaign = await carried();
    await settle(3);
    const member = await world.member();
    const { coupon_id: coupon } = await world.claim(campaign, member);
    await settle(3);
    await pay(member, await numberOf(coupon));
    await settle(3);
    expect(await stateThere(campaign)).toEqual(["USED"]);
    await world.refund("T1", 8_000);
    await settle(3);
    expect(await stateThere(campaign)).toEqual(["SENDED"]);
    await move(coupon, "DEACTIVATED");
    await world.call("mch01", addCouponStock, { id: campaign, seen: 30, total: 31 });
    await settle(3);
    expect(await there(campaign)).toMatchObject({ batches: [{ total: 31 }], codes: [{ state: "DEACTIVATED" }] });
    expect(await differences(campaign)).toEqual([]);
    // What was done is asked about and not sent again; what was not is sent again under its number.
    const done = kind.endsWith("-done") || ["lost-reply", "forged-answer", "garbled-answer"].includes(kind);
    for (const operation of ["use", "return", "deactivate", "budget"]) expect(await calls(operation)).toHaveLength(done ? 1 : 2);
    for (const operation of ["create", "codes", "use", "return", "deactivate", "budget"])
      expect(new Set((await calls(operation)).map(({ number }) => number)).size).toBe(1);
  });

  test("a no that stands is a difference with its reason; another try ends it", async () => {
    const { campaign, member, coupon } = await uploaded();
    await fault("coupon-use", "refuse", 1);
    await pay(member, await numberOf(coupon));
    await settle(3);
    const [difference] = await differences(campaign);
    expect(difference).toMatchObject({
      kind: "use",
      ours: "已核销",
      theirs: "可用",
      reason: "PARAM_ERROR 参数错误",
      couponTail: (await numberOf(coupon)).slice(-4),
    });
    expect([await world.state(coupon), await stateThere(campaign), await calls("use")]).toMatchObject(["USED", ["UPLOADED"], [{}]]);
    await expect(world.call("mch02", retryDifference, { id: difference!.id })).rejects.toMatchObject({ status: 404 });
    await world.call("mch01", retryDifference, { id: difference!.id });
    await settle(2);
    expect([await stateThere(campaign), await differences(campaign)]).toEqual([["USED"], []]);
    await expect(world.call("mch01", retryDifference, { id: difference!.id })).rejects.toMatchObject({ status: 409 });
  });

  test("a batch that WeChat does not take is a difference, and coupons are given out all the same", async () => {
    await fault("create-stock", "refuse", 2);
    const campaign = await carried();
    await settle(3);
    const { coupon_id } = await world.claim(campaign, await world.member());
    expect(await differences(campaign)).toMatchObject([{ kind: "create", theirs: "没有批次", couponId: null }]);
    expect((await world.call("mch01", getCampaign, { id: campaign })).mirror).toMatchObject({
      state: "none",
      stockId: null,
      differences: 1,
    });
    const { id } = (await differences(campaign))[0]!;
    await world.call("mch01", retryDifference, { id });
    await settle(3);
    expect(await there(campaign)).toMatchObject({ codes: [{ code: await numberOf(coupon_id), state: "UPLOADED" }] });
    expect(await differences(campaign)).toEqual([]);
  });

  test("what has no answer for long is told, and goes on being asked", async () => {
    const { campaign, member, coupon } = await uploaded();
    await fault("coupon-use", "lost-request", 5);
    await fault("query-code", "lost-request", 5);
    await pay(member, await numberOf(coupon));
    await settle(6);
    expect(await differences(campaign)).toMatchObject([{ kind: "use", reason: expect.stringContaining("还没有明确答复") }]);
    await settle(8);
    expect([await stateThere(campaign), await differences(campaign)]).toEqual([["USED"], []]);
  });

  test("a refund after the coupon's end makes no call, nor does a coupon that is over", async () => {
    const { campaign, member, coupon } = await uploaded({ validity: { mode: 3, wait: 0, count: 2, unit: "day" } });
    const idle = (await world.claim(campaign, await world.member())).coupon_id;
    await settle(2);
    await pay(member, await numberOf(coupon));
    await tell();
    world.services.clock.advance(3 * 86_400_000);
    await world.refund("T1", 8_000);
    await world.sweep("expire-coupons");
    await settle(2);
    expect([await world.state(coupon), await world.state(idle)]).toEqual(["EXPIRED", "EXPIRED"]);
    expect((await stateThere(campaign)).toSorted()).toEqual(["UPLOADED", "USED"]);
    expect([await calls("return"), await calls("deactivate"), await differences(campaign)]).toEqual([[], [], []]);
  });

  test("several processes tell each thing once, and codes go by the two hundred", async () => {
    const campaign = await carried({}, { total: 500 });
    await settle(2);
    const people = await Promise.all(Array.from({ length: 12 }, () => world.member()));
    const coupons = await Promise.all(people.map((member) => world.claim(campaign, member)));
    world.services.clock.advance(61_000);
    await Promise.all([tell(), tell(), tell()]);
    expect((await there(campaign)).codes).toHaveLength(12);
    for (const { coupon_id } of coupons) await move(coupon_id, "DEACTIVATED");
    await Promise.all([tell(), tell(), tell()]);
    await settle(1);
    expect(new Set(await stateThere(campaign))).toEqual(new Set(["DEACTIVATED"]));
    expect(await calls("deactivate")).toHaveLength(12);
  });

  test("a process that ends before or after any step leaves both sides the same", async () => {
    for (let point = 1, over = false; !over; point++) {
      await world.clean();
      const campaign = await carried();
      const first = await live(point, tell);
      await settle(2);
      const member = await world.member();
      const { coupon_id: coupon } = await world.claim(campaign, member);
      world.services.clock.advance(61_000);
      const second = await live(point, tell);
      await settle(2);
      await pay(member, await numberOf(coupon));
      const third = await live(point, tell);
      await settle(3);
      expect([point, await there(campaign)]).toMatchObject([point, { batches: [{ total: 30 }], codes: [{ state: "USED" }] }]);
      expect(await differences(campaign)).toEqual([]);
      for (const operation of ["create", "codes", "use"])
        expect(new Set((await calls(operation)).map(({ number }) => number)).size).toBe(1);
      over = !first.crashed && !second.crashed && !third.crashed;
    }
  });
});

describe("同步差异", () => {
  test("figures and codes that were changed behind our back are found, and told again where that helps", async () => {
    const { campaign, coupon } = await uploaded();
    const { stockId } = (await world.call("mch01", getCampaign, { id: campaign })).mirror!;
    const compare = async () => {
      world.services.clock.advance(3_700_000);
      await world.sweep("compare-coupon-carriers");
    };
    await compare();
    expect(await differences(campaign)).toEqual([]);
    await simulator.control("POST coupons", { stockId, total: 99, sent: 2, state: "PAUSED" });
    await simulator.control("POST coupons", { stockId, code: await numberOf(coupon), state: "USED" });
    await compare();
    await compare();
    const found = await differences(campaign);
    expect(Object.fromEntries(found.map(({ kind, ours, theirs }) => [kind, `${ours}；${theirs}`]))).toEqual({
      coupon: "可用；已核销",
      sent: "不由微信发券；已发 2 张",
      "stock-state": "发放中；暂停发放",
      total: "30 张；99 张",
    });
    const of = (kind: string) => ({ id: found.find((one) => one.kind === kind)!.id });
    await expect(world.call("mch01", retryDifference, of("sent"))).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", checkDifference, { ...of("sent"), remark: "活动赠送" });
    await world.call("mch01", retryDifference, of("total"));
    await world.call("mch01", retryDifference, of("coupon"));
    await simulator.control("POST coupons", { stockId, state: "RUNNING" });
    await settle(2);
    await compare();
    expect(await there(campaign)).toMatchObject({ batches: [{ total: 30 }], codes: [{ state: "SENDED" }] });
    expect(await differences(campaign)).toMatchObject([{ kind: "sent", checkedAt: expect.any(String) }]);
    // Something else about the same is to be looked at again.
    await simulator.control("POST coupons", { stockId, sent: 3 });
    await compare();
    expect(await differences(campaign)).toMatchObject([{ kind: "sent", theirs: "已发 3 张", checkedAt: null }]);
  });
});

/** What of one code is not as it is here, where WeChat says something else of it. */
describe("a code of 商家券", () => {
  const DAY_MS = 86_400_000;
  /** Brings ours there, while theirs says what it says. */
  const bring = {
    free: async () => {},
    used: async ({ member, coupon }: { member: string; coupon: string }) => {
      await pay(member, await numberOf(coupon));
      await settle(2);
    },
    over: async () => {
      world.services.clock.advance(8 * DAY_MS);
      await world.sweep("expire-coupons");
      await settle(2);
    },
    void: async ({ coupon }: { coupon: string }) => {
      await move(coupon, "DEACTIVATED");
      await settle(2);
    },
  };
  test.each([
    ["free", "SENDED", undefined],
    ["free", "USED", "可用；已核销"],
    ["free", "EXPIRED", "可用；已过期"],
    ["free", "DELETED", "可用；已删除"],
    ["free", "DEACTIVATED", "可用；已失效"],
    ["free", "unknown", "可用；没有这个券码"],
    ["used", "USED", undefined],
    // It was given back there, and could be used once more.
    ["used", "SENDED", "已核销；可用"],
    ["used", "EXPIRED", "已核销；已过期"],
    ["used", "unknown", "已核销；没有这个券码"],
    // What is over is good nowhere; only a use counts.
    ["over", "SENDED", undefined],
    ["over", "EXPIRED", undefined],
    ["over", "unknown", undefined],
    ["over", "USED", "已过期；已核销"],
    ["void", "DEACTIVATED", undefined],
    ["void", "SENDED", "已作废；可用"],
    ["void", "USED", "已作废；已核销"],
  ] as const)("that is %s here and %s there", async (ours, theirs, said) => {
    const one = await uploaded();
    const { stockId } = (await world.call("mch01", getCampaign, { id: one.campaign })).mirror!;
    await bring[ours](one);
    const code = await numberOf(one.coupon);
    if (theirs === "unknown") await world.owner("update coupons set no = '0000000000' where id = $1", [one.coupon]);
    else await simulator.control("POST coupons", { stockId, code, state: theirs });
    world.services.clock.advance(3_700_000);
    await world.sweep("compare-coupon-carriers");
    const found = (await differences(one.campaign)).filter(({ kind }) => kind === "coupon");
    expect(found.map((row) => `${row.ours}；${row.theirs}`)).toEqual(said === undefined ? [] : [said]);
    // Whatever WeChat says, ours decides: nothing of it moved.
    expect(await world.state(one.coupon)).toBe({ free: "SENDED", used: "USED", over: "EXPIRED", void: "DEACTIVATED" }[ours]);
    await world.owner("update coupons set no = $2 where id = $1", [one.coupon, code]);
  });
});

describe("代金券", () => {
  const FAVOR = { minCents: 8_001, validity: { mode: 2, from: "", to: "" } } as const;
  const period = () => {
    const day = (days: number) => new Date(world.services.clock.now_ms() + days * 86_400_000).toISOString().slice(0, 10);
    return { ...FAVOR, validity: { mode: 2, from: day(1), to: day(30) } } as const;
  };
  test.each(["lost-reply", "refuse-done", "error-500"])("is started, paused and goes on with ours, also after %s", async (kind) => {
    for (const operation of ["create-favor", "start-favor", "pause-favor", "restart-favor"]) await fault(operation, kind);
    const campaign = await world.campaign(period(), { carrier: "favor", name: "满减" });
    await settle(4);
    const state = async () => (await there(campaign)).batches.map((one) => one.state);
    expect(await state()).toEqual(["running"]);
    await world.claim(campaign, await world.member());
    await world.call("mch01", steerCampaign, { id: campaign, act: "pause" });
    await settle(3);
    expect(await state()).toEqual(["paused"]);
    await world.call("mch01", steerCampaign, { id: campaign, act: "resume" });
    await settle(3);
    expect(await state()).toEqual(["running"]);
    await expect(world.call("mch01", addCouponStock, { id: campaign, seen: 30, total: 40 })).rejects.toMatchObject({
      fields: { total: expect.any(String) },
    });
    await world.call("mch01", steerCampaign, { id: campaign, act: "stop" });
    await settle(2);
    expect([await state(), await differences(campaign), (await there(campaign)).codes]).toEqual([["paused"], [], []]);
  });
});

describe("as it is handed in", () => {
  const bad = (terms: object, more: object, login = "mch01") => world.call(login, addCampaign, world.facts(terms, more));
  test("what WeChat does not take is said at its field", async () => {
    const busifavor = { carrier: "busifavor" };
    const favor = { carrier: "favor" };
    const at = (field: string) => ({ status: 400, fields: { [field]: expect.stringContaining("微信") } });
    const long = { endsAt: new Date(world.services.clock.now_ms() + 400 * 86_400_000).toISOString() };
    await expect(bad({}, { ...busifavor, ...long })).rejects.toMatchObject(at("endsAt"));
    await expect(bad({ graceDays: 3 }, busifavor)).rejects.toMatchObject(at("terms.graceDays"));
    await expect(bad({ excluded: ["2030-01-01"] }, busifavor)).rejects.toMatchObject(at("terms.excluded"));
    await expect(bad({ windows: [{ from: "22:00", to: "02:00" }] }, busifavor)).rejects.toMatchObject(at("terms.windows"));
    await expect(bad({ validity: { mode: 3, wait: 0, count: 1, unit: "month" } }, busifavor)).rejects.toMatchObject(
      at("terms.validity.unit"),
    );
    await expect(bad({}, { ...favor, total: 4 })).rejects.toMatchObject(at("total"));
    await expect(bad({}, { ...favor, name: "十个汉字的名称真的太长" })).rejects.toMatchObject(at("name"));
    await expect(bad({ offCents: 100_001, minCents: 200_000 }, favor)).rejects.toMatchObject(at("terms.offCents"));
    await expect(bad({ minCents: 2_000 }, favor)).rejects.toMatchObject(at("terms.minCents"));
    await expect(bad({}, favor)).rejects.toMatchObject(at("carrier"));
    await expect(bad({}, { ...favor, total: 9_000_000 })).rejects.toMatchObject(at("total"));
  });
  test("a merchant without keys at WeChat is told so, and can do without", async () => {
    await world.owner("update channel_settings set state = 'disabled' where merchant_id = $1", [world.tree.merchants.mch02.id]);
    await expect(bad({}, { carrier: "busifavor" }, "mch02")).rejects.toMatchObject({
      fields: { carrier: expect.stringContaining("微信支付密钥") },
    });
    await bad({}, {}, "mch02");
  });
});
