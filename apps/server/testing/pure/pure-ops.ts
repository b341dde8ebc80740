import fc from "fast-check";
import { RATE_ONE } from "@zhangfang/contract/money.ts";

// 0, 1, around the fee's rounding, around what 32 bits hold, the largest that a door takes, and the largest whole number.
const BANDS = [0, 1, 2, 99, 131, 132, 10_000, 123_457, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 9_000_000_000_000, 2 ** 53 - 2, 2 ** 53 - 1];
const rate = fc.oneof(fc.constantFrom(0, 1, 380, 600, 99_999, RATE_ONE), fc.integer({ min: 0, max: RATE_ONE }));
const at = fc.nat(5);
// Mostly the minute after which money may be shared; seldom past the windows of shares (30), returns (180) and refunds (365).
const days = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(0.001, 0.01, 1) }, { weight: 1, arbitrary: fc.constantFrom(29, 179, 364) });
const terms = fc.record({
  merchant_rate: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 1_000 }) }, { weight: 1, arbitrary: rate }),
  provider_rate: fc.oneof(fc.integer({ min: 0, max: 600 }), rate),
  agent_rate: fc.option(fc.oneof(fc.integer({ min: 0, max: 800 }), rate)),
  agent_ratio: rate,
  group_ratio: rate,
  team_ratio: rate,
  salesman_ratio: rate,
});
const part = fc.constantFrom("nothing", "a cent", "a third", "half", "all", "all", "a cent too much", "far too much");
/** Who gets a part of a fee. */
export const RECEIVERS = ["agent", "group", "team", "salesman"] as const;

/** One operation of a sequence. */
export const pureOp = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("pay" as const),
      paid: fc.constantFrom(...BANDS),
      terms,
      frozen: fc.constantFrom(true, true, false),
      // Whose code the till read: WeChat's, or Alipay's.
      tool: fc.constantFrom(2, 4),
      // What comes off before it is paid: a coupon of which the provider bears a part, points.
      off: fc.constantFrom("nothing", "nothing", "coupon", "points", "both"),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      op: fc.constant("share" as const),
      at,
      // Four receivers within the whole, as a rule, and sometimes beyond it.
      ratios: fc.array(fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 20_000 }) }, { weight: 1, arbitrary: rate }), {
        maxLength: 4,
      }),
      max_ratio: fc.constantFrom(0, 1, 30_000, 30_000, RATE_ONE),
      unfreeze: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("share ends" as const), at, closed: fc.nat(31) }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("refund" as const), at, part }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("returns come" as const), at }) },
  { weight: 6, arbitrary: fc.record({ op: fc.constant("refund ends" as const), at, good: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("share fees" as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("withdraw" as const), who: fc.constantFrom(...RECEIVERS), part }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("withdrawal ends" as const),
      at,
      how: fc.constantFrom("paid" as const, "paid" as const, "released" as const, "returned" as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("days pass" as const), days }) },
);
export type PureOp = typeof pureOp extends fc.Arbitrary<infer T> ? T : never;
