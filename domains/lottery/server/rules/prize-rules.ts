import type { Prize } from "../../contract/index.ts";

/** What points are worth where they pay. */
export interface PointWorth {
  readonly points: number;
  readonly cents: number;
}
/** What one piece costs at most, in cents: a coupon at the most that it takes off, points where they pay, goods at the market's price. */
export function costOf({ kind, campaignId, amount, valueCents }: Prize, coupons: ReadonlyMap<string, number>, worth: PointWorth): number {
  if (kind === "coupon") return coupons.get(campaignId ?? "") ?? 0;
  if (kind === "points") return Math.ceil((amount * worth.cents) / worth.points);
  return kind === "balance" ? amount : valueCents;
}
/** What all pieces of all prizes cost at most. */
export const mostOf = (prizes: readonly Pick<Prize, "stock">[], costs: readonly number[]): number =>
  prizes.reduce((sum, { stock }, at) => sum + stock * (costs[at] ?? 0), 0);
