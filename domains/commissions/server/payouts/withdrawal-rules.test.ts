import { describe, expect, it, test } from "vitest";
import { amountRefusal, closedNow, needsApproval, nextPayoutLook_ms, type PayoutTerms, withdrawalFee } from "./withdrawal-rules.ts";

const terms: PayoutTerms = {
  min_cents: 1_000,
  fee_fixed_cents: 100,
  fee_rate: 600,
  freeze_days: 7,
  unapproved_up_to_cents: 50_000,
  weekdays: [5, 1],
  from_hour: 9,
  to_hour: 18,
  pays_wechat: true,
};

test("what is taken is fixed and a part of the amount, half a cent up", () => {
  expect(withdrawalFee(terms, 10_000)).toBe(160);
  expect(withdrawalFee({ fee_fixed_cents: 0, fee_rate: 500 }, 100)).toBe(1);
  expect(withdrawalFee({ fee_fixed_cents: 0, fee_rate: 0 }, 99_999)).toBe(0);
});

describe("when money can be asked for", () => {
  const said = "提现时间为周一、周五 9:00 至 18:00";
  it.each([
    ["Friday on the first moment", "2026-11-20T09:00:00+08:00", undefined],
    ["Friday a second before", "2026-11-20T08:59:59+08:00", said],
    ["Friday on the last second", "2026-11-20T17:59:59+08:00", undefined],
    ["Friday at the end", "2026-11-20T18:00:00+08:00", said],
    ["Saturday", "2026-11-21T10:00:00+08:00", said],
    ["Sunday", "2026-11-22T10:00:00+08:00", said],
    ["Monday", "2026-11-23T10:00:00+08:00", undefined],
    ["Tuesday", "2026-11-24T10:00:00+08:00", said],
  ])("%s", (_what, at, refusal) => expect(closedNow(terms, Date.parse(at))).toBe(refusal));
  it("names every day in one word", () => {
    const daily = { ...terms, weekdays: [1, 2, 3, 4, 5, 6, 7] };
    expect(closedNow(daily, Date.parse("2026-11-22T20:00:00+08:00"))).toBe("提现时间为每天 9:00 至 18:00");
    expect(closedNow(daily, Date.parse("2026-11-22T10:00:00+08:00"))).toBeUndefined();
  });
});

describe("how much", () => {
  it.each([
    ["the least", 1_000, 1_000, undefined],
    ["a cent less", 999, 1_000, "最低提现 ¥10.00"],
    ["all there is", 5_000, 5_000, undefined],
    ["a cent more", 5_001, 5_000, "最多可提现 ¥50.00"],
    ["where nothing is left but a debt", 5_000, -300, "最多可提现 ¥0.00"],
  ])("%s", (_what, amount, has, refusal) => expect(amountRefusal(terms, amount, has)).toBe(refusal));
  it("not where the fee would take all of it", () => {
    const dear = { ...terms, min_cents: 1, fee_rate: 0 };
    expect(amountRefusal(dear, 100, 1_000)).toBe("手续费 ¥1.00 不低于提现金额");
    expect(amountRefusal(dear, 101, 1_000)).toBeUndefined();
  });
  it("above the limit somebody else approves", () => {
    expect([needsApproval(terms, 50_000), needsApproval(terms, 50_001)]).toEqual([false, true]);
  });
});

test("a transfer is looked after soon, then ever more seldom, at most every ten minutes", () => {
  const made = "2026-11-20T04:00:00Z";
  const after = (ms: number) => nextPayoutLook_ms(made, Date.parse(made) + ms);
  expect([after(-5_000), after(0), after(60_000), after(61_000), after(600_000), after(2_400_000), after(86_400_000)]).toEqual([
    15_000, 15_000, 15_000, 15_250, 150_000, 600_000, 600_000,
  ]);
});
