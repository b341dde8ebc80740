import fc from "fast-check";
import { pick } from "./model-run.ts";
import type { MemberWorld } from "./member-world.ts";
import type { ModelMember } from "./merging.ts";

const FAULTS = ["lost-request", "lost-reply", "crash-before", "crash-after"] as const;
const CALLS = ["pay", "query", "close", "refund", "queryRefund"] as const;
const at = fc.nat({ max: 7 });
const who = fc.nat({ max: 2 });
const part = fc.constantFrom("a cent", "a third", "half", "all", "a cent too much");
const how = fc.constantFrom("scan", "scan", "code");

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]: F[K] extends fc.Arbitrary<infer T> ? T : never };
const step = <N extends string, F extends Fields>(weight: number, op: N, fields: F) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<{ readonly op: N } & Given<F>>,
});

/** One operation of a sequence around three members of a merchant with two stores. */
export const memberOp = fc.oneof(
  step(4, "recharge", { who, how, store: fc.nat({ max: 1 }), cents: fc.constantFrom(1, 333, 10_000, 100_000, 99_999) }),
  step(8, "spend", {
    who,
    how,
    store: fc.nat({ max: 1 }),
    cents: fc.constantFrom(1, 99, 5_000, 15_000, 60_000, 123_457),
    stored: fc.constantFrom("nothing", "a cent", "half", "most", "most"),
    points: fc.constantFrom("nothing", "most"),
  }),
  step(4, "customer pays", { at, told: fc.boolean() }),
  step(1, "close", { at }),
  step(7, "refund", { at, part, sent: fc.boolean(), by: fc.constantFrom("mch01", "mch01", "emp01") }),
  step(2, "decide refund", { at, approve: fc.boolean() }),
  step(2, "retry", { at }),
  step(5, "channel decides", { at, result: fc.constantFrom("success", "success", "closed", "abnormal") }),
  step(4, "ask card back", { at, reason: fc.constantFrom(1, 2, 3), way: fc.constantFrom(0, 0, 1) }),
  step(4, "decide card back", { at, how: fc.constantFrom("approve", "approve", "reject", "withdraw", "prove", "confirm") }),
  step(3, "transfer", { who, cents: fc.constantFrom(1, 777, 20_000) }),
  step(2, "points by hand", { who, points: fc.constantFrom(1, 250, -100, -5_000) }),
  step(2, "balance by hand", { who, kind: fc.constantFrom(1, 2, 3), cents: fc.constantFrom(1, 500) }),
  step(6, "jobs", {}),
  step(4, "time passes", { minutes: fc.constantFrom(1, 20, 200) }),
  step(3, "fault", { call: fc.constantFrom(...CALLS), fault: fc.constantFrom(...FAULTS) }),
  step(5, "merge", { who }),
  step(4, "terms", { days: fc.constantFrom(0, 0, 1, 30, 31, 62), look: fc.boolean() }),
  step(1, "point rule", { pending: fc.constantFrom(0, 1), months: fc.constantFrom(1, 2) }),
  step(4, "sell card", { who, how, store: fc.nat({ max: 1 }), product: fc.nat({ max: 1 }) }),
  step(5, "use card", { at, store: fc.nat({ max: 1 }), times: fc.constantFrom(1, 1, 2, 5, 12) }),
  step(2, "use back", { at }),
  step(3, "card back", { at, reason: fc.constantFrom(1, 2, 3) }),
  step(3, "crash", { point: fc.integer({ min: 1, max: 12 }) }),
);
export type MemberOp = typeof memberOp extends fc.Arbitrary<infer T> ? T : never;

export interface MemberRun {
  readonly world: MemberWorld;
  /** Who was merged makes place for somebody new. */
  readonly members: ModelMember[];
  readonly orders: { readonly orderNo: string; readonly tillNo: string; readonly store: number }[];
  /** At which of its points the next operation's process ends; 0 where it lives. */
  endsAt: number;
}
export type MemberSteps<K extends MemberOp["op"] = MemberOp["op"]> = {
  readonly [N in K]: (run: MemberRun, given: Extract<MemberOp, { readonly op: N }>) => Promise<unknown>;
};
export const storeOf = ({ world }: MemberRun, n: number) => world.tree.merchants.mch01.stores[n]!;
export const paying = (way: "scan" | "code") =>
  way === "scan" ? ({ tradeType: "MICROPAY", authCode: "130000000000000009" } as const) : ({ tradeType: "NATIVE" } as const);
/** The one that is picked of the rows in the order in which they came about. */
export async function row<T extends object>({ world }: MemberRun, text: string, index: number): Promise<T | undefined> {
  return pick(await world.owner<T>(text), index);
}
/** A till that heard nothing asks again with the same number; what was made is remembered. */
export async function place(run: MemberRun, tillNo: string, store: number, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask().catch(ask);
  } finally {
    const [made] = await run.world.owner<{ orderNo: string }>('select order_no as "orderNo" from pay_orders where till_no = $1', [tillNo]);
    if (made) run.orders.push({ ...made, tillNo, store });
  }
}
