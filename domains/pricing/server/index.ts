import { domain } from "@zhangfang/server/calls/domain.ts";
import { sweepHolds } from "./parts/sweep-holds.ts";
import { forgetFacts } from "./parts/verify-parts.ts";
import { quotePriceRoute } from "./quote-price.ts";

export {
  type BackPreview,
  type Contributor,
  contributorsOf,
  type PriceAsk,
  type PricedOrder,
  type Used,
  type UsedBack,
  type VoucherAsk,
} from "./contributor.ts";
export { type Customer, type CustomerDoor, customersOf, type Spends, type Where } from "./customers.ts";
export type { GoodsDoor } from "./goods.ts";
export type { LimitsDoor } from "./limits.ts";
export { giveBack, holdBack, planBack, previewBack } from "./parts/back-parts.ts";
export { offColumns, placeParts } from "./parts/place-parts.ts";
export { releaseParts, takeParts } from "./parts/take-parts.ts";
export { verifyParts } from "./parts/verify-parts.ts";
export { readGiven, type ReadParts, readParts } from "./parts/read-parts.ts";
export { whyPrice } from "./parts/why-parts.ts";
export { linesOf, priceOrder, priceWished, type Wished } from "./price-order.ts";
export { partView, quoteFor, tendersOf } from "./quote-price.ts";
export type { Ask, Back, Tenders } from "./rules/back.ts";
export { MOST_COUPONS } from "./rules/best.ts";
export type { Line, Offer, Part, Priced } from "./rules/facts.ts";
export { price } from "./rules/price.ts";

export const pricing = domain({ routes: [quotePriceRoute], jobs: [forgetFacts, sweepHolds] });
