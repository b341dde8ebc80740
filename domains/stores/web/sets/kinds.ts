import {
  addStoreArea,
  addStoreGroup,
  changeAreaStores,
  changeStoreGroup,
  getArea,
  getStoreGroup,
  listAreas,
  listStoreGroups,
  removeArea,
  removeStoreGroup,
  renameArea,
  renameStoreGroup,
} from "../../contract/index.ts";

/** The calls of each kind of set, what it is called, and the filter of the list of stores that shows its stores. */
export const KINDS = {
  group: {
    what: "分组",
    title: "门店分组",
    filter: "groupId",
    list: listStoreGroups,
    get: getStoreGroup,
    add: addStoreGroup,
    rename: renameStoreGroup,
    change: changeStoreGroup,
    remove: removeStoreGroup,
  },
  area: {
    what: "区域",
    title: "区域分组",
    filter: "areaId",
    list: listAreas,
    get: getArea,
    add: addStoreArea,
    rename: renameArea,
    change: changeAreaStores,
    remove: removeArea,
  },
} as const;
export type SetKind = (typeof KINDS)[keyof typeof KINDS];
