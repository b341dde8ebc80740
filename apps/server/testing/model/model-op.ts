import fc from "fast-check";

export type Asker = "mch01" | "emp01" | "till";
const FAULTS = ["lost-request", "lost-reply", "crash-before", "crash-after"] as const;
const CALLS = [
  ["payment", "pay"],
  ["payment", "query"],
  ["payment", "close"],
  ["payment", "refund"],
  ["payment", "queryRefund"],
  ["payment", "redirect"],
  ["sharing", "share"],
  ["sharing", "queryShare"],
  ["sharing", "unfreeze"],
  ["sharing", "giveBack"],
  ["sharing", "giveBack"],
  ["sharing", "queryReturn"],
  ["payout", "transfer"],
  ["payout", "query"],
  ["bill", "download"],
] as const;
const at = fc.nat({ max: 7 });
const copies = fc.integer({ min: 1, max: 2 });
// Amounts around the limit of approval (500.00), around the fee's rounding, and the odd cent.
const cents: fc.Arbitrary<number> = fc.constantFrom(1, 2, 99, 131, 132, 10_000, 10_000, 60_000, 123_457);
// Of what is left.
const part = fc.constantFrom("a cent", "a third", "half", "all", "all", "a cent too much");
const sum = fc.constantFrom("a cent", "a third", "half", "all", "a cent too much");

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]: F[K] extends fc.Arbitrary<infer T> ? T : never };
const step = <N extends string, F extends Fields>(weight: number, op: N, fields: F) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<{ readonly op: N } & Given<F>>,
});

/** One operation of a sequence. */
export const op = fc.oneof(
  step(4, "order", {
    cents,
    way: fc.constantFrom("code", "scan", "scan", "slow scan"),
    wallet: fc.constantFrom("wechat", "alipay"),
    off: fc.constantFrom("nothing", "points", "coupon"),
  }),
  step(4, "customer pays", { at, told: fc.boolean() }),
  step(2, "tell payment", { at, copies }),
  step(1, "close", { at }),
  step(9, "refund", { at, part, by: fc.constantFrom<Asker[]>("mch01", "emp01", "till"), twice: fc.boolean(), sent: fc.boolean() }),
  step(3, "ask again", { at, otherwise: fc.boolean() }),
  step(2, "decide", { at, approve: fc.boolean() }),
  step(7, "channel decides", { at, result: fc.constantFrom("success", "closed", "abnormal", "abnormal"), told: fc.boolean() }),
  step(4, "tell refund", { at, copies }),
  step(1, "tell share", { at, copies }),
  step(1, "old notice", { at }),
  step(5, "retry", { at, bear: fc.boolean(), sent: fc.boolean() }),
  step(2, "redirect", { at, to: fc.constantFrom("card", "merchant") }),
  step(2, "prove", { at, confirmed: fc.boolean() }),
  step(1, "decide proof", { at, confirm: fc.boolean() }),
  step(2, "rule", {
    mode: fc.constantFrom("none", "manual", "manual", "auto"),
    timing: fc.constantFrom("now", "now", "next-day"),
    unfreeze: fc.boolean(),
  }),
  step(3, "share", { at }),
  step(2, "share again", { at }),
  step(1, "finish sharing", { at }),
  step(1, "return again", { at }),
  step(3, "receivers", {
    how: fc.constantFrom("slow", "at once", "decide", "decide", "one is closed", "one has nothing", "one has nothing", "all is well"),
  }),
  step(2, "share fees", {}),
  step(3, "withdraw", { part: sum, to: fc.constantFrom("wechat", "bank") }),
  step(2, "decide withdrawal", { at, approve: fc.boolean() }),
  step(1, "cancel withdrawal", { at }),
  step(2, "record withdrawal", { at, result: fc.constantFrom("paid", "paid", "failed", "returned") }),
  step(3, "payee decides", { at, state: fc.constantFrom("success", "success", "failed", "cancelled") }),
  step(2, "fetch bill", { at }),
  step(1, "close day", { at }),
  step(9, "jobs", {}),
  step(3, "time passes", { minutes: fc.constantFrom(1, 5, 20) }),
  step(2, "next day", {}),
  step(4, "fault", { call: fc.constantFrom(...CALLS), fault: fc.constantFrom(...FAULTS) }),
  step(3, "crash", { point: fc.integer({ min: 1, max: 12 }) }),
);
export type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

/** What touches only the channel's side or what is yet to come, so that there is nothing to check afterwards. */
export const BESIDE_THE_BOOK: ReadonlySet<Op["op"]> = new Set(["receivers", "payee decides", "fault", "crash"]);
/** Where the channel may have been asked before the refusal. */
export const ASKS_FIRST: ReadonlySet<Op["op"]> = new Set(["close"]);
