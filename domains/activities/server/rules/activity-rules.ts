import type { ActivityTerms } from "../../contract/index.ts";

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
export const costOf = (parts: readonly GiftPart[]): number => parts.reduce((sum, { cost_cents }) => sum + cost_cents, 0);
/** How many pieces of each campaign one place takes. */
export const piecesOf = ({ gift }: Pick<ActivityTerms, "gift">): ReadonlyMap<string, number> =>
  new Map(gift.coupons.map(({ campaignId, count }) => [campaignId, count]));

/**
 * The net of an address: /24 of IPv4, /48 of IPv6; nothing of what is none.
 * @example netOf("203.0.113.77") // "203.0.113.0/24"
 */
export function netOf(address: string): string | undefined {
  const plain = address.replace(/^::ffff:/i, "");
  const four = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(plain);
  if (four) return `${four[1]}.0/24`;
  if (!/^[0-9a-f:]+$/i.test(plain) || !plain.includes(":")) return undefined;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const whole =
    tail === undefined ? left : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0"), ...right];
  return `${whole
    .slice(0, 3)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")}::/48`;
}
