import { describe, expect, it } from "vitest";
import { needsApproval, nextRefundLook_ms, planRefund, refundableCents, type RefundFacts } from "./refund-rules.ts";

const NOW = Date.parse("2026-11-20T04:00:00Z");
const paid: RefundFacts = {
  status: 2,
  paid_at: "2026-11-19T04:00:00Z",
  paid_cents: 10_000,
  fee_cents: 38,
  refunding_cents: 0,
  refunded_cents: 0,
  refunding_fee_cents: 0,
  refunded_fee_cents: 0,
  refund_count: 0,
  purpose: 0,
  principal_cents: 0,
  gift_cents: 0,
  value_refunding_cents: 0,
  value_refunded_cents: 0,
};

describe("planRefund", () => {
  it.each<[string, Partial<RefundFacts>, number, string | undefined]>([
    ["everything", {}, 10_000, undefined],
    ["a part", {}, 1, undefined],
    ["nothing", {}, 0, "退款金额须大于 0"],
    ["a cent too much", {}, 10_001, "最多可退 100.00 元"],
    ["what is on its way counts", { value_refunding_cents: 6_000, value_refunded_cents: 3_000 }, 1_001, "最多可退 10.00 元"],
    ["the rest of it", { value_refunding_cents: 6_000, value_refunded_cents: 3_000 }, 1_000, undefined],
    ["all on its way", { value_refunding_cents: 10_000 }, 1, "可退金额已全部在退款中"],
    ["not paid", { status: 0, paid_at: null }, 1, "订单未支付，不能退款"],
    ["closed", { status: 1, paid_at: null }, 1, "订单未支付，不能退款"],
    ["refunded in full", { status: 3, refunded_cents: 10_000 }, 1, "订单已全额退款"],
    ["the fiftieth", { refund_count: 49 }, 1, undefined],
    ["the fifty-first", { refund_count: 50 }, 1, "已退款 50 次，达到通道上限"],
    ["on the last day", { paid_at: "2025-11-20T04:00:01Z" }, 1, undefined],
    ["a year later", { paid_at: "2025-11-20T04:00:00Z" }, 1, "支付已超过 365 天，不能退款"],
  ])("%s", (_what, change, amount, refusal) => expect(planRefund({ ...paid, ...change }, amount, NOW).refusal).toBe(refusal));

  it("a refusal gives nothing back and leaves what there is", () => {
    expect(planRefund({ ...paid, refund_count: 50 }, 4_000, NOW)).toMatchObject({ fee_cents: 0, left_cents: 6_000 });
    expect(planRefund(paid, 10_001, NOW)).toMatchObject({ fee_cents: 0, left_cents: 0 });
  });

  it("the fee of what is on its way is taken already: the last part gets the rest of it", () => {
    const order = {
      ...paid,
      value_refunded_cents: 3_000,
      refunded_cents: 3_000,
      refunded_fee_cents: 12,
      value_refunding_cents: 3_000,
      refunding_cents: 3_000,
      refunding_fee_cents: 11,
    };
    expect(planRefund(order, 4_000, NOW).fee_cents).toBe(15);
  });

  it("is full only where everything goes back at once", () => {
    expect(planRefund(paid, 10_000, NOW)).toEqual({ refund_type: 1, fee_cents: 38, left_cents: 0, refusal: undefined });
    expect(planRefund({ ...paid, value_refunded_cents: 4_000, refunded_cents: 4_000, refunded_fee_cents: 15 }, 6_000, NOW)).toEqual({
      refund_type: 2,
      fee_cents: 23,
      left_cents: 0,
      refusal: undefined,
    });
  });
});

it("offers what is left and nothing where no refund is possible", () => {
  expect(refundableCents({ ...paid, value_refunding_cents: 2_500, value_refunded_cents: 1_000 }, NOW)).toBe(6_500);
  expect(refundableCents({ ...paid, principal_cents: 3_000, gift_cents: 500 }, NOW)).toBe(13_500);
  expect(refundableCents({ ...paid, paid_cents: 0 }, NOW)).toBe(0);
  const nothing: readonly Partial<RefundFacts>[] = [
    { status: 0 },
    { paid_at: null },
    { status: 3, value_refunded_cents: 10_000 },
    { refund_count: 50 },
    // A recharge goes back by its own room's rules.
    { purpose: 1 },
  ];
  for (const change of nothing) expect(refundableCents({ ...paid, ...change }, NOW)).toBeUndefined();
});

it.each<[string, Partial<RefundFacts>, number, string | undefined]>([
  ["money and stored value together", { principal_cents: 3_000, gift_cents: 500 }, 13_500, undefined],
  ["a cent more than both", { principal_cents: 3_000, gift_cents: 500 }, 13_501, "最多可退 135.00 元"],
  ["nothing of an order without value: it is voided", { paid_cents: 0 }, 0, undefined],
  ["anything of it", { paid_cents: 0 }, 1, "最多可退 0.00 元"],
  [
    "stored value alone, a year later: no channel is asked",
    { paid_cents: 0, principal_cents: 500, paid_at: "2024-11-20T04:00:00Z" },
    500,
    undefined,
  ],
])("of value, %s", (_what, change, cents, refusal) => expect(planRefund({ ...paid, ...change }, cents, NOW, 0).refusal).toBe(refusal));

it.each([
  [null, 999_999, false, false],
  [50_000, 50_000, false, false],
  [50_000, 50_001, false, true],
  [50_000, 50_001, true, false],
  [0, 1, false, true],
])("limit %s, amount %i, may decide %s: waits %s", (limit, amount, mayDecide, waits) =>
  expect(needsApproval(limit, amount, mayDecide)).toBe(waits),
);

it("asks about a refund ever less often", () => {
  const after = (minutes: number) => nextRefundLook_ms("2026-11-20T04:00:00Z", NOW + minutes * 60_000) / 1000;
  expect([after(0), after(1), after(10), after(60), after(2_000)]).toEqual([10, 30, 300, 1_800, 1_800]);
});
