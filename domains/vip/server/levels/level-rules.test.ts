import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, addMonths, dayStart, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";
import { earnedBy, refundsOf } from "../times/times-rules.ts";
import { termRefund } from "../terms/term-rules.ts";
import { birthdayIn, dueOn, type Level, type LevelFact, rankOn, spanOf, standingOf } from "./level-rules.ts";

const level = (rank: number, threshold: number, basis: Level["basis"] = "growth"): Level => ({
  rank,
  name: `L${rank}`,
  basis,
  threshold,
  price_cents: null,
  months: null,
});

/**
 * The same said slowly and another way: day by day, with every sum taken anew from the bare list of facts, and each lift kept as a line
 * that is struck out.
 */
function slowly(facts: readonly LevelFact[], now: string): { rank: number; keep_until: string | null } {
  const inTime = facts.filter(({ at }) => at <= now).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  // `end` is the first day that is not counted any more, `mark` the one twelve months before whose day is not counted either.
  const reached = (levels: readonly Level[], end: string, at: string, mark: string) => {
    let best = 0;
    for (const { rank, basis, threshold } of levels) {
      let has = 0;
      for (const paid of inTime) {
        if (paid.kind !== "paid" || paid.at > at) continue;
        const day = shanghaiDay(paid.at);
        if (day <= addMonths(mark, -12) || day >= end) continue;
        let cents = paid.cents;
        for (const back of inTime) if (back.kind === "back" && back.order_id === paid.order_id && back.at <= at) cents -= back.cents;
        has += basis === "growth" ? Math.floor(cents / 100) : cents;
      }
      if (threshold !== null && has >= threshold && rank > best) best = rank;
    }
    return best;
  };
  let ladder: readonly Level[] = [];
  let lines: { rank: number; keep: string | null; by: string | null }[] = [{ rank: 0, keep: null, by: "floor" }];
  const top = () => lines.toSorted((a, b) => b.rank - a.rank)[0]!;
  const ends = (moment: string, seen: string) => {
    while (top().keep !== null && dayStart(top().keep!) <= moment) {
      const day = top().keep!;
      const kept = Math.min(top().rank, reached(ladder, day, seen, day));
      lines = [{ rank: kept, keep: kept === 0 ? null : addMonths(day, 12), by: "floor" }];
    }
  };
  let seen = "";
  for (const fact of inTime) {
    ends(fact.at, seen);
    seen = fact.at;
    const tomorrow = addDays(shanghaiDay(fact.at), 1);
    if (fact.kind === "rules") ladder = fact.levels;
    const can = reached(ladder, tomorrow, fact.at, shanghaiDay(fact.at));
    if (fact.kind === "back") {
      lines = lines.map((line) => (line.by === fact.order_id && can < line.rank ? { ...line, rank: can } : line));
      const floor = lines.find(({ by }) => by === "floor")!;
      lines = lines.filter((line) => line === floor || line.rank > floor.rank);
      ends(fact.at, fact.at);
    } else if (can > top().rank)
      lines.push({ rank: can, keep: addMonths(shanghaiDay(fact.at), 12), by: fact.kind === "paid" ? fact.order_id : null });
  }
  ends(now, seen);
  return { rank: top().rank, keep_until: top().keep };
}

