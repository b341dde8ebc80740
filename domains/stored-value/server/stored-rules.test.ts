import { describe, expect, test } from "vitest";
import { legalSums, type MovedPart, type RefundedLot, shareOf, tierFor, whyNotRecharge } from "./stored-rules.ts";

const LOT: RefundedLot = {
  principal_cents: 100_000,
  gift_cents: 20_000,
  used_cents: 12_000,
  moved_cents: 0,
  paid_before_cents: 0,
  bought_on: "2026-09-12",
  came: "sold",
  had_before: false,
  wish_pays: "less-used",
};
const pays = (lot: Partial<RefundedLot>, today = "2026-09-13") => legalSums({ ...LOT, ...lot }, today).map(({ pays_cents }) => pays_cents);
const refusals = (lot: Partial<RefundedLot>, today = "2026-09-13") => legalSums({ ...LOT, ...lot }, today).map(({ refusal }) => refusal);

const part = (principal_cents: number, gift_cents: number, more: Partial<MovedPart> = {}): MovedPart => ({
  principal_cents,
  gift_cents,
  corrected_principal_cents: 0,
  corrected_gift_cents: 0,
  moved_before_cents: 0,
  ...more,
});
describe("what was moved", () => {
  const sold = part(100_000, 20_000);
  test.each([
    ["is what was sold, in its proportion", [sold, part(60_000, 0)], [50_000, 10_000]],
    ["and through two hands", [sold, part(60_000, 0), part(12_000, 0)], [10_000, 2_000]],
    ["gift alone too", [sold, part(0, 20_000, { moved_before_cents: 100_000 })], [16_667, 3_333]],
    ["less what was corrected of it", [sold, part(60_000, 0, { corrected_principal_cents: 1_000 })], [49_000, 10_000]],
    ["and of what was sold", [part(100_000, 20_000, { corrected_gift_cents: 20_000 }), part(60_000, 0)], [60_000, 0]],
    ["never below nothing", [sold, part(0, 20_000, { corrected_gift_cents: 19_000 })], [1_000, 0]],
    ["of gift it is gift", [part(0, 5_000), part(0, 5_000)], [0, 5_000]],
  ])("%s", (_name, parts, [principal_cents, gift_cents]) => expect(shareOf(parts)).toEqual({ principal_cents, gift_cents }));
  test("adds up to the cent with what its buyer has, in whatever pieces it went", () => {
    for (const piece of [1, 7, 333, 4_999, 39_999]) {
      let [moved_before_cents, shares] = [0, 0];
      for (; moved_before_cents + piece <= 119_000 && moved_before_cents < piece * 50; moved_before_cents += piece)
        shares += shareOf([sold, part(piece, 0, { moved_before_cents })]).principal_cents;
      const own = pays({ used_cents: moved_before_cents, moved_cents: moved_before_cents });
      expect([piece, shares + own[1]!]).toEqual([piece, 100_000]);
    }
  });
});
describe("the three legal sums", () => {
  // membership.md 9, example 5.
  test("of 1,000 with 200, of which 120 were used: 900 by the merchant's reason, 880 by the customer's", () => {
    expect(pays({})).toEqual([100_000, 90_000, 88_000]);
    expect(refusals({})).toEqual(["已消费 120.00 元", undefined, undefined]);
  });
  test.each([
    ["nothing used", { used_cents: 0 }, [100_000, 100_000, 100_000]],
    ["all of it used", { used_cents: 120_000 }, [100_000, 0, 0]],
    ["more used than was paid for", { used_cents: 110_000 }, [100_000, 8_333, 0]],
    ["no gift", { gift_cents: 0, used_cents: 30_001 }, [100_000, 69_999, 69_999]],
    ["the merchant's terms give the same for a wish", { wish_pays: "as-merchant" as const }, [100_000, 90_000, 90_000]],
    ["part of it was paid back before", { used_cents: 6_000, paid_before_cents: 90_000 }, [10_000, 5_000, 4_000]],
  ])("%s", (_name, lot, sums) => expect(pays(lot)).toEqual(sums));
  test.each([
    ["2026-09-19", undefined],
    ["2026-09-20", "第 7 天是 09-19，已过"],
  ])("the seventh day is whole: on %s %s", (today, refusal) => expect(refusals({ used_cents: 0 }, today)[0]).toBe(refusal));
  test("who had the same before gets the first only where the merchant grants it", () => {
    const [first] = legalSums({ ...LOT, used_cents: 0, had_before: true }, "2026-09-13");
    expect(first).toMatchObject({ refusal: "充值前已在本商户消费过", grantable: true });
    expect(legalSums(LOT, "2026-09-13")[0]).toMatchObject({ grantable: false });
  });
  test("what went to another member was used, so that no reason gives its gift away", () => {
    // 50.00 of gift moved out of 1,000.00 and 200.00, nothing spent.
    expect(pays({ used_cents: 5_000, moved_cents: 5_000 })).toEqual([100_000, 95_833, 95_000]);
    expect(refusals({ used_cents: 5_000, moved_cents: 5_000 })[0]).toBe("已转给别人 50.00 元");
  });
  test.each([
    ["moved", "是别人转来的余额"],
    ["brought", "是导入的余额"],
  ] as const)("what was %s is not bought: no seven days, and the other two as for every lot", (came, refusal) => {
    expect(refusals({ came, used_cents: 0 }, "2026-09-13")).toEqual([refusal, undefined, undefined]);
    // Nor is it granted, and the day of sale says nothing.
    expect(legalSums({ ...LOT, came, used_cents: 0, had_before: true }, "2026-12-13")[0]).toMatchObject({ refusal, grantable: false });
    expect(pays({ came })).toEqual([100_000, 90_000, 88_000]);
  });
  test("says what it takes off, and of what went to others too", () => {
    const told = (lot: Partial<RefundedLot>) =>
      legalSums({ ...LOT, ...lot }, "2026-09-13").map(({ less_cents, less }) => [less_cents, less]);
    expect(told({})).toEqual([
      [0, "没用过，全退"],
      [10_000, "消费 120.00 里的本金"],
      [12_000, "消费，赠送也算"],
    ]);
    expect(told({ moved_cents: 6_000 })).toEqual([
      [0, "没用过，全退"],
      [10_000, "消费和转出 120.00 里的本金"],
      [12_000, "消费和转出，赠送也算"],
    ]);
  });
  test.each([
    ["这一批已退过卡", { used_cents: 0, paid_before_cents: 1 }, "2026-09-13"],
    ["已转给别人 0.01 元", { used_cents: 1, moved_cents: 1 }, "2026-09-13"],
    ["第 7 天是 09-19，已过", { used_cents: 0, had_before: true }, "2026-09-20"],
  ])("%s: no merchant grants that", (refusal, lot, today) =>
    expect(legalSums({ ...LOT, ...lot }, today).map((sum) => [sum.refusal, sum.grantable])).toEqual([
      [refusal, false],
      [undefined, false],
      [undefined, false],
    ]),
  );
  test("of nothing pays nothing", () => expect(pays({ principal_cents: 0, gift_cents: 0, used_cents: 0 })).toEqual([0, 0, 0]));
  test("is due in five days without a reason, else in fifteen", () =>
    expect(legalSums(LOT, "2026-12-30").map(({ due_on }) => due_on)).toEqual(["2027-01-04", "2027-01-14", "2027-01-14"]));

  // By another way: cent for cent, each cent used is principal until its part of the whole is full.
  function slowly({ principal_cents: P, gift_cents: G, used_cents: C }: RefundedLot): [number, number] {
    const exact = (BigInt(P) * BigInt(C) * 2n + BigInt(P + G)) / (BigInt(P + G) * 2n);
    let wish = P;
    for (let left = C; left > 0 && wish > 0; left -= Math.min(left, 1_000)) wish -= Math.min(wish, Math.min(left, 1_000));
    return [P - Number(exact), wish];
  }
  test("agrees with a second, slow reckoning over many lots", () => {
    let seed = 7;
    const chance = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % (most + 1);
    for (let n = 0; n < 5_000; n++) {
      const principal_cents = 1 + chance(499_999);
      const gift_cents = chance(500_000 - principal_cents);
      const lot = { ...LOT, principal_cents, gift_cents, used_cents: chance(principal_cents + gift_cents) };
      const [, merchant, wish] = pays(lot);
      expect([lot, merchant, wish]).toEqual([lot, ...slowly(lot)]);
      expect(wish).toBeLessThanOrEqual(merchant!);
    }
  });
});

