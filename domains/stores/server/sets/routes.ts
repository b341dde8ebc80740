import type { Route } from "@zhangfang/server/calls/call.ts";
import { listAreaManagersRoute, setAreaManagersRoute } from "./area-managers.ts";
import { changeAreaStoresRoute, changeStoreGroupRoute } from "./change-sets.ts";
import { getAreaRoute, getStoreGroupRoute, listAreasRoute, listStoreGroupsRoute } from "./list-sets.ts";
import {
  addStoreAreaRoute,
  addStoreGroupRoute,
  removeAreaRoute,
  removeStoreGroupRoute,
  renameAreaRoute,
  renameStoreGroupRoute,
} from "./write-sets.ts";

/** Every call about groups and areas of stores. */
export const setRoutes: Route[] = [
  listStoreGroupsRoute,
  getStoreGroupRoute,
  addStoreGroupRoute,
  renameStoreGroupRoute,
  changeStoreGroupRoute,
  removeStoreGroupRoute,
  listAreasRoute,
  getAreaRoute,
  addStoreAreaRoute,
  renameAreaRoute,
  changeAreaStoresRoute,
  removeAreaRoute,
  listAreaManagersRoute,
  setAreaManagersRoute,
];
