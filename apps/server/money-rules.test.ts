import fc from "fast-check";
import { expect, test } from "vitest";
import { PARTS } from "@zhangfang/domains/commissions/server/testing/rules.ts";
import { baseOf, takenOf } from "@zhangfang/domains/profit-sharing/server/testing/rules.ts";
import { type Done, noMoney, type PureMoney, type PureOrder } from "./testing/pure/pure-money.ts";
import { type PureOp, pureOp } from "./testing/pure/pure-ops.ts";
import { givenOf } from "./testing/pure/pure-refunds.ts";
import { PURE_STEPS } from "./testing/pure/pure-steps.ts";

const RUNS = 2_000;
const AGAIN = process.env["MODEL_SEED"] ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" } : {};
const sum = (all: readonly number[]): bigint => all.reduce((total, one) => total + BigInt(one), 0n);

/** Of one order: nothing gives back more than it got, and what was refused in words is refused in figures. */
function checkOrder(order: PureOrder): void {
  const { facts, lines, refunds, parts } = order;
  for (const [name, value] of Object.entries(facts))
    if (typeof value === "number" && (!Number.isSafeInteger(value) || value < 0)) expect.fail(`${name} is ${value}`);
  const refunded = sum([facts.refunded_cents, facts.refunding_cents]);
  if (refunded > BigInt(facts.paid_cents)) expect.fail("more goes back than was paid");
  if (sum([facts.refunded_fee_cents, facts.refunding_fee_cents]) > BigInt(facts.fee_cents))
    expect.fail("more of the fee goes back than was taken");
  if (facts.refunded_cents === facts.paid_cents && facts.paid_cents > 0 && facts.refunded_fee_cents !== facts.fee_cents)
    expect.fail("an order that went back whole kept something of its fee");
  if (sum([facts.share_returned_cents, facts.share_returning_cents]) > BigInt(facts.shared_cents))
    expect.fail("more returns than was shared");
  if (facts.shared_cents + facts.sharing_cents > 0 && takenOf(facts) > baseOf(facts))
    expect.fail("receivers have more than is the merchant's");
  for (const line of lines)
    if (line.held_cents < 0 || line.returned_cents > line.got_cents) expect.fail("a receiver gives back more than it got");
  if (sum(lines.map((line) => line.got_cents)) !== BigInt(facts.shared_cents)) expect.fail("receivers got something else than was shared");
  checkPrice(order);
  if (!parts) return;
  if (PARTS.some((part) => parts[part] < 0)) expect.fail("a part of a fee is negative");
  const back = refunds.flatMap((one) => (one.shared ? [one.fee_cents] : []));
  if (sum(PARTS.map((part) => parts[part])) !== BigInt(facts.fee_cents) - sum(back)) expect.fail("a fee's parts are not the fee");
}
/** Of its price: no part gives back more than it took, and all of it once nothing is left. */
function checkPrice(order: PureOrder): void {
  const { facts, price } = order;
  if (!price) return;
  const given = givenOf(order);
  if (given.money_cents !== facts.refunded_cents + facts.refunding_cents) expect.fail("a refund is cut to something else than its amount");
  const whole = given.money_cents === facts.paid_cents && facts.paid_cents > 0;
  for (const { ref, points, provider_cents } of price.paid.parts) {
    const [back, claim] = [given.points[ref] ?? 0, given.provider[ref] ?? 0];
    if (back < 0 || back > points || (whole && back !== points)) expect.fail(`${back} of ${points} points are back`);
    if (claim < 0 || claim > provider_cents || (whole && claim !== provider_cents))
      expect.fail(`${claim} of ${provider_cents} is not claimed`);
  }
}
/** What an order's columns say of the accounts of the book. */
const claimsOf = ({ facts }: PureOrder) => ({
  channel: sum([facts.shared_cents, facts.refunded_cents]) - sum([facts.paid_cents, facts.share_returned_cents]),
  merchant:
    sum([facts.paid_cents, facts.refunded_fee_cents, facts.refunding_fee_cents, facts.share_returned_cents, facts.share_returning_cents]) -
    sum([facts.fee_cents, facts.refunded_cents, facts.refunding_cents, facts.shared_cents, facts.sharing_cents]),
  fee: sum([facts.fee_cents]) - sum([facts.refunded_fee_cents, facts.refunding_fee_cents]),
  refunding: sum([facts.refunding_cents]),
  sharing: sum([facts.sharing_cents]),
  returning: -sum([facts.share_returning_cents]),
});
type Claims = ReturnType<typeof claimsOf>;

/** One operation, and all that must hold after it. @param before what the orders said of the book, kept up to date */
function step(money: PureMoney, given: PureOp, before: Claims): boolean {
  const known = [...money.orders];
  const done = (PURE_STEPS[given.op] as (money: PureMoney, given: PureOp) => Done | undefined)(money, given);
  for (const [whole, parts] of done?.cuts ?? []) {
    if (sum(parts) !== BigInt(whole)) expect.fail(`${parts.join(" + ")} is not ${whole}`);
    if (parts.some((one) => one < 0)) expect.fail(`a part is negative: ${parts.join(", ")}`);
  }
  if (done?.at !== undefined) {
    const order = money.orders[done.at]!;
    checkOrder(order);
    const was = known[done.at];
    const [now, then] = [claimsOf(order), was && claimsOf(was)];
    for (const name of Object.keys(now) as (keyof Claims)[]) before[name] += now[name] - (then?.[name] ?? 0n);
  } else if (done && given.op === "share fees") money.orders.forEach(checkOrder);
  for (const [name, cents] of Object.entries(before))
    if (money.book.balance(name) !== cents) expect.fail(`${name}: ${money.book.balance(name)}, by the orders ${cents}`);
  // Orders are frozen, so that the same object is the same order.
  if (!done) expect(money.orders.length === known.length && money.orders.every((one, at) => one === known[at])).toBe(true);
  return done !== undefined;
}

test(`by the rules alone, money neither appears nor disappears (${RUNS} sequences of 100 to 512 operations)`, () => {
  const taken = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(pureOp, { minLength: 100, maxLength: 512, size: "max" }), (ops) => {
      const money = noMoney();
      const before: Claims = { channel: 0n, merchant: 0n, fee: 0n, refunding: 0n, sharing: 0n, returning: 0n };
      for (const given of ops) if (step(money, given, before)) taken.set(given.op, (taken.get(given.op) ?? 0) + 1);
      money.book.check();
      money.claims.check();
      for (const who of ["agent", "group", "team", "salesman"] as const) {
        const own = money.withdrawals.filter((one) => one.who === who);
        const held = sum(own.flatMap((one) => (one.state === "held" ? [one.amount_cents] : [])));
        const paid = sum(own.flatMap((one) => (one.state === "paid" ? [one.amount_cents - one.fee_cents] : [])));
        expect([money.claims.balance(`frozen ${who}`), money.claims.balance(`paid ${who}`)]).toEqual([held, paid]);
      }
    }),
    { ...AGAIN, numRuns: RUNS, endOnFailure: true },
  );
  // A walk in which everything is refused proves nothing.
  for (const name of Object.keys(PURE_STEPS)) expect([name, (taken.get(name) ?? 0) >= RUNS]).toEqual([name, true]);
});
