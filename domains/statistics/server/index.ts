import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import {
  getAbnormalLimitsRoute,
  handleAbnormalStoresRoute,
  listAbnormalStoresRoute,
  reopenAbnormalStoreRoute,
  setAbnormalLimitsRoute,
  summariseAbnormalStoresRoute,
} from "./abnormal/abnormal-stores.ts";
import { findAbnormalStores } from "./abnormal/find-abnormal-stores.ts";
import { foldTakings } from "./takings/fold-takings.ts";
import { getDashboard } from "./get-dashboard.ts";
import { getOverview } from "./get-overview.ts";
import { getToday } from "./get-today.ts";

export { findAbnormalStores } from "./abnormal/find-abnormal-stores.ts";
export const routes: Route[] = [
  getToday,
  getOverview,
  getDashboard,
  listAbnormalStoresRoute,
  summariseAbnormalStoresRoute,
  handleAbnormalStoresRoute,
  reopenAbnormalStoreRoute,
  getAbnormalLimitsRoute,
  setAbnormalLimitsRoute,
];
export const jobs: Job[] = [foldTakings, findAbnormalStores];
