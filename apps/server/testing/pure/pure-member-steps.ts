import { addDays } from "@zhangfang/contract/time.ts";
import { earnedOf, keptOf } from "@zhangfang/domains/points/server/testing/rules.ts";
import {
  type Back,
  back,
  type Given,
  type Line,
  NO_WISH,
  NOTHING_GIVEN,
  type Offer,
  type Paid,
  price,
} from "@zhangfang/domains/pricing/server/testing/rules.ts";
import { legalSums } from "@zhangfang/domains/stored-value/server/testing/rules.ts";
import {
  backPoints,
  backToLots,
  clawPoints,
  drawLots,
  drawPoints,
  type Drawn,
  graceUntil,
  payOff,
} from "@zhangfang/domains/value-book/server/testing/rules.ts";
import type { MemberOp, MemberOrder, PureLot, PureMembers, PurePoints } from "./pure-members.ts";
import { amountOf, entry, pick } from "./pure-money.ts";

type Steps = { readonly [K in MemberOp["op"]]: (run: PureMembers, given: Extract<MemberOp, { op: K }>) => boolean };

const EARN = {
  on: true,
  points: 3,
  perCents: 100 as never,
  storeIds: [],
  storeMultiple: 100,
  weekdays: [],
  weekdayMultiple: 100,
  birthdayMultiple: 100,
  pendingDays: 3,
  dayCap: null,
  onRecharge: false,
};
const NEW = {
  used_cents: 0,
  paid_cents: 0,
  back_principal_cents: 0,
  back_gift_cents: 0,
  moved_principal_cents: 0,
  moved_gift_cents: 0,
} as const;
const LIVES_DAYS = 60;
const GRACE_DAYS = 7;
const OFFER = { priority: 0, min_cents: 0, provider_rate: 0, without: [] } as const;
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

const lotsOf = (run: PureMembers, of: number) =>
  run.lots.filter((one) => one.member === of && one.principal_left_cents + one.gift_left_cents > 0);
/** What can be spent: what ends first, what never ends last, then the oldest. */
const spendable = (run: PureMembers, of: number) =>
  run.points
    .filter((one) => one.member === of && !one.pending && one.left_points > 0)
    .toSorted((a, b) => ((a.expires_on ?? "9") < (b.expires_on ?? "9") ? -1 : a.expires_on === b.expires_on ? 0 : 1));
const lotBy = (run: PureMembers, id: string): PureLot => run.lots.find((one) => one.id === id)!;
function move(run: PureMembers, { lot_id, principal_cents, gift_cents }: Drawn, sign: 1 | -1): void {
  const lot = lotBy(run, lot_id);
  lot.principal_left_cents += sign * principal_cents;
  lot.gift_left_cents += sign * gift_cents;
}
function spend(run: PureMembers, { lot_id, principal_cents, gift_cents }: Drawn, sign: 1 | -1): void {
  lotBy(run, lot_id).used_cents += sign * (principal_cents + gift_cents);
}
function post(run: PureMembers, cause: string, lines: Readonly<Record<string, number>>): void {
  if (!run.book.post([entry(cause, lines)])) throw new Error(`${cause}: a floor is passed`);
}
/** Points that come to a member: of them a debt is paid first. */
function addPoints(
  run: PureMembers,
  of: number,
  points: number,
  more: { order?: number; pending: boolean; expires_on: string | null },
): void {
  const paid = payOff(points, Number(run.book.balance(`debt ${of}`)));
  const left_points = points - paid;
  post(run, "points", { [`debt ${of}`]: paid, [`${more.pending ? "pending" : "points"} ${of}`]: left_points, issued: -points });
  if (left_points > 0) run.points.push({ id: `p${run.points.length}`, member: of, order: undefined, ...more, left_points });
}

