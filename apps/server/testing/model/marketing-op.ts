import fc from "fast-check";
import type { drawAsMember } from "@zhangfang/domains/lottery/server/index.ts";
import type { MarketingWorld } from "./marketing-world.ts";
import type { ModelMember } from "./merging.ts";

type Outcome = Awaited<ReturnType<typeof drawAsMember>>;
const at = fc.nat({ max: 7 });
const who = fc.nat({ max: 2 });
const which = fc.nat({ max: 4 });
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]: F[K] extends fc.Arbitrary<infer T> ? T : never };
const step = <N extends string, F extends Fields>(weight: number, op: N, fields: F) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<{ readonly op: N } & Given<F>>,
});

/** One operation of a sequence around three members of a merchant whose provider pays for one of its coupons. */
export const marketingOp = fc.oneof(
  step(6, "claim", { who, which }),
  step(3, "package", { who, priced: fc.boolean(), paid: fc.boolean() }),
  step(2, "package back", { at }),
  step(3, "send", { which, who }),
  step(3, "revoke", { at }),
  step(1, "stop", { which }),
  step(10, "spend", {
    who,
    shape: fc.nat({ max: 3 }),
    store: fc.nat({ max: 1 }),
    scan: fc.constantFrom(true, false, false),
    best: fc.boolean(),
    take: fc.nat(),
    stored: fc.constantFrom("nothing", "half", "most"),
    points: fc.constantFrom("nothing", "nothing", "most"),
    manual: fc.constantFrom(0, 0, 0, 137),
  }),
  step(4, "customer pays", { at }),
  step(4, "close", { at }),
  step(4, "paid late", { at }),
  step(7, "refund", {
    at,
    part: fc.constantFrom("a cent", "a third", "half", "all", "a cent too much"),
    good: fc.constantFrom(true, true, true, false),
  }),
  step(3, "units back", { at, place: fc.integer({ min: 1, max: 3 }) }),
  step(2, "merge", { who }),
  step(7, "scan", { who, store: fc.nat({ max: 1 }) }),
  step(8, "draw", { who, again: fc.constantFrom(false, false, false, true) }),
  step(2, "steer", { what: fc.constantFrom("activity", "lottery"), act: fc.constantFrom("pause", "resume", "resume") }),
  step(2, "time passes", { days: fc.constantFrom(0.01, 0.05, 1, 3, 8) }),
);
export type MarketingOp = typeof marketingOp extends fc.Arbitrary<infer T> ? T : never;

/** What is given for nothing: what must have become of it so far. */
export interface Gifts {
  readonly activity: string;
  /** Of its stores. */
  readonly codes: readonly string[];
  readonly lottery: string;
  /** By whom, on what day, and whether there was a place. */
  readonly scans: { readonly member: string; readonly day: string; readonly got: boolean }[];
  readonly draws: { readonly member: string; readonly day: string; readonly nonce: string; readonly outcome: Outcome }[];
}
export interface MarketingRun {
  readonly world: MarketingWorld;
  /** Who was merged makes place for somebody new. */
  readonly members: ModelMember[];
  readonly campaigns: readonly string[];
  readonly packs: { readonly free: string; readonly priced: string };
  readonly orders: { readonly orderNo: string; readonly tillNo: string }[];
  readonly tasks: string[];
  readonly gifts: Gifts;
  /** How many prices had one coupon more to choose from. */
  compared: number;
}
export type MarketingSteps<K extends MarketingOp["op"] = MarketingOp["op"]> = {
  readonly [N in K]: (run: MarketingRun, given: Extract<MarketingOp, { readonly op: N }>) => Promise<unknown>;
};
export const storeOf = ({ world }: MarketingRun, n = 0) => world.tree.merchants.mch01.stores[n]!;
/** What a step says that found nothing to do. */
export const NOTHING = "nothing";
/** Of a query: a member and whoever was merged into them. */
export const FAMILY = "select f.id from members f where $1::uuid in (f.id, f.merged_into)";
