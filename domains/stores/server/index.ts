import type { Route } from "@zhangfang/server/call.ts";
import { listStores, listStoresOfFacade, listStoresOfMerchant } from "./list-stores.ts";
import { queryOtherStores } from "./query-other-stores.ts";
import { saveOtherStore } from "./save-other-store.ts";

export const routes: Route[] = [listStores, listStoresOfFacade, listStoresOfMerchant, queryOtherStores, saveOtherStore];

export { addCashier } from "./add-cashier.ts";
export { addStore } from "./add-store.ts";
export { setStoreState } from "./set-store-state.ts";