function priceOf(run: PureMembers, given: Extract<MemberOp, { op: "order" }>): { lines: Line[]; paid: Paid } {
  const lines: Line[] = [
    { place: 1, name: "", units: given.units, unit_cents: given.unit },
    { place: 2, name: "", units: 1, unit_cents: 1_234 },
    { place: 3, name: "", units: 1, unit_cents: given.freight, freight: true },
  ];
  const balance = sum(spendable(run, given.member).map((one) => one.left_points));
  const lots = lotsOf(run, given.member);
  const offers: Offer[] = [
    { ...OFFER, source: "member", ref: "level", name: "", rule: { kind: "member", rate: given.level, prices: {} } },
    {
      ...OFFER,
      source: "points",
      ref: "points",
      name: "",
      rule: { kind: "points", balance, least_points: 0, step_points: 10, step_cents: 7, most_rate: 50_000 },
    },
    { ...OFFER, source: "stored", ref: "stored", name: "", rule: { kind: "stored", lots } },
  ];
  const all = sum(lots.map((one) => one.principal_left_cents + one.gift_left_cents));
  const wish = { ...NO_WISH, points: amountOf(given.points, balance), stored_cents: amountOf(given.stored, all) };
  return { lines, paid: price({ version: 1, at: "2026-11-20T04:00:00Z", lines, offers }, wish) };
}
/** What of an order's price is back or on its way. */
export function givenOf({ refunds }: MemberOrder): Given {
  return refunds
    .filter(({ state }) => state !== "failed")
    .reduce<Given>((all, { cut }) => {
      const plus = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
        Object.fromEntries(Object.keys({ ...a, ...b }).map((ref) => [ref, (a[ref] ?? 0) + (b[ref] ?? 0)]));
      return {
        value_cents: all.value_cents + cut.value_cents,
        amount_cents: all.amount_cents + cut.amount_cents,
        money_cents: all.money_cents + cut.money_cents,
        principal_cents: all.principal_cents + cut.principal_cents,
        gift_cents: all.gift_cents + cut.gift_cents,
        points: plus(all.points, cut.points),
        units: plus(all.units, cut.units),
        provider: plus(all.provider, cut.provider),
      };
    }, NOTHING_GIVEN);
}
const baseOf = ({ money_cents, principal_cents }: Pick<Given, "money_cents" | "principal_cents">): number => money_cents + principal_cents;

