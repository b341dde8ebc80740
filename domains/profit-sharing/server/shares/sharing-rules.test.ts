import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseOf, capOf, dueAt, planShare, refusalOf, type SharingFacts, takenOf } from "./sharing-rules.ts";

const NOW = Date.parse("2026-11-20T04:00:00Z");
/** 100.00 paid, 0.38 of it the fee. */
const paid: SharingFacts = {
  tool: 2,
  status: 2,
  profit_sharing: true,
  unfrozen_at: null,
  paid_at: "2026-11-20T03:00:00Z",
  paid_cents: 10_000,
  fee_cents: 38,
  refunded_cents: 0,
  refunding_cents: 0,
  refunded_fee_cents: 0,
  refunding_fee_cents: 0,
  sharing_cents: 0,
  shared_cents: 0,
  share_returned_cents: 0,
  share_returning_cents: 0,
  share_borne_cents: 0,
};

it("shares are reckoned from what was paid less the fee and what goes back, with its part of the fee", () => {
  expect(baseOf(paid)).toBe(9_962);
  expect(baseOf({ ...paid, refunded_cents: 3_000, refunded_fee_cents: 11, refunding_cents: 1_000, refunding_fee_cents: 4 })).toBe(5_977);
  const taken = {
    ...paid,
    sharing_cents: 100,
    shared_cents: 900,
    share_returned_cents: 200,
    share_returning_cents: 30,
    share_borne_cents: 7,
  };
  expect(takenOf(taken)).toBe(763);
});
it("the channel's cap is rounded down", () => {
  expect([capOf(10_000, 30_000), capOf(999, 33_333), capOf(1, 99_999)]).toEqual([3_000, 332, 0]);
});

describe("what keeps an order from being shared", () => {
  it.each<[string, Partial<SharingFacts>, string | undefined]>([
    ["nothing", {}, undefined],
    ["not marked when it was made", { profit_sharing: false }, "下单时没有标记分账，资金未冻结"],
    ["not paid", { status: 0, paid_at: null }, "订单未支付，不能分账"],
    ["closed", { status: 1 }, "订单未支付，不能分账"],
    ["without a moment of payment", { paid_at: null }, "订单未支付，不能分账"],
    ["let go", { unfrozen_at: "2026-11-20T03:30:00Z" }, "剩余资金已解冻给商户，不能再分账"],
    ["a minute less a second", { paid_at: "2026-11-20T03:59:01Z" }, "支付满 1 分钟后才能分账"],
    ["a minute", { paid_at: "2026-11-20T03:59:00Z" }, undefined],
    ["thirty days", { paid_at: "2026-10-21T04:00:00Z" }, undefined],
    ["a second more", { paid_at: "2026-10-21T03:59:59Z" }, "支付已超过 30 天，资金已自动解冻给商户"],
  ])("%s", (_what, change, why) => expect(refusalOf({ ...paid, ...change }, NOW)).toBe(why));
});

