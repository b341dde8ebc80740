import { describe, expect, test } from "vitest";
import { backOf, goesBack, packageBar, sharesOf, staysWords, type Supply } from "./package-rules.ts";

const NOW = "2026-03-06T04:00:00.000Z";
const supply = (more: Partial<Supply> = {}): Supply => ({
  state: "RUNNING",
  begins_at: NOW,
  ends_at: "2026-03-06T04:00:00.001Z",
  total: 10,
  issued: 4,
  held: 5,
  per_day: 3,
  today: 2,
  per_person: 2,
  per_person_day: 1,
  ...more,
});
describe("whether somebody may have one more of a package", () => {
  test.each([
    ["from its first moment to before its last, the last piece", {}, 0, 0, undefined],
    ["not before another has read it", { state: "UNAUDIT" }, 0, 0, "not-found"],
    ["not while it pauses", { state: "PAUSED" }, 0, 0, "coupon.paused"],
    ["not when it was stopped", { state: "STOPED" }, 0, 0, "coupon.over"],
    ["not at its end", { ends_at: NOW }, 0, 0, "coupon.over"],
    ["not before it begins", { begins_at: "2026-03-06T04:00:00.001Z" }, 0, 0, "coupon.early"],
    ["one of two that a human may have", { per_person_day: null }, 1, 1, undefined],
    ["not a third", { per_person_day: null }, 2, 0, "coupon.person"],
    ["not a second in a day", {}, 1, 1, "coupon.person"],
    ["not what others are paying for", { issued: 4, held: 6 }, 0, 0, "coupon.gone"],
    ["not more than the day has", { today: 3 }, 0, 0, "coupon.day-gone"],
    ["as many as there are where no day is counted", { per_day: null, today: 99 }, 0, 0, undefined],
  ] as const)("%s", (_what, more, had, had_today, code) => {
    expect(packageBar(supply(more), had, had_today, NOW)?.code).toBe(code);
  });
  test.each([
    [{ state: "UNAUDIT" }, 0, "券包"],
    [{ state: "PAUSED" }, 0, "券包暂停领取，请稍后再来"],
    [{ state: "STOPED" }, 0, "券包领取已结束"],
    [{ begins_at: "2026-03-07T00:00:00.000Z", ends_at: "2026-03-08T00:00:00.000Z" }, 0, "还没到领取时间"],
    [{ per_person_day: null }, 2, "已达每人限领份数"],
    [{ per_person: 9 }, 3, "今天已达每人限领份数"],
    [{ held: 6 }, 0, "券包已领完"],
    [{ today: 3 }, 0, "今天的已领完，请明天再来"],
  ] as const)("%o says %s", (more, had, words) => expect(packageBar(supply(more), had, had, NOW)?.message).toContain(words));
});

describe("what goes back of a package's price", () => {
  test("each coupon's share goes by its most, and they add up to the price", () => {
    expect(sharesOf(2_000, [2_000, 2_000, 500])).toEqual([889, 889, 222]);
    expect(sharesOf(100, [1, 1, 1])).toEqual([34, 33, 33]);
  });
  test.each([
    ["SENDED", true, ""],
    ["EXPIRED", true, ""],
    ["LOCKED", false, "正在一笔未付款的订单中使用，不退"],
    ["USED", false, "已用，不退"],
    ["DELETED", false, "顾客自己删除了，不退"],
    ["DEACTIVATED", false, "已作废，不退"],
    [null, false, "没有发出"],
  ] as const)("a coupon that is %s: %s", (state, back, words) => {
    expect(goesBack({ state })).toBe(back);
    expect(staysWords({ state })).toBe(words);
  });
  test("the shares of what nobody used, of what was really paid", () => {
    const parts = [
      { share_cents: 900, state: "USED" },
      { share_cents: 900, state: "SENDED" },
      { share_cents: 200, state: "EXPIRED" },
    ] as const;
    expect(backOf(parts, { price_cents: 2_000, paid_cents: 2_000 })).toBe(1_100);
    // A discount on the package: half was paid, half of the shares goes back.
    expect(backOf(parts, { price_cents: 2_000, paid_cents: 1_000 })).toBe(550);
    expect(backOf([{ share_cents: 2_000, state: "USED" }], { price_cents: 2_000, paid_cents: 2_000 })).toBe(0);
  });
});