describe("tiers", () => {
  const tier = (amount_cents: number, most: number | null = null) => ({ amount_cents, gift_cents: amount_cents / 10, points: 0, most });
  const TIERS = [tier(20_000), tier(50_000, 1), tier(100_000)];
  test.each([
    [19_999, undefined],
    [20_000, 20_000],
    [99_999, 50_000],
    [250_000, 100_000],
  ])("%i gets the best one it reaches, once: %s", (amount, best) => expect(tierFor(TIERS, amount, () => 0)?.amount_cents).toBe(best));
  test("one that the member took as often as it may be gives way to the next", () =>
    expect(tierFor(TIERS, 60_000, ({ amount_cents }) => (amount_cents === 50_000 ? 1 : 0))?.amount_cents).toBe(20_000));
});

describe("limits", () => {
  const ask = {
    amount_cents: 100_000,
    gift_cents: 20_000,
    held_cents: 0,
    held_principal_cents: 0,
    most_cents: 500_000,
    id_card_above_cents: 100_000,
    has_id_card: false,
  };
  test.each([
    [{}, undefined],
    [{ amount_cents: 500_001 }, "一次最多充值 5000.00 元"],
    [{ held_cents: 380_000 }, undefined],
    [{ held_cents: 380_001 }, "每人储值最多 5000.00 元"],
    [{ held_principal_cents: 1 }, "储值超过 1000.00 元，请先登记会员证件号"],
    [{ held_principal_cents: 1, has_id_card: true }, undefined],
    [{ amount_cents: 500_000, gift_cents: 0, has_id_card: true }, undefined],
    [{ held_cents: 470_000 }, "每人储值最多 5000.00 元，现有和待付 4700.00 元，还可充 100.00 元"],
    [{ held_cents: 490_000 }, "每人储值最多 5000.00 元，现有和待付 4900.00 元，还可充 0.00 元"],
  ])("%o: %s", (more, why) => {
    const said = whyNotRecharge({ ...ask, ...more });
    expect(why === undefined ? said : said?.replaceAll(",", "")).toEqual(why === undefined ? undefined : expect.stringContaining(why));
  });
});
