import type { Route } from "@zhangfang/server/calls/call.ts";
import { listAreaManagers, setAreaManagers } from "./area-managers.ts";
import { changeAreaStores, changeStoreGroup } from "./change-sets.ts";
import { getArea, getStoreGroup, listAreas, listStoreGroups } from "./list-sets.ts";
import { addStoreArea, addStoreGroup, removeArea, removeStoreGroup, renameArea, renameStoreGroup } from "./write-sets.ts";

/** Every call about groups and areas of stores. */
export const setRoutes: Route[] = [
  listStoreGroups,
  getStoreGroup,
  addStoreGroup,
  renameStoreGroup,
  changeStoreGroup,
  removeStoreGroup,
  listAreas,
  getArea,
  addStoreArea,
  renameArea,
  changeAreaStores,
  removeArea,
  listAreaManagers,
  setAreaManagers,
];
