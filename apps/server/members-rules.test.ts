import fc from "fast-check";
import { expect, test } from "vitest";
import { type MemberOp, memberOp, noMembers, type PureMembers } from "./testing/pure/pure-members.ts";
import { givenOf, MEMBER_STEPS } from "./testing/pure/pure-member-steps.ts";

// As the model of money: always the same few sequences, or with MODEL_RUNS (`npm run proofs`) 2,000 other ones each time.
const RUNS = process.env["MODEL_RUNS"] ? 2_000 : 200;
const AGAIN = process.env["MODEL_SEED"]
  ? { seed: Number(process.env["MODEL_SEED"]), path: process.env["MODEL_PATH"] ?? "" }
  : process.env["MODEL_RUNS"]
    ? {}
    : { seed: 20_261_126 };
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
const same = (what: string, is: number | bigint, should: number | bigint): void => {
  if (BigInt(is) !== BigInt(should)) expect.fail(`${what}: ${is}, and it should be ${should}`);
};

/** What must hold of the whole after each operation (membership.md 11, laws 1 to 11, 13 and 27). */
function check(run: PureMembers): void {
  const { book, lots, points, orders } = run;
  for (const of of [0, 1]) {
    const [mine, theirs] = [lots.filter(({ member }) => member === of), points.filter(({ member }) => member === of)];
    const open = orders.filter((one) => one.member === of && one.state === "open");
    same("principal", book.balance(`principal ${of}`), sum(mine.map((one) => one.principal_left_cents)));
    same("gift", book.balance(`gift ${of}`), sum(mine.map((one) => one.gift_left_cents)));
    same("points", book.balance(`points ${of}`), sum(theirs.filter(({ pending }) => !pending).map((one) => one.left_points)));
    same("pending points", book.balance(`pending ${of}`), sum(theirs.filter(({ pending }) => pending).map((one) => one.left_points)));
    same("principal set aside", book.balance(`principal-held ${of}`), sum(open.map(({ paid }) => paid.principal_cents)));
    same("gift set aside", book.balance(`gift-held ${of}`), sum(open.map(({ paid }) => paid.gift_cents)));
    same("points set aside", book.balance(`points-held ${of}`), sum(open.flatMap((one) => one.points.map((draw) => draw.points))));
    const debt = book.balance(`debt ${of}`);
    if (debt > 0n) expect.fail(`a debt of ${debt} points is none`);
    if (debt < 0n && sum(theirs.map((one) => one.left_points)) > 0) expect.fail("somebody owes points and has some");
  }
  for (const lot of lots) {
    const { principal_left_cents: principal, gift_left_cents: gift, used_cents, sold_cents, paid_cents } = lot;
    if (principal < 0 || gift < 0 || used_cents < 0) expect.fail("a lot is below nothing");
    if (principal > lot.principal_cents || gift > lot.gift_cents) expect.fail("a lot holds more than it came with");
    if (paid_cents > sold_cents) expect.fail("more is paid back for a lot than was paid for it");
  }
  orders.forEach(checkOrder);
}
function checkOrder(order: PureMembers["orders"][number]): void {
  const { paid, draws, refunds, state } = order;
  const drawn = sum(draws.map((one) => one.principal_cents + one.gift_cents));
  same("stored value of an order", paid.principal_cents + paid.gift_cents, drawn);
  same("the value of an order", paid.value_cents, paid.money_cents + drawn);
  if (paid.nets.some((net) => net < 0) || paid.money_cents < 0) expect.fail("a line or the money is below nothing");
  const given = givenOf(order);
  if (given.value_cents > paid.value_cents || given.money_cents > paid.money_cents) expect.fail("more goes back than was paid");
  for (const { cut } of refunds) same("a refund's value", cut.value_cents, cut.money_cents + cut.principal_cents + cut.gift_cents);
  const done = refunds.filter((one) => one.state === "done");
  same("principal back", sum(draws.map((one) => one.returned_principal_cents)), sum(done.map(({ cut }) => cut.principal_cents)));
  same("gift back", sum(draws.map((one) => one.returned_gift_cents)), sum(done.map(({ cut }) => cut.gift_cents)));
  if (order.kept < 0 || order.kept > order.earned) expect.fail("more points are kept than were earned");
  const back = sum(done.map(({ cut }) => cut.value_cents));
  if (state !== "paid" || back < paid.value_cents || paid.value_cents === 0) return;
  same("stored value after the whole went back", sum(draws.map((one) => one.returned_principal_cents + one.returned_gift_cents)), drawn);
  same("earned points after the whole went back", order.kept, 0);
  // Where a refund failed after another took the rest, the rest of the points goes with nothing: it is never more than was spent.
  const spent = sum(order.points.map((one) => one.points));
  const returned = sum(order.points.map((one) => one.returned_points));
  if (returned > spent) expect.fail("more points are back than were spent");
  if (refunds.every((one) => one.state === "done")) same("spent points after the whole went back", returned, spent);
}

test(`by the rules alone, what members hold neither appears nor disappears (${RUNS} sequences of 60 to 200 operations)`, () => {
  const taken = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(memberOp, { minLength: 60, maxLength: 200, size: "max" }), (ops) => {
      const run = noMembers();
      for (const given of ops) {
        const done = (MEMBER_STEPS[given.op] as (run: PureMembers, given: MemberOp) => boolean)(run, given);
        if (done) taken.set(given.op, (taken.get(given.op) ?? 0) + 1);
        check(run);
      }
      run.book.check();
      // What was paid in is still there, spent, paid back or left to the shop.
      const { book } = run;
      const there = [0, 1].map((of) => book.balance(`principal ${of}`) + book.balance(`principal-held ${of}`));
      same(
        "what was paid in",
        -book.balance("sold"),
        there[0]! + there[1]! + book.balance("earned") + book.balance("forfeited") + BigInt(run.returned_cents),
      );
    }),
    { ...AGAIN, numRuns: RUNS, endOnFailure: true },
  );
  // A walk in which everything is refused proves nothing.
  for (const name of Object.keys(MEMBER_STEPS)) expect([name, (taken.get(name) ?? 0) >= RUNS]).toEqual([name, true]);
});
