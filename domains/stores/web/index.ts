import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";
import { registerOrgLookups } from "@zhangfang/web/slots.ts";
import { findStores } from "./find-stores.ts";

/** The screens of stores; the lookup serves the filters of every list. */
export const screens = {
  store: screen(() => import("./stores/StoreList.tsx"), "StoreList"),
  "store-add-group": screen(() => import("./sets/StoreSets.tsx"), "StoreGroups"),
  "area-group": screen(() => import("./sets/StoreSets.tsx"), "StoreAreas"),
  "other-store": screen(() => import("./other/OtherStoreList.tsx"), "OtherStoreList"),
  "store-wx": screen(() => import("./wx/WxStoreList.tsx"), "WxStoreList"),
  "pay-is-service": screen(() => import("./guides/GuideList.tsx"), "GuideList"),
};

/** Several stores of a merchant, for whoever has a form of its own. */
export const StorePicks = lazy(async () => ({ default: (await import("./sets/StorePicks.tsx")).StorePicks }));

registerOrgLookups({ storeId: findStores });