export const MEMBER_STEPS: Steps = {
  recharge: (run, { member: of, amount: principal_cents, gift: gift_cents, mode }) => {
    run.lots.push({
      id: `l${run.lots.length}`,
      member: of,
      mode,
      principal_cents,
      gift_cents,
      principal_left_cents: principal_cents,
      gift_left_cents: gift_cents,
      ...NEW,
      sold_cents: principal_cents,
      came: "sold",
      bought_on: run.day,
    });
    post(run, "recharge", {
      [`principal ${of}`]: principal_cents,
      [`gift ${of}`]: gift_cents,
      sold: -principal_cents,
      granted: -gift_cents,
    });
    return true;
  },
  order: (run, given) => {
    const { member: of } = given;
    const { lines, paid } = priceOf(run, given);
    const draws = drawLots(lotsOf(run, of), paid.principal_cents + paid.gift_cents);
    const points = drawPoints(spendable(run, of), sum(paid.parts.map((one) => one.points)));
    if (!draws || !points) throw new Error("the price spends what is not there");
    if (sum(draws.map((one) => one.gift_cents)) !== paid.gift_cents) throw new Error("the price cuts otherwise than the lots");
    for (const draw of draws) move(run, draw, -1);
    for (const { lot_id, points: taken } of points) run.points.find(({ id }) => id === lot_id)!.left_points -= taken;
    const spent = sum(points.map((one) => one.points));
    const { principal_cents, gift_cents } = paid;
    post(run, "hold", {
      [`principal ${of}`]: -principal_cents,
      [`principal-held ${of}`]: principal_cents,
      [`gift ${of}`]: -gift_cents,
      [`gift-held ${of}`]: gift_cents,
    });
    post(run, "hold points", { [`points ${of}`]: -spent, [`points-held ${of}`]: spent });
    run.orders.push({
      member: of,
      lines,
      paid,
      state: "open",
      draws: draws.map((one) => ({ ...one, returned_principal_cents: 0, returned_gift_cents: 0 })),
      points: points.map((one) => ({ ...one, returned_points: 0, expires_on: run.points.find(({ id }) => id === one.lot_id)!.expires_on })),
      refunds: [],
      earned: 0,
      kept: 0,
    });
    return true;
  },
  "order ends": (run, { at: which, paid: good }) => {
    const found = pick(run.orders, which, (one) => one.state === "open");
    const order = run.orders[found];
    if (!order) return false;
    const { member: of, paid, draws, points } = order;
    const spent = sum(points.map((one) => one.points));
    const { principal_cents, gift_cents } = paid;
    const held = { [`principal-held ${of}`]: -principal_cents, [`gift-held ${of}`]: -gift_cents };
    if (!good) {
      order.state = "closed";
      const backs = backToLots(draws, principal_cents, gift_cents)!;
      for (const one of backs) move(run, one, 1);
      post(run, "release", { ...held, [`principal ${of}`]: principal_cents, [`gift ${of}`]: gift_cents });
      comeBack(run, order, spent, `points-held ${of}`);
      return true;
    }
    order.state = "paid";
    for (const draw of draws) spend(run, draw, 1);
    post(run, "take", { ...held, earned: principal_cents, "gift-used": gift_cents });
    post(run, "take points", { [`points-held ${of}`]: -spent, used: spent });
    order.earned = order.kept = earnedOf(EARN, baseOf(paid), 100, 0);
    if (order.earned > 0) addPoints(run, of, order.earned, { order: found, pending: true, expires_on: addDays(run.day, LIVES_DAYS) });
    return true;
  },
  refund: (run, { at: which, part: wanted, units }) => {
    const order = run.orders[pick(run.orders, which, (one) => one.state === "paid")];
    if (!order) return false;
    const before = givenOf(order);
    const ask = units === null ? { cents: amountOf(wanted, order.paid.value_cents - before.value_cents) } : { units: { 1: units } };
    const cut = back(order.lines, order.paid, before, ask);
    // A second refund of an order that is back whole would be one of nothing.
    if (!cut || (cut.value_cents === 0 && order.refunds.some((one) => one.state !== "failed"))) return false;
    order.refunds.push({ cut, state: "out" });
    return true;
  },
  "refund ends": (run, { at: which, good }) => {
    const found = pick(run.orders, which, (one) => one.refunds.some(({ state }) => state === "out"));
    const order = run.orders[found];
    const refund = order?.refunds.find(({ state }) => state === "out");
    if (!order || !refund) return false;
    refund.state = good ? "done" : "failed";
    if (good) giveBack(run, order, refund.cut, found);
    return true;
  },
  "card refund": (run, { at: which, reason }) => {
    const lot = run.lots[pick(run.lots, which, (one) => one.principal_left_cents > 0)];
    const draws = (one: MemberOrder) => one.state === "open" && one.draws.some(({ lot_id }) => lot_id === lot?.id);
    if (!lot || run.orders.some(draws)) return false;
    const moved_cents = lot.moved_principal_cents + lot.moved_gift_cents;
    const facts = {
      principal_cents: lot.principal_cents + lot.back_principal_cents + lot.moved_principal_cents,
      gift_cents: lot.gift_cents + lot.back_gift_cents + lot.moved_gift_cents,
      used_cents: lot.used_cents + moved_cents,
      moved_cents,
      paid_before_cents: lot.paid_cents,
      bought_on: lot.bought_on,
      came: lot.came,
      had_before: false,
    };
    const sums = legalSums({ ...facts, wish_pays: "less-used" }, run.day);
    if (sums[0].pays_cents < sums[1].pays_cents || sums[1].pays_cents < sums[2].pays_cents) throw new Error("a worse reason pays more");
    const { pays_cents, refusal } = sums[reason];
    if (refusal !== undefined) return false;
    const { principal_left_cents: principal, gift_left_cents: gift, member: of } = lot;
    post(run, "card refund", {
      [`principal ${of}`]: -principal,
      returned: pays_cents,
      forfeited: principal - pays_cents,
      [`gift ${of}`]: -gift,
      "gift-void": gift,
    });
    lot.paid_cents += pays_cents;
    lot.principal_cents -= principal;
    lot.gift_cents -= gift;
    lot.back_principal_cents += principal;
    lot.back_gift_cents += gift;
    lot.principal_left_cents = lot.gift_left_cents = 0;
    run.returned_cents += pays_cents;
    return true;
  },
  transfer: (run, { member: of, part: wanted }) => {
    const lots = lotsOf(run, of);
    const cents = amountOf(wanted, sum(lots.map((one) => one.principal_left_cents + one.gift_left_cents)));
    const drawn = cents === 0 ? undefined : drawLots(lots, cents);
    if (!drawn) return false;
    for (const draw of drawn) {
      move(run, draw, -1);
      const from = lotBy(run, draw.lot_id);
      const { principal_cents, gift_cents } = draw;
      from.principal_cents -= principal_cents;
      from.gift_cents -= gift_cents;
      from.moved_principal_cents += principal_cents;
      from.moved_gift_cents += gift_cents;
      run.lots.push({
        ...from,
        id: `l${run.lots.length}`,
        member: 1 - of,
        principal_cents,
        gift_cents,
        principal_left_cents: principal_cents,
        gift_left_cents: gift_cents,
        ...NEW,
        sold_cents: principal_cents,
        came: "moved",
      });
      post(run, "transfer", {
        [`principal ${of}`]: -principal_cents,
        [`principal ${1 - of}`]: principal_cents,
        [`gift ${of}`]: -gift_cents,
        [`gift ${1 - of}`]: gift_cents,
      });
    }
    return true;
  },
  merge: (run, { member: of }) => {
    if (run.orders.some(({ state }) => state === "open")) return false;
    const into = 1 - of;
    for (const kind of ["principal", "gift", "points", "pending", "debt"]) {
      const had = Number(run.book.balance(`${kind} ${of}`));
      post(run, "merge", { [`${kind} ${of}`]: -had, [`${kind} ${into}`]: had });
    }
    for (const one of [...run.lots, ...run.points, ...run.orders]) if (one.member === of) one.member = into;
    // Debt is paid off with what the two have together, of what can be spent first.
    const owed = -Number(run.book.balance(`debt ${into}`));
    const mine = run.points.filter((one) => one.member === into && one.pending && one.left_points > 0);
    const { taken } = clawPoints([...spendable(run, into), ...mine], owed);
    let [pending, points] = [0, 0];
    for (const { lot_id, points: gone } of taken) {
      const lot = run.points.find(({ id }) => id === lot_id)!;
      lot.left_points -= gone;
      if (lot.pending) pending += gone;
      else points += gone;
    }
    post(run, "pay off", { [`pending ${into}`]: -pending, [`points ${into}`]: -points, [`debt ${into}`]: pending + points });
    return true;
  },
  "days pass": (run, { days }) => {
    run.day = addDays(run.day, days);
    for (const lot of run.points) {
      if (lot.pending && lot.expires_on !== null && addDays(lot.expires_on, EARN.pendingDays - LIVES_DAYS) <= run.day) {
        lot.pending = false;
        post(run, "ripe", { [`pending ${lot.member}`]: -lot.left_points, [`points ${lot.member}`]: lot.left_points });
      }
      if (lot.expires_on !== null && lot.expires_on < run.day && lot.left_points > 0) {
        post(run, "clear", { [`${lot.pending ? "pending" : "points"} ${lot.member}`]: -lot.left_points, cleared: lot.left_points });
        lot.left_points = 0;
      }
    }
    return true;
  },
};

