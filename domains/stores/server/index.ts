import { domain } from "@zhangfang/server/calls/domain.ts";
import { spellAnew } from "@zhangfang/server/pinyin.ts";
import { listCashiersRoute } from "./lookups/list-cashiers.ts";
import { listStoresRoute, listStoresOfFacadeRoute, listStoresOfMerchantRoute } from "./lookups/list-stores.ts";
import { getOtherStoreRoute, listOtherStoresRoute, summariseOtherStoresRoute } from "./other/list-other-stores.ts";
import { queryOtherStoresRoute } from "./other/query-other-stores.ts";
import { saveOtherStoreRoute } from "./other/save-other-store.ts";
import { addGuideRoute, getGuideRoute, listGuidesRoute, retryGuideRoute, updateGuideRoute } from "./guides/write-guides.ts";
import { setRoutes } from "./sets/routes.ts";
import { ownRoutes } from "./stores/routes.ts";
import { getWxStoreRoute, listWxStoresRoute } from "./wx/list-wx-stores.ts";
import { linkWxStoreRoute, syncWxStoreRoute } from "./wx/look-at-wx-store.ts";
import { submitWxStoreRoute } from "./wx/submit-wx-store.ts";
import { storeExport } from "./stores/list/export-stores.ts";
import { storeFinder } from "./stores/find-stores.ts";
import { storeImport } from "./stores/import-stores.ts";
import { otherStoreImport } from "./other/import-other-stores.ts";
import { storeStep, storeTodos } from "./stores/todos.ts";

// For platforms that tell their stores by themselves.
export { seenStores } from "./other/seen-stores.ts";
export { addGroup } from "./sets/add-group.ts";
export { storeAtWork, type StoreAtWork } from "./lookups/store-at-work.ts";
export { seekInStores } from "./lookups/seek-in-stores.ts";
export { addStore } from "./stores/add-store.ts";
export { setStoreState } from "./stores/set-store-state.ts";

export const stores = domain({
  routes: [
    listStoresRoute,
    listStoresOfFacadeRoute,
    listStoresOfMerchantRoute,
    queryOtherStoresRoute,
    saveOtherStoreRoute,
    listOtherStoresRoute,
    getOtherStoreRoute,
    summariseOtherStoresRoute,
    listCashiersRoute,
    ...ownRoutes,
    ...setRoutes,
    listWxStoresRoute,
    getWxStoreRoute,
    submitWxStoreRoute,
    linkWxStoreRoute,
    syncWxStoreRoute,
    listGuidesRoute,
    getGuideRoute,
    addGuideRoute,
    updateGuideRoute,
    retryGuideRoute,
  ],
  jobs: [spellAnew("stores")],
  exports: [storeExport],
  imports: [storeImport, otherStoreImport],
  finders: [storeFinder],
  todos: storeTodos,
  firstSteps: [storeStep],
});
