import { proportion } from "@zhangfang/contract/money.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import type { DrawMode } from "../contract.ts";

/** What is there of a recharge. */
export interface Lot {
  readonly id: string;
  readonly mode: DrawMode;
  readonly principal_cents: number;
  readonly gift_cents: number;
  readonly principal_left_cents: number;
  readonly gift_left_cents: number;
}
/** What is drawn of a lot, or goes back to it. */
export interface Drawn {
  readonly lot_id: string;
  readonly principal_cents: number;
  readonly gift_cents: number;
}
const leftOf = (lot: Lot): number => lot.principal_left_cents + lot.gift_left_cents;

/**
 * Draws `cents` of lots, in their order.
 * @returns what of each, nothing of those that are not touched; undefined where there is not so much
 */
export function drawLots(lots: readonly Lot[], cents: number): Drawn[] | undefined {
  const drawn: Drawn[] = [];
  let rest = cents;
  for (const lot of lots) {
    const amount = Math.min(rest, leftOf(lot));
    if (amount === 0) continue;
    const principal_cents = principalOf(lot, amount);
    drawn.push({ lot_id: lot.id, principal_cents, gift_cents: amount - principal_cents });
    rest -= amount;
  }
  return rest === 0 ? drawn : undefined;
}

/**
 * What of `amount` is principal. By ratio it is reckoned on everything that was ever drawn of the lot, so that many tiny spendings come
 * to what one large one does.
 */
function principalOf(lot: Lot, amount: number): number {
  const { mode, principal_cents, gift_cents, principal_left_cents, gift_left_cents } = lot;
  if (mode === "principal-first") return Math.min(amount, principal_left_cents);
  const least = Math.max(0, amount - gift_left_cents);
  if (mode === "gift-first") return least;
  const whole = principal_cents + gift_cents;
  const due = proportion(principal_cents, whole - leftOf(lot) + amount, whole) - (principal_cents - principal_left_cents);
  return Math.min(Math.max(due, least), amount, principal_left_cents);
}

/** What an order drew of a lot, and what of it is back already. */
export interface Draw extends Drawn {
  readonly returned_principal_cents: number;
  readonly returned_gift_cents: number;
}
/**
 * Gives principal and gift back to the lots that they came from, last drawn first.
 * @param draws in the order in which they were drawn
 * @returns undefined where more is to go back than was drawn
 */
export function backToLots(draws: readonly Draw[], principal_cents: number, gift_cents: number): Drawn[] | undefined {
  let [principal, gift] = [principal_cents, gift_cents];
  const backs: Drawn[] = [];
  for (const draw of draws.toReversed()) {
    const back = {
      lot_id: draw.lot_id,
      principal_cents: Math.min(principal, draw.principal_cents - draw.returned_principal_cents),
      gift_cents: Math.min(gift, draw.gift_cents - draw.returned_gift_cents),
    };
    principal -= back.principal_cents;
    gift -= back.gift_cents;
    if (back.principal_cents + back.gift_cents > 0) backs.push(back);
  }
  return principal + gift === 0 ? backs : undefined;
}

export interface PointLot {
  readonly id: string;
  readonly left_points: number;
  /** The last day; null for ever. */
  readonly expires_on: string | null;
}
export interface PointsDrawn {
  readonly lot_id: string;
  readonly points: number;
}
/** Draws points of lots, in their order. @returns undefined where there are not so many */
export function drawPoints(lots: readonly PointLot[], points: number): PointsDrawn[] | undefined {
  const drawn = takeUpTo(lots, points);
  return drawn.reduce((sum, one) => sum + one.points, 0) === points ? drawn : undefined;
}
function takeUpTo(lots: readonly PointLot[], points: number): PointsDrawn[] {
  let rest = points;
  return lots.flatMap(({ id, left_points }) => {
    const taken = Math.min(rest, left_points);
    rest -= taken;
    return taken > 0 ? [{ lot_id: id, points: taken }] : [];
  });
}

export interface PointDraw extends PointsDrawn {
  readonly returned_points: number;
  readonly expires_on: string | null;
}
/** What of points that go back pays off a debt, returns to its lots, and is of lots that have ended and gets a new one. */
export interface PointsBack {
  readonly backs: readonly (PointsDrawn & { readonly alive: boolean })[];
  readonly alive_points: number;
  readonly ended_points: number;
}
/**
 * Gives points back to the lots that they came from, last drawn first.
 * @param today lots that were good until a day before it have ended
 * @returns undefined where more are to go back than were drawn
 */
export function backPoints(draws: readonly PointDraw[], points: number, today: string): PointsBack | undefined {
  let rest = points;
  const backs: (PointsDrawn & { alive: boolean })[] = [];
  for (const { lot_id, points: drawn, returned_points, expires_on } of draws.toReversed()) {
    const back = Math.min(rest, drawn - returned_points);
    rest -= back;
    if (back > 0) backs.push({ lot_id, points: back, alive: expires_on === null || expires_on >= today });
  }
  const sum = (alive: boolean) => backs.filter((one) => one.alive === alive).reduce((total, one) => total + one.points, 0);
  return rest === 0 ? { backs, alive_points: sum(true), ended_points: sum(false) } : undefined;
}
/** Until when points are good that go back to a lot which has ended. @param days of grace, today not counted */
export const graceUntil = (today: string, days: number): string => addDays(today, days);

/** What is taken back of points that an order earned: of lots as far as there are points, and the rest is owed. */
export interface Clawed {
  readonly taken: readonly PointsDrawn[];
  readonly owed_points: number;
}
/** @param lots in the order in which they are asked: pending ones, the order's own, the others */
export function clawPoints(lots: readonly PointLot[], points: number): Clawed {
  const taken = takeUpTo(lots, points);
  return { taken, owed_points: points - taken.reduce((sum, one) => sum + one.points, 0) };
}
/** What of new points pays off what is owed. @param debt_points zero or below */
export const payOff = (points: number, debt_points: number): number => Math.min(points, Math.abs(debt_points));
