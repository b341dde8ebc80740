/**
 * What no page and no wire of the platforms has shown us yet, in one place (docs/takeaway.md). Where one of these turns out otherwise, it is
 * changed here and nowhere else.
 */
export const UNVERIFIED = {
  /** 饿了么's type of 解除授权: that it comes without an order, and that shopId names whose it is under a provider's application. */
  eleEnded: "100",
  /** 原价 holds packaging and delivery fee as well as the goods. */
  originalHoldsAll: true,
  /** Fields of 饿了么's order for what went back to the customer, and what of it the shop bears. */
  eleRefund: "refundPrice",
  eleShopRefund: "refundShopPart",
  /** Fields of 美团外卖's order for the same, in cents. */
  meituanRefund: "refund_cent",
  meituanShopRefund: "refund_poi_cent",
} as const;

/**
 * The income out of its parts: what was ordered, less what the shop gives and the platform takes. Who delivered keeps the delivery fee, which
 * the platforms don't say; so with or without it is right, and neither is odd.
 */
export function partsOf(given: {
  readonly original: number;
  readonly packaging: number;
  readonly delivery: number;
  readonly shopOff: number;
  readonly fee: number;
  readonly income: number;
}): number {
  const { original, packaging, delivery, shopOff, fee, income } = given;
  const all = UNVERIFIED.originalHoldsAll ? original : original + packaging + delivery;
  const shops = all - shopOff - fee;
  return income === shops ? shops : shops - delivery;
}