describe("the level that is earned", () => {
  const ladders = [
    [level(1, 100), level(2, 300), level(4, 900)],
    [level(1, 5_000, "spent"), level(3, 200)],
    [level(2, 150), level(5, 60_000, "spent")],
  ];
  const step = fc.record({
    minutes: fc.integer({ min: 1, max: 200_000 }),
    what: fc.constantFrom("paid", "paid", "paid", "back", "rules"),
    cents: fc.integer({ min: 50, max: 40_000 }),
    pick: fc.nat(),
  });
  test("is what a slow reckoning of the same facts says, whatever happened and in whatever order it is told", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.integer({ min: 0, max: 800 }), (steps, later) => {
        let at_ms = Date.parse("2026-01-30T15:00:00Z");
        const facts: LevelFact[] = [{ at: new Date(at_ms).toISOString(), kind: "rules", version: 1, levels: ladders[0]! }];
        const left: { id: string; cents: number }[] = [];
        for (const [n, { minutes, what, cents, pick }] of steps.entries()) {
          at_ms += minutes * 60_000;
          const at = new Date(at_ms).toISOString();
          const order = left[pick % Math.max(1, left.length)];
          if (what === "rules") facts.push({ at, kind: "rules", version: n + 2, levels: ladders[pick % 3]! });
          else if (what === "back" && order && order.cents > 0) {
            const some = Math.min(order.cents, cents);
            order.cents -= some;
            facts.push({ at, kind: "back", order_id: order.id, cents: some });
          } else {
            left.push({ id: `o${n}`, cents });
            facts.push({ at, kind: "paid", order_id: `o${n}`, cents });
          }
        }
        const now = new Date(at_ms + later * 86_400_000).toISOString();
        const { rank, keep_until } = standingOf(facts.toReversed(), now);
        expect({ rank, keep_until }).toEqual(slowly(facts, now));
      }),
      { numRuns: 400 },
    );
  });
  test("is lost by the refund of the order that lifted, not by another's", () => {
    const paid = (at: string, order_id: string, cents: number): LevelFact => ({ at, kind: "paid", order_id, cents });
    const back = (at: string, order_id: string, cents: number): LevelFact => ({ at, kind: "back", order_id, cents });
    const rules: LevelFact = { at: "2026-01-01T00:00:00.000Z", kind: "rules", version: 1, levels: [level(1, 100), level(2, 200)] };
    const [a, b] = [paid("2026-02-01T00:00:00.000Z", "a", 12_000), paid("2026-02-02T00:00:00.000Z", "b", 9_000)];
    const now = "2026-03-01T00:00:00.000Z";
    expect(standingOf([rules, a, b], now)).toMatchObject({ rank: 2, growth: 210, keep_until: "2027-02-02" });
    expect(standingOf([rules, a, b, back("2026-02-03T00:00:00.000Z", "a", 12_000)], now)).toMatchObject({ rank: 2, growth: 90 });
    expect(standingOf([rules, a, b, back("2026-02-03T00:00:00.000Z", "b", 9_000)], now)).toMatchObject({
      rank: 1,
      keep_until: "2027-02-01",
      cause: "refund",
    });
    expect(standingOf([rules, a, b, back("2026-02-03T00:00:00.000Z", "b", 500)], now)).toMatchObject({ rank: 2 });
  });
});

