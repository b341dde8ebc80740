import { domain } from "@zhangfang/server/calls/domain.ts";
import { bindPrinterRoute, bindSpeakerRoute } from "./devices/bind-hardware.ts";
import { checkPrinterRoute, checkPrinters } from "./devices/check-hardware.ts";
import { getPrinterRoute, getSpeakerRoute, listPrintersRoute, listSpeakersRoute } from "./devices/list-hardware.ts";
import { unbindPrinterRoute, unbindSpeakerRoute } from "./devices/unbind-hardware.ts";
import { updatePrinterRoute, updateSpeakerRoute } from "./devices/update-hardware.ts";
import { hearSettlement } from "./outputs/hear-settlement.ts";
import { listOutputsRoute } from "./outputs/list-outputs.ts";
import { printVouchers } from "./outputs/print-vouchers.ts";
import { reprintOrderRoute, reprintVoucherRoute } from "./outputs/reprint.ts";
import { sendOutput } from "./outputs/send-output.ts";
import { testPrinterRoute, testSpeakerRoute } from "./outputs/test-hardware.ts";

export { giveVendors } from "./vendors/open-vendor.ts";
export { setVendorAccount } from "./vendors/vendor-account.ts";

export const storeHardware = domain({
  routes: [
    listPrintersRoute,
    getPrinterRoute,
    bindPrinterRoute,
    updatePrinterRoute,
    testPrinterRoute,
    checkPrinterRoute,
    unbindPrinterRoute,
    listSpeakersRoute,
    getSpeakerRoute,
    bindSpeakerRoute,
    updateSpeakerRoute,
    testSpeakerRoute,
    unbindSpeakerRoute,
    listOutputsRoute,
    reprintOrderRoute,
    reprintVoucherRoute,
  ],
  jobs: [sendOutput, checkPrinters, printVouchers],
  hearers: { 打印与播报: hearSettlement },
});
