import fc from "fast-check";
import type { DrawMode } from "../../../value-book/contract.ts";
import type { Facts, Line, Offer, Rule, Wish } from "../rules/facts.ts";

const cents = (max: number) => fc.integer({ min: 0, max });
const rate = fc.integer({ min: 0, max: 100_000 });
const lines: fc.Arbitrary<Line[]> = fc
  .array(fc.record({ units: fc.integer({ min: 1, max: 4 }), unit_cents: cents(5_000), no_discount: fc.boolean(), freight: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) =>
    all.map((one, at) => ({
      ...one,
      freight: one.freight && at > 2,
      no_discount: one.no_discount && at > 1,
      place: at + 1,
      name: `商品 ${at + 1}`,
    })),
  )
  .filter((all) => all.some(({ unit_cents }) => unit_cents > 0));

const off = cents(3_000).map((off_cents): Rule => ({ kind: "off", off_cents }));
const percent = rate.map((one): Rule => ({ kind: "rate", rate: one }));
const each = fc
  .tuple(fc.integer({ min: 1, max: 3_000 }), cents(300))
  .map(([every_cents, off_cents]): Rule => ({ kind: "each", every_cents, off_cents }));
const units = fc.tuple(rate, fc.integer({ min: 1, max: 3 })).map(([one, most_units]): Rule => ({ kind: "units", rate: one, most_units }));
const exchange = cents(2_000).map((price_cents): Rule => ({ kind: "exchange", price_cents }));
const member = fc
  .tuple(rate, fc.dictionary(fc.constantFrom("1", "2", "3"), cents(4_000)))
  .map(([one, prices]): Rule => ({ kind: "member", rate: one, prices }));
const points = fc
  .tuple(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 120 }), rate)
  .map(([step_points, step_cents, most_rate]): Rule => ({
    kind: "points",
    balance: 2_500,
    least_points: 40,
    step_points,
    step_cents,
    most_rate,
  }));
const stored = fc
  .array(fc.tuple(cents(4_000), cents(1_000), fc.constantFrom("ratio" as const, "principal-first" as const, "gift-first" as const)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all): Rule => ({ kind: "stored", lots: all.map(([principal, gift, mode], at) => anyLot(`l${at}`, principal, gift, mode)) }));

/** A lot of which nothing was drawn. */
export const anyLot = (id: string, principal_cents: number, gift_cents: number, mode: DrawMode = "ratio") => ({
  id,
  mode,
  principal_cents,
  gift_cents,
  principal_left_cents: principal_cents,
  gift_left_cents: gift_cents,
});

const places = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
const ways = fc.oneof(
  fc.record({ source: fc.constant("member" as const), rule: member }),
  fc.record({ source: fc.constant("auto" as const), rule: fc.oneof(off, each, percent), group: fc.constantFrom("g", "h") }),
  fc.record({ source: fc.constant("coupon" as const), rule: fc.oneof(off, percent) }),
  fc.record({ source: fc.constant("coupon" as const), rule: fc.oneof(off, units, exchange), places }),
  fc.record({ source: fc.constantFrom("manual" as const, "voucher" as const), rule: off }),
  fc.record({ source: fc.constant("voucher" as const), rule: fc.constant<Rule>({ kind: "goods", face_cents: 0 }), places }),
  fc.record({ source: fc.constant("points" as const), rule: points }),
  fc.record({ source: fc.constant("stored" as const), rule: stored }),
);
const more = fc.record({
  priority: fc.integer({ min: 0, max: 2 }),
  min_cents: fc.oneof(fc.constant(0), cents(6_000)),
  provider_rate: rate,
  without: fc.oneof(
    { arbitrary: fc.constant([]), weight: 4 },
    { arbitrary: fc.subarray(["member", "auto", "coupon"] as const, { maxLength: 2 }), weight: 1 },
  ),
  cap_cents: fc.option(cents(4_000), { nil: undefined }),
});
const offers: fc.Arbitrary<Offer[]> = fc
  .array(fc.tuple(ways, more), { maxLength: 7 })
  .map((all) => all.map(([way, rest], at): Offer => ({ ...way, ...rest, ref: `o${at}`, name: `优惠 ${at}` })))
  // A balance stands once: tenders of one order are one account's.
  .map((all) => all.filter(({ source }, at) => source !== "stored" || all.findIndex((one) => one.source === source) === at));

const most = fc.option(fc.record({ whole: fc.nat({ max: 1 }), item: fc.nat({ max: 2 }) }), { nil: undefined });

/** Any order with any offers, and what is wanted of them: for what must hold whatever comes. */
export const anyOrder: fc.Arbitrary<{ facts: Facts; wish: Wish }> = fc
  .record({ lines, offers, most, wanted: fc.nat(), points: cents(3_000), stored_cents: cents(9_000) })
  .map(({ lines: given, offers: all, most: few, wanted, points: spend, stored_cents }) => ({
    facts: { version: 1, at: "2026-11-20T04:00:00Z", lines: given, offers: all, ...(few && { most: few }) },
    wish: { chosen: all.filter((_, at) => (wanted >> at) % 2 === 0).map(({ ref }) => ref), leave: [], points: spend, stored_cents },
  }));
