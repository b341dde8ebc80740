import { domain } from "@zhangfang/server/calls/domain.ts";
import { spellAnew } from "@zhangfang/server/pinyin.ts";
import { listCashiers } from "./lookups/list-cashiers.ts";
import { listStores, listStoresOfFacade, listStoresOfMerchant } from "./lookups/list-stores.ts";
import { listOtherStores, summariseOtherStores } from "./other/list-other-stores.ts";
import { queryOtherStores } from "./other/query-other-stores.ts";
import { saveOtherStore } from "./other/save-other-store.ts";
import { addGuide, listGuides, retryGuide, updateGuide } from "./guides/write-guides.ts";
import { setRoutes } from "./sets/routes.ts";
import { ownRoutes } from "./stores/routes.ts";
import { listWxStores } from "./wx/list-wx-stores.ts";
import { linkWxStore, syncWxStore } from "./wx/look-at-wx-store.ts";
import { submitWxStore } from "./wx/submit-wx-store.ts";
import { storeExport } from "./stores/list/export-stores.ts";
import { storeImport } from "./stores/import-stores.ts";
import { otherStoreImport } from "./other/import-other-stores.ts";

export { addGroup } from "./sets/add-group.ts";
export { seekInStores } from "./lookups/seek-in-stores.ts";
export { addStore } from "./stores/add-store.ts";
export { setStoreState } from "./stores/set-store-state.ts";

export const stores = domain({
  routes: [
    listStores,
    listStoresOfFacade,
    listStoresOfMerchant,
    queryOtherStores,
    saveOtherStore,
    listOtherStores,
    summariseOtherStores,
    listCashiers,
    ...ownRoutes,
    ...setRoutes,
    listWxStores,
    submitWxStore,
    linkWxStore,
    syncWxStore,
    listGuides,
    addGuide,
    updateGuide,
    retryGuide,
  ],
  jobs: [spellAnew("stores")],
  exports: [storeExport],
  imports: [storeImport, otherStoreImport],
});