describe("what moved a level", () => {
  const paid = (at: string, order_id: string, cents: number): LevelFact => ({ at: `${at}T04:00:00.000Z`, kind: "paid", order_id, cents });
  const back = (at: string, order_id: string, cents: number): LevelFact => ({ at: `${at}T04:00:00.000Z`, kind: "back", order_id, cents });
  const rules = (at: string, version: number, ...levels: Level[]): LevelFact => ({
    at: `${at}T04:00:00.000Z`,
    kind: "rules",
    version,
    levels,
  });
  const merged = (at: string, rank: number, keep_until: string | null): LevelFact => ({
    at: `${at}T04:00:00.000Z`,
    kind: "merged",
    rank,
    keep_until,
  });
  const ladder = rules("2026-01-01", 1, level(1, 100), level(2, 200));
  const a = paid("2026-02-01", "a", 12_000);
  const said = (now: string, ...facts: LevelFact[]) => {
    const { rank, keep_until, cause, order_id } = standingOf(facts, now.includes("T") ? now : `${now}T04:00:00.000Z`);
    return [rank, keep_until, cause, order_id];
  };
  test("is an order, a new ladder, the end of what is kept, or a refund; what changes no rank moved nothing", () => {
    expect(said("2026-03-01")).toEqual([0, null, "order", null]);
    expect(said("2026-03-01", ladder, a)).toEqual([1, "2027-02-01", "order", "a"]);
    expect(said("2026-03-02", a, rules("2026-03-01", 2, level(1, 100)))).toEqual([1, "2027-03-01", "rules", null]);
    expect(said("2026-03-01", ladder, a, paid("2026-02-02", "b", 1_000), back("2026-02-03", "b", 1_000))).toEqual([
      1,
      "2027-02-01",
      "order",
      "a",
    ]);
    // To the moment: the day begins in Shanghai.
    expect(said("2027-01-31T15:59:59.999Z", ladder, a)).toEqual([1, "2027-02-01", "order", "a"]);
    expect(said("2027-01-31T16:00:00.000Z", ladder, a)).toEqual([0, null, "kept", null]);
    expect(said("2027-02-02", ladder, a, paid("2026-06-01", "b", 12_000))).toEqual([2, "2027-06-01", "order", "b"]);
  });
  test("what is to come is not counted, a refund of an order that nobody knows neither, nor what is only bought", () => {
    expect(standingOf([ladder, a], "2026-01-15T00:00:00.000Z")).toMatchObject({ rank: 0, growth: 0, spent_cents: 0 });
    expect(said("2026-03-01", ladder, back("2026-02-01", "x", 500))).toEqual([0, null, "order", null]);
    const bought = [level(3, 0, "paid"), level(4, 1, "paid"), { ...level(5, 0), threshold: null }];
    expect(said("2026-03-01", rules("2026-01-01", 1, ...bought), a)).toEqual([0, null, "order", null]);
  });
  test("of one moment the ladder comes first, then orders by their ids, then what goes back", () => {
    const at = "2026-02-01";
    expect(said("2026-03-01", a, rules(at, 1, level(1, 100)))).toEqual([1, "2027-02-01", "order", "a"]);
    for (const two of [
      [a, paid(at, "b", 12_000)],
      [paid(at, "b", 12_000), a],
    ])
      expect(said("2026-03-01", ladder, ...two)).toEqual([2, "2027-02-01", "order", "b"]);
    expect(said("2026-03-01", back(at, "a", 12_000), ladder, a)).toEqual([0, null, "refund", "a"]);
    const [low, high] = [rules("2026-01-01", 1, level(1, 100)), rules("2026-01-01", 2, level(1, 900))];
    for (const two of [
      [low, high],
      [high, low],
    ])
      expect(said("2026-03-01", ...two, a)).toEqual([0, null, "order", null]);
  });
  test("a lift from below that is half given back falls as far as what is left lifts", () =>
    expect(
      said("2026-03-01", ladder, paid("2026-02-01", "a", 5_000), paid("2026-02-02", "b", 16_000), back("2026-02-03", "b", 8_000)),
    ).toEqual([1, "2027-02-02", "refund", "b"]));
  test("becoming one with another: their rank where it is higher, the later end where it is the same", () => {
    expect(said("2026-03-02", ladder, a, merged("2026-03-01", 2, "2026-12-01"))).toEqual([2, "2026-12-01", "merge", null]);
    expect(said("2026-03-02", ladder, a, merged("2026-03-01", 1, "2027-06-01"))).toEqual([1, "2027-06-01", "order", "a"]);
    expect(said("2026-03-02", ladder, a, merged("2026-03-01", 1, null))).toEqual([1, null, "order", "a"]);
    expect(said("2026-03-02", ladder, paid("2026-02-01", "b", 22_000), merged("2026-03-01", 1, "2027-06-01"))).toEqual([
      2,
      "2027-02-01",
      "order",
      "b",
    ]);
    // Where the level is kept already, and no lift of an order.
    const kept = [rules("2026-01-01", 1, level(1, 100)), a, paid("2026-06-01", "b", 12_000)];
    expect(said("2027-02-02", ...kept)).toEqual([1, "2028-02-01", "order", "a"]);
    expect(said("2027-03-02", ...kept, merged("2027-03-01", 1, "2028-06-01"))).toEqual([1, "2028-06-01", "merge", null]);
    expect(said("2027-03-02", ...kept, merged("2027-03-01", 1, "2027-09-01"))).toEqual([1, "2028-02-01", "merge", null]);
  });
});

