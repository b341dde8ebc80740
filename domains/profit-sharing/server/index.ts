import { domain } from "@zhangfang/server/calls/domain.ts";
import { decideReturnRecordRoute, decideShareRecordRoute } from "./records/decide-record.ts";
import { lookAfterRecords } from "./records/look-after-records.ts";
import { recordReturnRoute, recordShareRoute } from "./records/record-result.ts";
import { getReturnRoute, listReturnsRoute, summariseReturnsRoute } from "./returns/read-returns.ts";
import { lookAfterReturns, retryReturnRoute, sendReturnJob } from "./returns/retry-return.ts";
import { getSharingSetupRoute } from "./setup/get-setup.ts";
import { lookAfterReceivers } from "./setup/look-after-receivers.ts";
import { askMaxRatioRoute, setSharingRuleRoute } from "./setup/set-rule.ts";
import {
  addReceiverAccountRoute,
  addReceiverRoute,
  addSharingGroupRoute,
  bindReceiverRoute,
  removeReceiverRoute,
  updateReceiverRoute,
} from "./setup/write-receivers.ts";
import { getShareRoute, listSharesRoute, previewShareRoute, summariseSharesRoute } from "./shares/read-shares.ts";
import { finishSharingRoute, retryShareRoute, sendShareRoute } from "./shares/send-share.ts";
import { holdBackShares, lookAfterShares, sendShareJob } from "./shares/share-jobs.ts";
import { sharingExport } from "./shares/export-shares.ts";
import { returnExport } from "./returns/export-returns.ts";
import { sharingTodos } from "./todos.ts";

export type { HeldOrder, ShareAmounts } from "./share-amounts.ts";
export { hearShareNotice } from "./hear-channel.ts";
export { chaseReturns } from "./returns/chase-returns.ts";
export { previewReturns, previewReturnsAgain, returnsOf } from "./returns/preview-returns.ts";
export { cancelReturns, needNothing, needReturns, needReturnsAgain, reserveReturns, type ReturnNeed } from "./returns/reserve-returns.ts";
export { baseOf, type SharingFacts } from "./shares/sharing-rules.ts";
export { sharesOf, type OrderShare } from "./shares-of.ts";
export { sendShareJob } from "./shares/share-jobs.ts";
export { planSharing } from "./shares/plan-sharing.ts";
export { wantsSharing } from "./shares/rule-of.ts";

export const profitSharing = domain({
  routes: [
    listSharesRoute,
    summariseSharesRoute,
    getShareRoute,
    previewShareRoute,
    sendShareRoute,
    retryShareRoute,
    finishSharingRoute,
    listReturnsRoute,
    summariseReturnsRoute,
    getReturnRoute,
    retryReturnRoute,
    recordShareRoute,
    recordReturnRoute,
    decideShareRecordRoute,
    decideReturnRecordRoute,
    getSharingSetupRoute,
    setSharingRuleRoute,
    askMaxRatioRoute,
    addSharingGroupRoute,
    addReceiverRoute,
    addReceiverAccountRoute,
    updateReceiverRoute,
    bindReceiverRoute,
    removeReceiverRoute,
  ],
  jobs: [sendShareJob, lookAfterShares, sendReturnJob, lookAfterReturns, lookAfterRecords, lookAfterReceivers],
  exports: [sharingExport, returnExport],
  holdBack: holdBackShares,
  todos: sharingTodos,
});
