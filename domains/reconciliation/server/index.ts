import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { fetchDailyBills, tendBills } from "./bills/daily-bills.ts";
import { fetchBillRoute } from "./bills/fetch-bill.ts";
import { importBill } from "./bills/import-bill.ts";
import { listBillFilesRoute } from "./bills/list-bills.ts";
import { addBillPieceRoute, cancelBillRoute, finishBillUploadRoute, startBillUploadRoute } from "./bills/upload-bill.ts";
import { getBillSettingsRoute, setBillSettingsRoute } from "./days/bill-settings.ts";
import { closeReconDayRoute, rematchReconDayRoute, reopenReconDayRoute } from "./days/close-day.ts";
import { getReconDayRoute, getReconMonthRoute } from "./days/get-day.ts";
import { listReconDaysRoute, summariseReconDaysRoute } from "./days/list-days.ts";
import { getDifferenceRoute, listDifferencesRoute, summariseDifferencesRoute } from "./differences/list-differences.ts";
import { repairDifferencesRoute } from "./differences/repair-differences.ts";
import {
  decideWriteOffRoute,
  linkDifferencesRoute,
  proposeWriteOffRoute,
  recordUnknownRoute,
  reopenDifferenceRoute,
} from "./differences/resolve-differences.ts";

export { reconDayExport } from "./days/export-days.ts";
export { differenceExport } from "./differences/export-differences.ts";
export { resolutionImport } from "./differences/import-resolutions.ts";
export { traceSettlement } from "./settled-of.ts";

export const routes: Route[] = [
  listReconDaysRoute,
  summariseReconDaysRoute,
  getReconDayRoute,
  getReconMonthRoute,
  closeReconDayRoute,
  reopenReconDayRoute,
  rematchReconDayRoute,
  getBillSettingsRoute,
  setBillSettingsRoute,
  listBillFilesRoute,
  fetchBillRoute,
  startBillUploadRoute,
  addBillPieceRoute,
  finishBillUploadRoute,
  cancelBillRoute,
  listDifferencesRoute,
  summariseDifferencesRoute,
  getDifferenceRoute,
  repairDifferencesRoute,
  proposeWriteOffRoute,
  decideWriteOffRoute,
  linkDifferencesRoute,
  recordUnknownRoute,
  reopenDifferenceRoute,
];

export const jobs: Job[] = [importBill, fetchDailyBills, tendBills];