describe("the calendar", () => {
  test.each([
    ["2027-01-31", 1, "2027-02-28"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2028-02-29", 12, "2029-02-28"],
    ["2026-11-20", -12, "2025-11-20"],
    ["2026-12-31", 2, "2027-02-28"],
  ])("%s and %i months is %s", (day, months, to) => expect(addMonths(day, months)).toBe(to));
  test.each([
    ["2027-01-31", 1, null, "2027-01-31", "2027-02-28"],
    ["2026-11-20", 1, "2026-11-19", "2026-11-20", "2026-12-20"],
    ["2026-11-20", 1, "2026-11-20", "2026-11-21", "2026-12-20"],
    ["2026-11-20", 12, "2026-12-20", "2026-12-21", "2027-12-20"],
  ])("paid on %s for %i months, the last to %s: %s to %s", (paid, months, last, from, to) =>
    expect(spanOf(paid, months, last)).toEqual({ from, to }),
  );
  test.each([
    [2027, "2000-02-29", "2027-02-28"],
    [2028, "2000-02-29", "2028-02-29"],
    [2027, "1990-11-24", "2027-11-24"],
  ])("in %i a birthday of %s is %s", (year, birthday, day) => expect(birthdayIn(year, birthday)).toBe(day));
  test("of what was bought and earned the highest counts, both days included, and the next change is known", () => {
    const terms = [
      { rank: 5, from: "2026-11-20", to: "2026-12-20" },
      { rank: 7, from: "2026-12-01", to: "2026-12-05" },
    ];
    const days = ["2026-11-19", "2026-11-20", "2026-12-01", "2026-12-05", "2026-12-06", "2026-12-20", "2026-12-21"];
    expect(days.map((day) => rankOn(2, terms, day))).toEqual([2, 5, 7, 7, 5, 5, 2]);
    expect(days.map((day) => dueOn("2027-05-01", terms, day))).toEqual([
      "2026-11-20",
      "2026-12-01",
      "2026-12-06",
      "2026-12-06",
      "2026-12-21",
      "2026-12-21",
      "2027-05-01",
    ]);
  });
});

describe("what goes back", () => {
  const term = { price_cents: 19_900, months: 1, paid_at: "2026-11-20T04:00:00Z", first_day: "2026-11-20", last_day: "2026-12-20" };
  test.each([
    ["2026-11-20", false, "whole", 19_900],
    ["2026-11-27", false, "whole", 19_900],
    ["2026-11-28", false, "days", 14_593],
    ["2026-11-20", true, "days", 19_900],
    ["2026-12-05", true, "days", 9_950],
    ["2026-12-20", true, "days", 0],
  ] as const)("of a term on %s, used %s: %s %i", (today, used, rule, refund_cents) =>
    expect(termRefund(term, today, used)).toMatchObject({ rule, refund_cents, days: 30, whole_through: "2026-11-27" }),
  );
  test("of a term that has not begun all its days", () =>
    expect(termRefund({ ...term, first_day: "2026-12-21", last_day: "2027-01-20" }, "2026-12-01", true)).toMatchObject({
      days: 31,
      days_left: 31,
      refund_cents: 19_900,
    }));

  test("of a term that moved up as much as before it moved, whichever of two goes back first", () => {
    for (const today of ["2026-11-30", "2027-01-31", "2027-02-28"]) {
      const [waits, moved] = [spanOf(today, 1, "2027-03-20"), spanOf(today, 1, null)];
      const backOf = ({ from, to }: typeof waits) => termRefund({ ...term, first_day: from, last_day: to }, today, true);
      expect([waits.from > today, moved.from]).toEqual([true, today]);
      expect([backOf(waits).refund_cents, backOf(moved).refund_cents]).toEqual([19_900, 19_900]);
      expect(backOf(moved)).toMatchObject({ days: daysBetween(moved.from, moved.to) });
    }
    // Half of it is left, as of one that began when it was paid.
    const { from, to } = spanOf("2026-12-20", 1, null);
    expect(termRefund({ ...term, first_day: from, last_day: to }, "2027-01-04", true)).toMatchObject({ days: 31, days_left: 16 });
  });

  const card = { price_cents: 50_000, single_price_cents: 6_000, times: 10, gift_times: 2, left_times: 9, paid_at: "2026-11-20T04:00:00Z" };
  test("of a times card by each reason, as membership.md 9.6 has it", () => {
    expect([1, 2, 3].map((used) => earnedBy(card, used) - earnedBy(card, used - 1))).toEqual([4_167, 4_166, 4_167]);
    expect(
      refundsOf(card, "2026-11-21T00:00:00Z", false).map((one) => [one.refund_cents, one.forfeited_cents, one.refusal === null]),
    ).toEqual([
      [50_000, -12_500, false],
      [37_500, 0, true],
      [32_000, 5_500, true],
    ]);
  });
  test.each([
    ["2026-11-27T15:59:59Z", 12, false, null],
    ["2026-11-27T16:00:00Z", 12, false, "第 7 天是 2026-11-27，已过"],
    ["2026-11-21T00:00:00Z", 12, true, "顾客之前买过同一种次卡"],
    ["2026-11-21T00:00:00Z", 11, false, "已核销 1 次"],
  ])("七日无理由 at %s with %i left, had before %s: %s", (now, left_times, before, refusal) =>
    expect(refundsOf({ ...card, left_times }, now, before)[0]).toMatchObject({ refusal }),
  );
  test("is told with its arithmetic, and why nothing goes back", () => {
    const told = (left_times: number) =>
      refundsOf({ ...card, left_times }, "2026-11-21T00:00:00Z", false).map(({ reason, how, refusal }) => [reason, how, refusal]);
    expect(told(9)).toEqual([
      [1, "退回全部售价 500.00", "已核销 3 次"],
      [2, "售价 500.00 − 已用 3 次折 125.00（500.00 × 3 ÷ 12）", null],
      [3, "售价 500.00 − 已用 3 次 × 单次价 60.00", null],
    ]);
    expect(told(0)).toEqual([
      [1, "退回全部售价 500.00", "已核销 12 次"],
      [2, "售价 500.00 − 已用 12 次折 500.00（500.00 × 12 ÷ 12）", "没有可退的金额"],
      [3, "售价 500.00 − 已用 12 次 × 单次价 60.00，不足 0 按 0", "没有可退的金额"],
    ]);
  });
  test("of one whose payment's day is not known has its seven days from now", () =>
    expect(refundsOf({ ...card, left_times: 12, paid_at: null }, "2027-11-21T00:00:00Z", false)[0]).toMatchObject({ refusal: null }));
  test("never more than is left of the law, and nothing where the uses cost more than the card", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 999 }),
        fc.nat(999),
        fc.nat(2_000),
        (price_cents, times, gift_times, used) => {
          const all = times + gift_times;
          const left_times = all - Math.min(used, all);
          const facts = { ...card, price_cents, times, gift_times, left_times, single_price_cents: Math.ceil(price_cents / times) };
          const [, shop, customer] = refundsOf(facts, "2027-11-21T00:00:00Z", false);
          expect(customer!.refund_cents).toBeLessThanOrEqual(shop!.refund_cents);
          expect(customer!.refund_cents + customer!.forfeited_cents + earnedBy(facts, all - left_times)).toBe(price_cents);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("two who become one", () => {
  const facts: LevelFact[] = [
    { kind: "rules", at: "2024-12-01T04:00:00.000Z", version: 1, levels: [level(1, 100), level(2, 500)] },
    { kind: "paid", at: "2025-01-01T04:00:00.000Z", order_id: "a", cents: 10_000 },
  ];
  const merged = (rank: number, keep_until: string): LevelFact => ({ kind: "merged", at: "2025-06-01T04:00:00.000Z", rank, keep_until });
  const at = (day: string, ...more: LevelFact[]) => {
    const { rank, keep_until } = standingOf([...facts, ...more], `${day}T04:00:00.000Z`);
    return [rank, keep_until];
  };
  test("stand as high as either did, for as long as either kept it, and not a day longer", () => {
    expect(at("2025-12-31")).toEqual([1, "2026-01-01"]);
    expect(at("2026-01-01")).toEqual([0, null]);
    expect(at("2026-05-31", merged(1, "2026-06-01"))).toEqual([1, "2026-06-01"]);
    expect(at("2026-06-01", merged(1, "2026-06-01"))).toEqual([0, null]);
    expect(at("2025-06-02", merged(2, "2025-09-01"))).toEqual([2, "2025-09-01"]);
    // Then it falls to what the last twelve months reach, as any level does.
    expect(at("2025-09-01", merged(2, "2025-09-01"))).toEqual([1, "2026-09-01"]);
    expect(at("2025-06-02", merged(1, "2025-09-01"))).toEqual([1, "2026-01-01"]);
  });
  test("lose the lift of an order that goes back, as without it", () => {
    const back: LevelFact = { kind: "back", at: "2025-07-01T04:00:00.000Z", order_id: "a", cents: 10_000 };
    expect(at("2025-07-02", merged(1, "2026-01-01"), back)).toEqual([0, null]);
  });
});
