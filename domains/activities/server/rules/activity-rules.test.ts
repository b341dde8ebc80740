import { describe, expect, test } from "vitest";
import { activityTerms, giftWords, sayActivity } from "../../contract/index.ts";
import { backWords } from "../events/paid.ts";
import { costOf, costsOf, partsOf, piecesOf } from "./activity-rules.ts";

const CAMPAIGN = "00000000-0000-4000-8000-000000000001";
const terms = (gift: object, more: object = {}) => activityTerms.parse({ gift, places: 10, ...more });

describe("what a place costs", () => {
  const worth = { points: 100, cents: 100 };
  test.each([
    ["points where they pay", { points: 250 }, worth, 250],
    ["points that pay unevenly are rounded up", { points: 1 }, { points: 3, cents: 10 }, 4],
    ["balance is what it is", { giftCents: 500 }, worth, 500],
    ["each coupon at its most", { coupons: [{ campaignId: CAMPAIGN, count: 2 }] }, worth, 4_000],
    ["all together", { coupons: [{ campaignId: CAMPAIGN, count: 1 }], points: 100, giftCents: 300 }, worth, 2_400],
  ])("%s", (_what, gift, points, cents) => {
    const given = terms(gift);
    const costs = costsOf(given, new Map([[CAMPAIGN, 2_000]]), points);
    expect(costOf(partsOf(given, costs))).toBe(cents);
  });
  test("nothing of what is not given", () => {
    const given = terms({ giftCents: 500 });
    expect(partsOf(given, costsOf(given, new Map(), worth))).toEqual([
      { kind: "balance", campaign_id: null, amount: 500, cost_cents: 500 },
    ]);
    const coupons = terms({ coupons: [{ campaignId: CAMPAIGN, count: 2 }] });
    expect([...piecesOf(coupons)]).toEqual([[CAMPAIGN, 2]]);
    // Of a campaign whose worth nobody knows.
    expect(costsOf(coupons, new Map(), worth)).toEqual({ coupons: { [CAMPAIGN]: 0 }, points: 0 });
    expect(partsOf(coupons, { coupons: {}, points: 0 })[0]).toEqual({ kind: "coupon", campaign_id: CAMPAIGN, amount: 1, cost_cents: 0 });
  });
  test("a coupon is a part of its own", () => {
    const given = terms({ coupons: [{ campaignId: CAMPAIGN, count: 3 }], points: 10 });
    expect(partsOf(given, costsOf(given, new Map([[CAMPAIGN, 5]]), worth)).map(({ kind }) => kind)).toEqual([
      "coupon",
      "coupon",
      "coupon",
      "points",
    ]);
  });
});

describe("what is said", () => {
  const days = { firstDay: "2026-12-01", lastDay: "2026-12-31" };
  test("of 新人有礼, in at most five sentences", () => {
    const said = sayActivity(
      "new",
      terms({ coupons: [{ campaignId: CAMPAIGN, count: 2 }], points: 100, pointsDays: 30, giftCents: 500 }, { note: "到店出示会员码。" }),
      days,
      { [CAMPAIGN]: "满 80 减 20" },
    );
    expect(said).toEqual([
      "2026-12-01 至 2026-12-31，新成为会员、从没下过单的顾客可得。",
      "礼品：满 80 减 20 的券 2 张、100 积分（30 天内用）、5 元赠送余额，自动到账，在会员页能看到。",
      "每人一次；同一手机号、微信、付款账号或手机只算一个人。",
      "共 10 份，送完为止。",
      "赠送余额只抵消费，不可退、不折现。到店出示会员码。",
    ]);
  });
  test.each([
    ["birthday", { daysBefore: 3 }, "再过 3 天过生日的会员"],
    ["birthday", {}, "生日当天的会员"],
    ["scan", { once: "day" }, "每人每天一次"],
    ["paid", { minCents: 5_000 }, "一单付满 50 元（储值也算）的会员可得"],
    ["paid", {}, "付款的会员可得"],
    ["paid", {}, "每单一次，充值、买卡、买券包不算；退款后不满金额的，收回没用的券和积分。共 10 份"],
  ] as const)("of %s with %o: %s", (kind, more, words) =>
    expect(sayActivity(kind, terms({ points: 1 }, more), days).join("")).toContain(words),
  );
  test.each([
    [{ coupons: 1, used: 1, points: 100, owed: 0 }, "收回没用的券 1 张、100 积分；用掉的券 1 张不收回"],
    [{ coupons: 0, used: 0, points: 100, owed: 0 }, "收回 100 积分"],
    [{ coupons: 0, used: 2, points: 0, owed: 0 }, "用掉的券 2 张不收回"],
    [{ coupons: 0, used: 0, points: 0, owed: 3 }, "还没发的不再发"],
    [{ coupons: 0, used: 0, points: 0, owed: 0 }, ""],
  ])("of what goes back with an order: %o", (back, words) => expect(backWords(back)).toBe(words));
  test("a gift of nothing, one coupon twice, and too much are refused", () => {
    expect(activityTerms.safeParse({ gift: {}, places: 1 }).success).toBe(false);
    const twice = [
      { campaignId: CAMPAIGN, count: 1 },
      { campaignId: CAMPAIGN, count: 1 },
    ];
    expect(activityTerms.safeParse({ gift: { coupons: twice }, places: 1 }).success).toBe(false);
    expect(activityTerms.safeParse({ gift: { giftCents: 100_001 }, places: 1 }).success).toBe(false);
    expect(giftWords(terms({ points: 1_000 }).gift)).toBe("1,000 积分");
  });
});
