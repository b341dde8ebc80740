import { domain } from "@zhangfang/server/calls/domain.ts";
import type { Contributor, Offer } from "@zhangfang/domains/pricing/server/index.ts";

/** Three automatic offers and four coupons, until there are rooms that bring them: with member, points and stored value they are ten. */
const base = { priority: 0, min_cents: 0, provider_rate: 0, without: [] } as const;
export const autoOffers: readonly Offer[] = [
  {
    ...base,
    source: "auto",
    ref: "each",
    name: "每满50减5",
    group: "full",
    rule: { kind: "each", every_cents: 5_000, off_cents: 500 },
    cap_cents: 1_500,
  },
  { ...base, source: "auto", ref: "full", name: "满200减25", group: "full", min_cents: 20_000, rule: { kind: "off", off_cents: 2_500 } },
  { ...base, source: "auto", ref: "day", name: "会员日 9.9 折", group: "day", rule: { kind: "rate", rate: 1_000 } },
];
export const couponOffers: readonly Offer[] = [
  {
    ...base,
    source: "coupon",
    ref: "c1",
    name: "单品 5 折",
    places: [1, 2, 3],
    rule: { kind: "units", rate: 50_000, most_units: 1 },
    ends: "2026-12-31",
  },
  { ...base, source: "coupon", ref: "c2", name: "单品减 3", places: [4, 5, 6], rule: { kind: "off", off_cents: 300 }, ends: "2026-12-30" },
  {
    ...base,
    source: "coupon",
    ref: "c3",
    name: "满100减20",
    min_cents: 10_000,
    rule: { kind: "off", off_cents: 2_000 },
    provider_rate: 50_000,
    ends: "2026-12-31",
  },
  {
    ...base,
    source: "coupon",
    ref: "c4",
    name: "8.8 折",
    rule: { kind: "rate", rate: 12_000 },
    cap_cents: 1_500,
    without: ["member"],
    ends: "2026-12-29",
  },
];
const offering = (source: Contributor["source"], all: readonly Offer[]): Contributor => ({
  source,
  // Coupons that were read or quoted, or all that might be of use.
  offers: async (_tx, _services, { coupons, quoted }) => {
    const named = quoted ?? (coupons === "best" ? undefined : coupons);
    return source === "coupon" && named ? all.filter(({ ref }) => named.includes(ref)) : all;
  },
  hold: async () => {},
  take: async () => [],
  release: async () => {},
  giveBack: async () => {},
});
export const tenOffers = domain({ contributors: [offering("auto", autoOffers), offering("coupon", couponOffers)] });
