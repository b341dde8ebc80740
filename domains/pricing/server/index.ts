import { domain } from "@zhangfang/server/calls/domain.ts";
import { verifyPartsNightly } from "./parts/verify-parts.ts";
import { quotePriceRoute } from "./quote-price.ts";

export type { Contributor, PriceAsk, PricedOrder, Used, UsedBack } from "./contributor.ts";
export { giveBack, holdBack } from "./parts/back-parts.ts";
export { offColumns, placeParts } from "./parts/place-parts.ts";
export { releaseParts, takeParts } from "./parts/take-parts.ts";
export { verifyParts } from "./parts/verify-parts.ts";
export { linesOf, priceOrder } from "./price-order.ts";
export type { Offer } from "./rules/facts.ts";

export const pricing = domain({ routes: [quotePriceRoute], jobs: [verifyPartsNightly] });
