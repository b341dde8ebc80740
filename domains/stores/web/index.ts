import { lazy } from "react";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs, registerOrgLookups } from "@zhangfang/web/slots.ts";
import { nodeState } from "../../organisation/contract/index.ts";
import { findStores } from "./find-stores.ts";
import { openStore } from "../contract/index.ts";

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

registerExportedList("stores", {
  path: "/store/store",
  filters: { state: ["状态", nodeState], province: ["省份"], city: ["城市"], groupId: ["分组"], areaId: ["区域"] },
});

registerActs([{ title: "新建门店", words: ["开店", "添加门店", "新增门店"], of: openStore, to: "/store/store?panel=add" }]);
