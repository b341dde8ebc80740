import { sql } from "kysely";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { fetchDailyBills, tendBills } from "./bills/daily-bills.ts";
import { fetchBillRoute } from "./bills/fetch-bill.ts";
import { importBill } from "./bills/import-bill.ts";
import { listBillFilesRoute } from "./bills/list-bills.ts";
import { addBillPieceRoute, cancelBillRoute, finishBillUploadRoute, startBillUploadRoute } from "./bills/upload-bill.ts";
import { getBillSettingsRoute, setBillSettingsRoute } from "./days/bill-settings.ts";
import { clearRecords } from "./bills/clear-records.ts";
import { closeReconDayRoute, rematchReconDayRoute, reopenReconDayRoute, retakeReconDayRoute } from "./days/close-day.ts";
import { matchPlatformDays, retakeDay } from "./days/platform-days.ts";
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
import { differenceExport } from "./differences/export-differences.ts";
import { reconDayExport } from "./days/export-days.ts";
import { resolutionImport } from "./differences/import-resolutions.ts";

import { closeStoreDayRoute, proposeStoreDayRoute, reopenStoreDayRoute, withdrawStoreDayRoute } from "./store-days/close-store-day.ts";
import { getStoreDayRoute, getStoreMonthRoute } from "./store-days/get-store-day.ts";
import { listStoreDaysRoute, summariseStoreDaysRoute } from "./store-days/list-store-days.ts";
import { traceSettlement } from "./settled-of.ts";
import { reconciliationTodos } from "./todos.ts";

export const reconciliation = domain({
  keptFiles: sql`select 'bill-' || f.id || '-' || n, f.service_provider_id from bill_files f, generate_series(0, f.piece_count) n where not f.forgotten`,
  routes: [
    listReconDaysRoute,
    summariseReconDaysRoute,
    getReconDayRoute,
    getReconMonthRoute,
    closeReconDayRoute,
    reopenReconDayRoute,
    rematchReconDayRoute,
    retakeReconDayRoute,
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
    listStoreDaysRoute,
    summariseStoreDaysRoute,
    getStoreMonthRoute,
    getStoreDayRoute,
    proposeStoreDayRoute,
    closeStoreDayRoute,
    withdrawStoreDayRoute,
    reopenStoreDayRoute,
  ],
  jobs: [importBill, fetchDailyBills, tendBills, matchPlatformDays, retakeDay, clearRecords],
  exports: [differenceExport, reconDayExport],
  imports: [resolutionImport],
  trace: traceSettlement,
  todos: reconciliationTodos,
});
