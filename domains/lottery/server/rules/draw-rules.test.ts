import { describe, expect, test } from "vitest";
import { lawOf, lotteryTerms, rangesOf, restOf, sayChance, sayLottery } from "../../contract/index.ts";
import { chainOf, dayNo, hashOf, hitOf, rollOf } from "./draw-rules.ts";
import { costOf, mostOf } from "./prize-rules.ts";

// Worked out by docs/lottery.md's recipe in Python, not by this code.
const LAST = Buffer.from(Array.from({ length: 32 }, (_one, n) => n));
const LOTTERY = "0193a000-0000-7000-8000-000000000001";
const PERSON = "38a81e87e79631e602bf5fbd307ce2fcd382b1670c585ea09032aac778a80531";
const CHAIN = [
  "4e05063392f42b5180353ef82da86c714042155044d91ab3253f1bab08120a0a",
  "2f287b4d3d4910f6cada9e1bd1b4648099e8c52c81aa4a6aebfa6fc86f19834e",
  "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
];
const PRIZES = [{ chance: 100_000 }, { chance: 400_000 }];
const TABLE = [
  [
    1,
    "2026-12-01",
    1,
    "11111111-1111-4111-8111-111111111111",
    1_764_547_200_000,
    286_301,
    2,
    "97fe1b271a864db79afff17c35af5ef80ed62f5a2cc88b8b19dc136897d58d98",
  ],
  [
    2,
    "2026-12-01",
    2,
    "22222222-2222-4222-8222-222222222222",
    1_764_547_201_000,
    697_756,
    0,
    "da9ffb5f15e7c4b04bd5589b0433657059816e13d7d8b2940af6d2900f6c7af5",
  ],
  [
    3,
    "2026-12-02",
    1,
    "33333333-3333-4333-8333-333333333333",
    1_764_633_600_000,
    573_306,
    0,
    "e6fd2e89682443fa29849b81392fd5bc827b7b93485139da92f83ff92e867e15",
  ],
] as const;

describe("a chain of seeds", () => {
  test("is hashed from its end to its begin", () => expect(chainOf(LAST, 3).map((seed) => seed.toString("hex"))).toEqual(CHAIN));
  test.each([
    ["2026-12-01", "2026-12-01", 1],
    ["2026-12-01", "2026-12-31", 31],
    ["2026-12-31", "2027-01-01", 2],
    ["2028-02-28", "2028-03-01", 3],
  ])("of %s counts %s as day %i", (first, day, n) => expect(dayNo(first, day)).toBe(n));
});
describe("a draw", () => {
  test("comes out as anybody recomputes it, and its hash carries the one before", () => {
    let prev: string = CHAIN[0]!;
    for (const [draw_no, day, nth, nonce, at_ms, roll, hit, hash] of TABLE) {
      const ticket = { lottery_id: LOTTERY, day, nth, person: PERSON, nonce };
      const seed = Buffer.from(CHAIN[dayNo("2026-12-01", day)]!, "hex");
      expect(rollOf(seed, ticket)).toBe(roll);
      expect(hitOf(roll, PRIZES)).toBe(hit);
      prev = hashOf(prev, { ...ticket, draw_no, roll, hit, prize: hit, at_ms });
      expect(prev).toBe(hash);
    }
  });
  test.each([
    [0, 1],
    [99_999, 1],
    [100_000, 2],
    [499_999, 2],
    [500_000, 0],
    [999_999, 0],
  ])("of %i hits prize %i", (roll, hit) => expect(hitOf(roll, PRIZES)).toBe(hit));
  test("spreads over the table as its chances say", () => {
    const counts = [0, 0, 0];
    for (let nth = 1; nth <= 20_000; nth++)
      counts[hitOf(rollOf(LAST, { lottery_id: LOTTERY, day: "2026-12-01", nth, person: PERSON, nonce: "n" }), PRIZES)]!++;
    // Seven deviations each way; the seed is given, so it is the same each time.
    expect(Math.abs(counts[1]! - 2_000)).toBeLessThan(300);
    expect(Math.abs(counts[2]! - 8_000)).toBeLessThan(490);
  });
});

