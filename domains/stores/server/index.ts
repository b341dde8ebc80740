import type { Route } from "@zhangfang/server/call.ts";
import { listCashiers } from "./list-cashiers.ts";
import { listStores, listStoresOfFacade, listStoresOfMerchant } from "./list-stores.ts";
import { queryOtherStores } from "./query-other-stores.ts";
import { saveOtherStore } from "./save-other-store.ts";

export const routes: Route[] = [listStores, listStoresOfFacade, listStoresOfMerchant, queryOtherStores, saveOtherStore, listCashiers];

export { addCashier } from "./add-cashier.ts";
export { addStore } from "./add-store.ts";
export { seekInStores } from "./seek-in-stores.ts";
export { setStoreState } from "./set-store-state.ts";