describe("planShare", () => {
  it("the ratios' sum of the base, split to the cent", () => {
    expect(planShare(paid, [10_000, 5_000], 30_000, NOW)).toEqual({
      base_cents: 9_962,
      total_cents: 1_494,
      parts: [996, 498],
      capped_cents: null,
      refusal: undefined,
      nothing: false,
    });
  });
  it("no more than the channel lets be shared of the payment, over all its shares", () => {
    expect(planShare(paid, [40_000], 30_000, NOW)).toMatchObject({ total_cents: 3_000, parts: [3_000], capped_cents: 3_000 });
    expect(planShare({ ...paid, shared_cents: 2_000, sharing_cents: 400 }, [40_000], 30_000, NOW)).toMatchObject({
      total_cents: 600,
      capped_cents: 600,
    });
    expect(planShare({ ...paid, shared_cents: 3_000 }, [10_000], 30_000, NOW)).toMatchObject({ total_cents: 0, nothing: true });
  });
  it("a cap that is just what was wanted cuts nothing", () => {
    expect(planShare({ ...paid, fee_cents: 0 }, [30_000], 30_000, NOW)).toMatchObject({ total_cents: 3_000, capped_cents: null });
  });
  it("an order that shares nothing because it is kept from it is not one without anything to share", () => {
    expect(planShare({ ...paid, profit_sharing: false, paid_cents: 10, fee_cents: 0 }, [4_000], 100_000, NOW)).toMatchObject({
      nothing: false,
    });
  });
  it("no more than is the merchant's still", () => {
    const order = { ...paid, refunded_cents: 9_000, refunded_fee_cents: 34, shared_cents: 700 };
    expect(planShare(order, [100_000], 100_000, NOW)).toMatchObject({ base_cents: 996, total_cents: 296 });
  });
  it.each<[string, Partial<SharingFacts>, number[], string, boolean]>([
    ["nobody", {}, [], "没有可用的接收方", true],
    ["fifty-one", {}, Array<number>(51).fill(100), "一次最多分给 50 个接收方", false],
    ["more than the whole", {}, [60_000, 40_001], "接收方比例之和超过 100%", false],
    ["less than a cent", { paid_cents: 10, fee_cents: 0 }, [4_000], "可分金额不足 1 分（基数 ¥0.10）", true],
    ["what keeps it anyway", { profit_sharing: false }, [1_000], "下单时没有标记分账，资金未冻结", false],
  ])("%s: nothing is shared", (_what, change, ratios, refusal, nothing) => {
    const plan = planShare({ ...paid, ...change }, ratios, 100_000, NOW);
    expect(plan).toMatchObject({ refusal, total_cents: 0, nothing });
    expect(plan.parts).toEqual(ratios.map(() => 0));
  });
  it("fifty may share, and all of it", () => {
    expect(planShare(paid, Array<number>(50).fill(2_000), 100_000, NOW)).toMatchObject({ refusal: undefined, total_cents: 9_962 });
  });
  it("whatever was before, the parts are the total, and never more than the base, the cap and what is left", () => {
    const ratio = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(
        fc.nat(1e9),
        fc.nat(1e6),
        fc.nat(1e6),
        fc.array(ratio, { minLength: 1, maxLength: 50 }),
        fc.nat(100_000),
        (paid_cents, refunded_cents, shared_cents, ratios, max_ratio) => {
          const order = { ...paid, paid_cents: paid_cents + 100, refunded_cents: Math.min(refunded_cents, paid_cents), shared_cents };
          const plan = planShare(order, ratios, max_ratio, NOW);
          expect(plan.parts.reduce((sum, part) => sum + part, 0)).toBe(plan.total_cents);
          expect(Math.min(...plan.parts)).toBeGreaterThanOrEqual(0);
          if (plan.total_cents === 0) return;
          expect(plan.total_cents + takenOf(order)).toBeLessThanOrEqual(baseOf(order));
          expect(plan.total_cents + shared_cents).toBeLessThanOrEqual(capOf(order.paid_cents, max_ratio));
        },
      ),
    );
  });
});

it("goes as soon as the channel allows, or at one in the morning of the next day in Shanghai; never in the past", () => {
  const at = "2026-11-20T15:59:30.000Z"; // 23:59:30 in Shanghai
  const [wechat, alipay] = [
    { paid_at: at, tool: 2 },
    { paid_at: at, tool: 4 },
  ];
  expect(dueAt(wechat, "now", Date.parse(at))).toBe("2026-11-20T16:00:31.000Z");
  expect(dueAt(alipay, "now", Date.parse(at))).toBe("2026-11-20T16:00:01.000Z");
  expect(dueAt(wechat, "next-day", Date.parse(at))).toBe("2026-11-20T17:00:00.000Z");
  expect(dueAt({ ...wechat, paid_at: "2026-11-20T16:00:00.000Z" }, "next-day", Date.parse(at))).toBe("2026-11-21T17:00:00.000Z");
  expect(dueAt(wechat, "now", Date.parse("2026-11-22T00:00:00Z"))).toBe("2026-11-22T00:00:00.000Z");
});
