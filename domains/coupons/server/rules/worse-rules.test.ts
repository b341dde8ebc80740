import { describe, expect, test } from "vitest";
import { couponTerms, type CouponTerms, worseIn } from "../../contract/index.ts";

const STORES = ["01a1f71c-7600-7000-8000-000000000001", "01a1f71c-7600-7000-8000-000000000002"];
const BASE = {
  kind: 1,
  minCents: 8_000,
  offCents: 2_000,
  validity: { mode: 3, wait: 1, count: 7, unit: "day" },
  weekdays: [1, 2],
  windows: [{ from: "11:00", to: "14:00" }],
  excluded: ["2026-12-25"],
  storeIds: [STORES[0]],
  levels: [2],
  memberTags: ["老客"],
  newOnly: true,
  without: ["points"],
  graceDays: 3,
  note: "堂食用。",
};
const terms = (more: object = {}): CouponTerms => couponTerms.parse({ ...BASE, ...more });
const fixed = (from: string, to: string) => ({ validity: { mode: 2, from, to } });
const every = (count: number, unit = "day", wait = 1) => ({ validity: { mode: 3, wait, count, unit } });

describe("terms that were approved get better only", () => {
  test("the same terms are not worse", () => expect(worseIn(terms(), terms())).toBeUndefined());
  test.each([
    ["a lower threshold", { minCents: 7_999 }],
    ["a larger amount", { offCents: 2_001 }],
    ["longer", every(8)],
    ["from the same day on", every(7, "day", 0)],
    ["more weekdays", { weekdays: [1, 2, 3] }],
    ["every day", { weekdays: [] }],
    ["longer hours", { windows: [{ from: "10:59", to: "14:01" }] }],
    ["a second window", { windows: [...BASE.windows, { from: "17:00", to: "20:00" }] }],
    ["all hours", { windows: [] }],
    ["no excluded day", { excluded: [] }],
    ["one more store", { storeIds: STORES }],
    ["every store", { storeIds: [] }],
    ["one more level", { levels: [1, 2] }],
    ["every level", { levels: [] }],
    ["everybody, whatever their tags", { memberTags: [] }],
    ["not for new customers alone", { newOnly: false }],
    ["beside points", { without: [] }],
    ["more days of grace", { graceDays: 4 }],
    ["at the mall too", { methods: ["OFF_LINE", "MINI_PROGRAMS"] }],
  ])("%s is no worse", (_what, more) => expect(worseIn(terms(), terms(more))).toBeUndefined());
  const WORSE: readonly (readonly [field: string, next: object, old?: object])[] = [
    ["minCents", { minCents: 8_001 }],
    ["offCents", { offCents: 1_999 }],
    ["validity", every(6)],
    ["validity", every(7, "month")],
    ["validity", every(9, "day", 1.0), every(9, "day", 0)],
    ["validity", fixed("2026-12-01", "2027-12-31")],
    ["weekdays", { weekdays: [1] }],
    ["weekdays", { weekdays: [1, 3, 4] }],
    ["weekdays", { weekdays: [1, 2, 3, 4, 5, 6] }, { weekdays: [] }],
    ["windows", { windows: [{ from: "11:01", to: "14:00" }] }],
    ["windows", { windows: [{ from: "11:00", to: "13:59" }] }],
    ["windows", {}, { windows: [] }],
    ["windows", { windows: [{ from: "22:00", to: "01:00" }] }, { windows: [{ from: "22:00", to: "02:00" }] }],
    ["excluded", { excluded: ["2026-12-25", "2026-12-26"] }],
    ["storeIds", { storeIds: [STORES[1]] }],
    ["storeIds", {}, { storeIds: [] }],
    ["levels", { levels: [1] }],
    ["levels", {}, { levels: [] }],
    ["memberTags", { memberTags: ["新客"] }],
    ["memberTags", {}, { memberTags: [] }],
    ["newOnly", {}, { newOnly: false }],
    ["without", { without: ["points", "member"] }],
    ["graceDays", { graceDays: 2 }],
    ["methods", {}, { methods: ["OFF_LINE", "MINI_PROGRAMS"] }],
    ["note", { note: "堂食用，不找零。" }],
  ];
  test.each(WORSE.map(([field, next, old = {}]) => ({ field, next, old })))("$field: $next is worse", ({ field, next, old }) =>
    expect(worseIn(terms(old), terms(next))?.field).toBe(field),
  );
  test.each([
    ["percent", { percent: 81 }],
    ["capCents", { capCents: 899 }],
    ["maxUnits", { maxUnits: 1 }],
    ["skus", { skus: ["CAKE"] }],
    ["goodsTags", { goodsTags: [] }],
    ["kind", { kind: 2, skus: [], goodsTags: [], maxUnits: 1 }],
  ] as const)("%s of a discount on goods: %o is worse", (field, next) => {
    const goods = {
      kind: 4,
      offCents: null,
      minCents: 0,
      percent: 80,
      capCents: 900,
      maxUnits: 2,
      skus: ["CAKE", "TEA"],
      goodsTags: ["drink"],
    };
    expect(worseIn(terms(goods), terms({ ...goods, ...next }))?.field).toBe(field);
    const better = { percent: 79, capCents: 901, maxUnits: 3, skus: ["CAKE", "TEA", "JAM"] };
    expect(worseIn(terms(goods), terms({ ...goods, ...better }))).toBeUndefined();
  });
  test("a price for a line gets lower only; a period grows on both sides", () => {
    const line = { kind: 5, offCents: null, priceCents: 990, capCents: 3_910, skus: ["CAKE"] };
    expect(worseIn(terms(line), terms({ ...line, priceCents: 991 }))?.field).toBe("priceCents");
    expect(worseIn(terms(line), terms({ ...line, priceCents: 989 }))).toBeUndefined();
    const period = fixed("2026-12-01", "2026-12-31");
    expect(worseIn(terms(period), terms(fixed("2026-11-30", "2027-01-01")))).toBeUndefined();
    expect(worseIn(terms(period), terms(fixed("2026-12-02", "2027-01-01")))?.field).toBe("validity");
    expect(worseIn(terms(period), terms(fixed("2026-11-30", "2026-12-30")))?.field).toBe("validity");
  });
});
