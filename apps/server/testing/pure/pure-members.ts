import fc from "fast-check";
import type { Back, Line, Paid } from "@zhangfang/domains/pricing/server/testing/rules.ts";
import type { Drawn, PointsDrawn } from "@zhangfang/domains/value-book/server/testing/rules.ts";
import { pureBook, type PureBook } from "./pure-book.ts";

/** Two members of one merchant, by the rules alone: what they pay in, spend, get back, earn and lose. One that is merged gives its place to somebody new. */
export interface PureLot {
  readonly id: string;
  member: number;
  readonly mode: "ratio" | "principal-first" | "gift-first";
  /** What is drawn by: less what was moved away or paid back. */
  principal_cents: number;
  gift_cents: number;
  /** What was paid back of both: a law's sum counts it as if it were there. */
  back_principal_cents: number;
  back_gift_cents: number;
  /** What went to the other member; it counts as used. */
  moved_principal_cents: number;
  moved_gift_cents: number;
  principal_left_cents: number;
  gift_left_cents: number;
  used_cents: number;
  paid_cents: number;
  readonly sold_cents: number;
  readonly came: "sold" | "moved";
  readonly bought_on: string;
}
export interface PurePoints {
  readonly id: string;
  member: number;
  readonly order: number | undefined;
  readonly expires_on: string | null;
  pending: boolean;
  left_points: number;
}
interface LotDraw extends Drawn {
  returned_principal_cents: number;
  returned_gift_cents: number;
}
interface PointDraw extends PointsDrawn {
  readonly expires_on: string | null;
  returned_points: number;
}
interface Refund {
  readonly cut: Back;
  state: "out" | "done" | "failed";
}
export interface MemberOrder {
  member: number;
  readonly lines: readonly Line[];
  readonly paid: Paid;
  state: "open" | "paid" | "closed";
  readonly draws: readonly LotDraw[];
  readonly points: readonly PointDraw[];
  readonly refunds: Refund[];
  earned: number;
  kept: number;
}
export interface PureMembers {
  day: string;
  readonly lots: PureLot[];
  readonly points: PurePoints[];
  readonly orders: MemberOrder[];
  readonly book: PureBook;
  /** Cash that went back for lots. */
  returned_cents: number;
}
export const noMembers = (): PureMembers => ({
  day: "2026-01-29",
  lots: [],
  points: [],
  orders: [],
  // Flows of the merchant have no floor; `forfeited` is what a legal sum leaves him of a lot, or makes him add.
  book: pureBook(new Set(["sold", "granted", "earned", "gift-used", "forfeited", "gift-void", "issued", "used", "cleared", "debt"])),
  returned_cents: 0,
});

const amount = fc.oneof(fc.constantFrom(1, 2, 99, 100, 101, 10_000), fc.integer({ min: 1, max: 200_000 }));
const part = fc.constantFrom("nothing", "a cent", "a third", "half", "all", "all", "a cent too much");
const member = fc.nat(1);
const at = fc.nat(5);
/** One operation of a sequence. */
export const memberOp = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant("recharge" as const),
      member,
      amount,
      gift: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 })),
      mode: fc.constantFrom("ratio" as const, "ratio" as const, "principal-first" as const, "gift-first" as const),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      op: fc.constant("order" as const),
      member,
      unit: amount,
      units: fc.integer({ min: 1, max: 4 }),
      freight: fc.constantFrom(0, 0, 800),
      level: fc.constantFrom(0, 5_000, 12_345),
      points: part,
      stored: part,
    }),
  },
  { weight: 10, arbitrary: fc.record({ op: fc.constant("order ends" as const), at, paid: fc.constantFrom(true, true, true, false) }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("refund" as const), at, part, units: fc.option(fc.integer({ min: 1, max: 3 })) }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("refund ends" as const), at, good: fc.constantFrom(true, true, false) }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("card refund" as const), at, reason: fc.constantFrom(0 as const, 1 as const, 2 as const) }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("transfer" as const), member, part }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("merge" as const), member }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant("days pass" as const), days: fc.constantFrom(1, 3, 7, 8, 40) }) },
);
export type MemberOp = typeof memberOp extends fc.Arbitrary<infer T> ? T : never;