const prize = (more: object = {}) => ({ name: "一等奖", kind: "goods", amount: 1, valueCents: 26_800, chance: 1_000, stock: 10, ...more });
const rules = (more: object = {}) => ({ prizes: [prize()], perDay: 3, perPerson: 30, contact: "13800001111", staffListed: true, ...more });
const refused = (more: object): string[] => {
  const parsed = lotteryTerms.safeParse(rules(more));
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
};
describe("rules", () => {
  test("say everything that has to be published, and the chances add up", () => {
    const terms = lotteryTerms.parse(
      rules({
        prizes: [prize(), prize({ name: "好运", kind: "points", amount: 10, valueCents: 0, chance: 400_000, stock: 10_000 })],
        note: "每天中午更新。",
      }),
    );
    expect(restOf(terms.prizes)).toBe(599_000);
    expect(rangesOf(terms.prizes)).toEqual([
      [0, 1_000],
      [1_000, 401_000],
    ]);
    const said = sayLottery(terms, {
      firstDay: "2026-12-01",
      lastDay: "2026-12-31",
      host: "蜀味川菜",
      words: ["一等奖", "10 积分"],
      values: [26_800, 10],
      redeemDay: "2027-01-30",
    }).join("\n");
    for (const part of [
      "2026-12-01 至 2026-12-31",
      "每人每天最多 3 次",
      "价值 268.00 元",
      "机会 0.1 %",
      "共 10 份",
      "其余 59.9 % 是谢谢参与",
      "实物凭兑奖码到任一门店领，最晚 2027-01-30",
      "蜀味川菜",
      "13800001111",
      "员工不参加",
      "每天中午更新",
    ])
      expect(said).toContain(part);
  });
  test.each([
    ["chances over the whole", { prizes: [prize({ chance: 600_000 }), prize({ name: "二等奖", chance: 400_001 })] }, ["prizes"]],
    ["a prize over 50,000.00", { prizes: [prize({ valueCents: 5_000_001 })] }, ["prizes.0.valueCents"]],
    ["goods without their price", { prizes: [prize({ valueCents: 0 })] }, ["prizes.0.valueCents"]],
    ["a coupon without its campaign", { prizes: [prize({ kind: "coupon" })] }, ["prizes.0.campaignId"]],
    ["two of one name", { prizes: [prize(), prize()] }, ["prizes"]],
    ["none at all", { prizes: [] }, ["prizes"]],
    ["fewer in all than a day", { perDay: 3, perPerson: 2 }, ["perPerson"]],
    ["no way to reach the host", { contact: "" }, ["contact"]],
    ["a chance of nothing", { prizes: [prize({ chance: 0 })] }, ["prizes.0.chance"]],
  ])("refuse %s", (_what, more, paths) => expect(refused(more)).toEqual(paths));
  test("have no setting that gives out by time or place", () => {
    const keys = Object.keys(lotteryTerms.parse(rules()));
    expect(keys.filter((key) => /hour|time|release|area|byDay/i.test(key))).toEqual([]);
  });
  test("are ticked as the law asks", () => {
    const terms = lotteryTerms.parse(rules());
    expect(lawOf(terms, [26_800]).every(({ ok }) => ok)).toBe(true);
    expect(
      lawOf({ ...terms, staffListed: false }, [26_800])
        .filter(({ ok }) => !ok)
        .map(({ field }) => field),
    ).toEqual(["terms.staffListed"]);
    expect(
      lawOf(terms, [5_000_001])
        .filter(({ ok }) => !ok)
        .map(({ field }) => field),
    ).toEqual(["terms.prizes"]);
  });
  test.each([
    [1, "0.0001 %"],
    [1_500, "0.15 %"],
    [80_000, "8 %"],
    [1_000_000, "100 %"],
  ])("say a chance of %i as %s", (chance, said) => expect(sayChance(chance)).toBe(said));
  test("cost what all pieces of all prizes cost", () => {
    const worth = { points: 3, cents: 10 };
    const all = [prize(), prize({ kind: "points", amount: 1, stock: 100 }), prize({ kind: "balance", amount: 500, stock: 2 })] as never[];
    const costs = all.map((one) => costOf(one, new Map(), worth));
    expect(costs).toEqual([26_800, 4, 500]);
    expect(mostOf(all, costs)).toBe(268_000 + 400 + 1_000);
    const coupon = (campaignId?: string) => costOf(prize({ kind: "coupon", campaignId }) as never, new Map([["c1", 2_000]]), worth);
    expect([coupon("c1"), coupon("c2"), coupon()]).toEqual([2_000, 0, 0]);
    expect(mostOf([{ stock: 3 }, { stock: 5 }], [100])).toBe(300);
  });
});
