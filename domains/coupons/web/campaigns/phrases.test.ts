import { describe, expect, test } from "vitest";
import { couponTerms, sayTerms } from "../../contract/index.ts";
import { endOf, sayLimits } from "./campaign-words.ts";
import { limitMarks, marksOf, phrasesOf } from "./phrases.ts";

const terms = couponTerms.parse({
  kind: 1,
  minCents: 8_000,
  offCents: 2_000,
  validity: { mode: 3, wait: 1, count: 7, unit: "day" },
  weekdays: [1, 2, 3, 4, 5],
  windows: [{ from: "11:00", to: "14:00" }],
  storeIds: ["0198c5a0-0000-7000-8000-000000000001"],
  without: ["points"],
  graceDays: 3,
});
const fieldsOf = (said: string, marks: Parameters<typeof phrasesOf>[1]) => phrasesOf(said, marks).flatMap(({ field }) => field ?? []);

describe("the phrases of a coupon's sentence", () => {
  test("put together they are the sentence, and each leads to its field", () => {
    const said = sayTerms(terms);
    const phrases = phrasesOf(said, marksOf(terms, {}));
    expect(phrases.map(({ text }) => text).join("")).toBe(said);
    expect(fieldsOf(said, marksOf(terms, {}))).toEqual([
      "validity.wait",
      "validity.count",
      "weekdays",
      "windows",
      "storeIds",
      "minCents",
      "offCents",
      "without",
      "graceDays",
    ]);
  });
  test("a discount names its rate and the most that it takes off", () => {
    const discount = couponTerms.parse({ ...terms, kind: 2, offCents: null, percent: 88, capCents: 3_000 });
    const fields = fieldsOf(sayTerms(discount), marksOf(discount, {}));
    expect(fields).toContain("percent");
    expect(fields).toContain("capCents");
    expect(fields).not.toContain("offCents");
  });
  test("limits say how many there are and until when, an end at midnight as 24:00", () => {
    const limits = {
      total: 5_000,
      perPerson: 2,
      perPersonDay: 1,
      perDay: null,
      beginsAt: "2026-12-01T02:00:00Z",
      endsAt: "2026-12-31T16:00:00Z",
    };
    const said = sayLimits(limits, 3);
    expect(said).toBe("2026-12-01 10:00 至 2026-12-31 24:00 可领，最晚也用到那时，每人最多 2 张，每人每天 1 张，共 5,000 张。");
    expect(fieldsOf(said, limitMarks(limits))).toEqual(["beginsAt", "endsAt", "perPerson", "perPersonDay", "total"]);
    expect(endOf("2026-12-31T15:59:00Z")).toBe("2026-12-31 23:59 ");
  });
});
