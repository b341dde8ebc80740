import { domain } from "@zhangfang/server/calls/domain.ts";
import { listDivisionsRoute } from "./list-divisions.ts";
import { listRegionsRoute } from "./list-regions.ts";
import { addTradeRoute, listTradeChoicesRoute, listTradesRoute, setTradeStateRoute, updateTradeRoute } from "./trades.ts";
import { countDivisionUsesRoute, updateDivisionRoute } from "./update-division.ts";
import { wechatImage } from "./wechat-image.ts";

export { divisionsNamed, placeOfCode } from "./divisions-named.ts";
export { regionsOf } from "./list-regions.ts";
export { wechatImage } from "./wechat-image.ts";

export const reference = domain({
  routes: [
    listDivisionsRoute,
    countDivisionUsesRoute,
    updateDivisionRoute,
    listRegionsRoute,
    listTradesRoute,
    addTradeRoute,
    updateTradeRoute,
    setTradeStateRoute,
    listTradeChoicesRoute,
    wechatImage(),
  ],
});
