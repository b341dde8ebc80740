import { domain } from "@zhangfang/server/calls/domain.ts";
import { abnormalExport } from "./abnormal/export-abnormal.ts";
import {
  getAbnormalLimitsRoute,
  getAbnormalStoreRoute,
  handleAbnormalStoresRoute,
  listAbnormalStoresRoute,
  reopenAbnormalStoreRoute,
  setAbnormalLimitsRoute,
  summariseAbnormalStoresRoute,
} from "./abnormal/abnormal-stores.ts";
import { findAbnormalStores } from "./abnormal/find-abnormal-stores.ts";
import { foldTakings } from "./takings/fold-takings.ts";
import { listMerchantsProfitRoute } from "./profit/list-merchants-profit.ts";
import { summariseMerchantsProfitRoute } from "./profit/summarise-merchants-profit.ts";
import { explainPayStatisticsRoute } from "./reports/explain-pay-statistics.ts";
import { getPayStatisticsSeriesRoute } from "./reports/get-pay-statistics-series.ts";
import { listPayStatisticsRoute } from "./reports/list-pay-statistics.ts";
import { summarisePayStatisticsRoute } from "./reports/summarise-pay-statistics.ts";
import { dayFinder } from "./takings/find-days.ts";
import { getDashboardRoute } from "./get-dashboard.ts";
import { getOverviewRoute } from "./get-overview.ts";
import { getPrepaidRoute } from "./prepaid/get-prepaid.ts";
import { getTodayRoute } from "./get-today.ts";
import { payStatisticsExport, salesExport } from "./reports/export-pay-statistics.ts";
import { merchantsProfitExport } from "./profit/export-merchants-profit.ts";
import { abnormalTodos } from "./abnormal/todos.ts";

export { findAbnormalStores } from "./abnormal/find-abnormal-stores.ts";
// For the store-day, over which no figure may differ.
export { storeTakings, type StoreTakings } from "./takings/store-takings.ts";

export const statistics = domain({
  routes: [
    getTodayRoute,
    getOverviewRoute,
    getPrepaidRoute,
    getDashboardRoute,
    listPayStatisticsRoute,
    summarisePayStatisticsRoute,
    getPayStatisticsSeriesRoute,
    explainPayStatisticsRoute,
    listMerchantsProfitRoute,
    summariseMerchantsProfitRoute,
    listAbnormalStoresRoute,
    getAbnormalStoreRoute,
    summariseAbnormalStoresRoute,
    handleAbnormalStoresRoute,
    reopenAbnormalStoreRoute,
    getAbnormalLimitsRoute,
    setAbnormalLimitsRoute,
  ],
  jobs: [foldTakings, findAbnormalStores],
  exports: [payStatisticsExport, salesExport, merchantsProfitExport, abnormalExport],
  finders: [dayFinder],
  todos: abnormalTodos,
});
