import type { ActivityTerms } from "../../contract/index.ts";

/** So many days after its end 支付有礼 still gives for what was paid in time: the bill comes on the next morning, and a weekend may lie between. */
export const HEARD_DAYS = 3;
/** What the parts of a place may cost at most, in cents. */
export interface Costs {
  /** One coupon, by campaign. */
  readonly coupons: Readonly<Record<string, number>>;
  /** All points of a place. */
  readonly points: number;
}
/** What points are worth where they pay; where no rule lets them, a cent each, so that they never look free. */
export interface PointWorth {
  readonly points: number;
  readonly cents: number;
}
/** @example costsOf(gift, values, { points: 100, cents: 100 }) */
export const costsOf = ({ gift }: Pick<ActivityTerms, "gift">, values: ReadonlyMap<string, number>, worth: PointWorth): Costs => ({
  coupons: Object.fromEntries(gift.coupons.map(({ campaignId }) => [campaignId, values.get(campaignId) ?? 0])),
  points: Math.ceil((gift.points * worth.cents) / worth.points),
});

/** One thing of a grant. */
export interface GiftPart {
  readonly kind: "coupon" | "points" | "balance";
  readonly campaign_id: string | null;
  readonly amount: number;
  readonly cost_cents: number;
}
/** What one place gives, a coupon being a part of its own. */
export function partsOf({ gift }: Pick<ActivityTerms, "gift">, costs: Costs): GiftPart[] {
  return [
    ...gift.coupons.flatMap(({ campaignId, count }) =>
      Array.from({ length: count }, () => ({
        kind: "coupon" as const,
        campaign_id: campaignId,
        amount: 1,
        cost_cents: costs.coupons[campaignId] ?? 0,
      })),
    ),
    ...(gift.points > 0 ? [{ kind: "points" as const, campaign_id: null, amount: gift.points, cost_cents: costs.points }] : []),
    ...(gift.giftCents > 0 ? [{ kind: "balance" as const, campaign_id: null, amount: gift.giftCents, cost_cents: gift.giftCents }] : []),
  ];
}
export const costOf = (parts: readonly Pick<GiftPart, "cost_cents">[]): number =>
  parts.reduce((sum, { cost_cents }) => sum + cost_cents, 0);
/** How many pieces of each campaign one place takes. */
export const piecesOf = ({ gift }: Pick<ActivityTerms, "gift">): ReadonlyMap<string, number> =>
  new Map(gift.coupons.map(({ campaignId, count }) => [campaignId, count]));