/** Points of an order that go back: a debt is paid first, then their own lots, and of ended ones a new lot with days of grace. */
function comeBack(run: PureMembers, order: MemberOrder, points: number, from: string): void {
  const { member: of } = order;
  const paid = payOff(points, Number(run.book.balance(`debt ${of}`)));
  const found = backPoints(order.points, points, run.day);
  if (!found) throw new Error("more points go back than were drawn");
  // What pays the debt is of the lots that the points came from.
  let debt = paid;
  for (const { lot_id, points: back_points, alive } of found.backs) {
    order.points.find((one) => one.lot_id === lot_id)!.returned_points += back_points;
    const owed = Math.min(debt, back_points);
    debt -= owed;
    const left = back_points - owed;
    if (left === 0) continue;
    const lot = run.points.find(({ id }) => id === lot_id)!;
    if (alive) lot.left_points += left;
    else
      run.points.push({
        id: `p${run.points.length}`,
        member: of,
        order: undefined,
        pending: false,
        expires_on: graceUntil(run.day, GRACE_DAYS),
        left_points: left,
      });
  }
  post(run, "points back", { [`debt ${of}`]: paid, [`points ${of}`]: points - paid, [from]: -points });
}

function giveBack(run: PureMembers, order: MemberOrder, cut: Back, at_order: number): void {
  const { member: of } = order;
  const backs = backToLots(order.draws, cut.principal_cents, cut.gift_cents);
  if (!backs) throw new Error("more stored value goes back than was drawn");
  for (const one of backs) {
    move(run, one, 1);
    spend(run, one, -1);
    const draw = order.draws.find(({ lot_id }) => lot_id === one.lot_id)!;
    draw.returned_principal_cents += one.principal_cents;
    draw.returned_gift_cents += one.gift_cents;
  }
  const { principal_cents, gift_cents } = cut;
  post(run, "back", {
    [`principal ${of}`]: principal_cents,
    [`gift ${of}`]: gift_cents,
    earned: -principal_cents,
    "gift-used": -gift_cents,
  });
  comeBack(run, order, sum(Object.values(cut.points)), "used");
  const done = order.refunds.filter(({ state }) => state === "done");
  const base = baseOf(order.paid);
  const kept = keptOf(order.earned, base, base - sum(done.map((one) => baseOf(one.cut))));
  const claw = order.kept - kept;
  if (claw <= 0) return;
  order.kept = kept;
  const mine = run.points.filter((one) => one.member === of && one.left_points > 0);
  const turn = (one: PurePoints) => (one.pending ? 0 : one.order === at_order ? 1 : 2);
  const { taken, owed_points } = clawPoints(
    mine.toSorted((a, b) => turn(a) - turn(b)),
    claw,
  );
  let [pending, points] = [0, 0];
  for (const { lot_id, points: gone } of taken) {
    const lot = run.points.find(({ id }) => id === lot_id)!;
    lot.left_points -= gone;
    if (lot.pending) pending += gone;
    else points += gone;
  }
  post(run, "claw", { [`pending ${of}`]: -pending, [`points ${of}`]: -points, [`debt ${of}`]: -owed_points, issued: claw });
}
