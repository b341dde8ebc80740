import { domain } from "@zhangfang/server/calls/domain.ts";
import { fetchTakeaway, tendTakeaway } from "./orders/fetch-orders.ts";
import { foldTakeaway } from "./orders/fold-takeaway.ts";
import { beatEleRoute, hearEleRoute, hearMeituanRoute } from "./orders/hear-notice.ts";
import { getTakeawayOrderRoute, listTakeawayOrdersRoute, takeawayOrderExport } from "./orders/read-orders.ts";
import { fetchAgainRoute, giveUpFetchRoute, listUnfetchedRoute } from "./orders/unfetched.ts";
import { takeawayTodos } from "./todos.ts";
import { takeawayImport } from "./sheets/import-orders.ts";
import { verifyTakeaway } from "./verify-takeaway.ts";
import { getTakeawayFiguresRoute, takeawayFigureExport } from "./orders/takeaway-figures.ts";

// For the demo world and sheets: what is known of an order.
export { keepOrder } from "./orders/keep-order.ts";

// For other sheets of platforms.
export {
  closedDays,
  dayIsClosed,
  momentCell,
  signedYuanCell,
  sizeCell,
  storesNamed,
  wholeMerchant,
  wordCell,
} from "./sheets/read-cells.ts";

// For worlds of tests.
export { verifyTakeaway } from "./verify-takeaway.ts";

// For the store-day, over which no figure may differ.
export { storeTakeaway, type StoreTakeaway } from "./orders/store-takeaway.ts";

export const takeaway = domain({
  routes: [
    beatEleRoute,
    hearEleRoute,
    hearMeituanRoute,
    listTakeawayOrdersRoute,
    getTakeawayOrderRoute,
    getTakeawayFiguresRoute,
    listUnfetchedRoute,
    fetchAgainRoute,
    giveUpFetchRoute,
  ],
  jobs: [fetchTakeaway, tendTakeaway, foldTakeaway],
  exports: [takeawayFigureExport, takeawayOrderExport],
  imports: [takeawayImport],
  todos: takeawayTodos,
  verify: { name: "takeaway", run: verifyTakeaway },
});
