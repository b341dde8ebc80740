import { domain } from "@zhangfang/server/calls/domain.ts";
import {
  getPlatformAccountRoute,
  provePlatformAccountRoute,
  savePlatformAccountRoute,
  savePlatformAppRoute,
} from "./accounts/account-routes.ts";
import { foldVouchers } from "./entries/fold-vouchers.ts";
import { takeBills } from "./entries/take-bills.ts";
import { getPlatformGoodsRoute, listPlatformGoodsRoute, saveGoodsServeRoute, summarisePlatformGoodsRoute } from "./goods/read-goods.ts";
import { getPlatformSyncRoute, loadGoods, startPlatformSyncRoute } from "./goods/sync-goods.ts";
import { askNoticed, hearDouyinRoute, hearKuaishouRoute } from "./notices/hear.ts";
import { voucherContributor } from "./orders/contribute-vouchers.ts";
import { reverseVoucher, takeBack } from "./orders/take-back.ts";
import { verifyPlatforms } from "./verify-platforms.ts";
import { askAttempts } from "./verifying/ask-attempts.ts";
import {
  cancelVoucherRoute,
  decideVoucherFoundRoute,
  getDeskRoute,
  listDeskStoresRoute,
  noteVoucherFoundRoute,
  prepareVoucherRoute,
  verifyVoucherRoute,
} from "./desk/desk-routes.ts";
import {
  cancelVoucherAtTillRoute,
  getVoucherAtTillRoute,
  prepareVoucherAtTillRoute,
  verifyVoucherAtTillRoute,
} from "./desk/till-routes.ts";
import { endVouchers } from "./vouchers/end-vouchers.ts";
import { getVoucherRoute, listVouchersRoute, summariseVouchersRoute, voucherExports } from "./vouchers/read-vouchers.ts";
import { platformTodos } from "./todos.ts";

// For rooms that bring facts of other platforms: sheets, takeaway.
export { platformAccountOf, type AccountOf, type PlatformAccount } from "./accounts/account-of.ts";
export { authorisationEnded, authorisationStands } from "./accounts/authorisation.ts";
export { addPlatformEntries, type PlatformEntry } from "./entries/add-entries.ts";
export { entriesInScope, storeOfEntry, storeOfSums } from "./entries/store-of.ts";

// For worlds that play a platform themselves.
export { givePlatforms } from "./platform/open-platform.ts";
export { clearDayUses, type RecordedDay } from "./entries/clear-uses.ts";
export { takeDay } from "./entries/take-bills.ts";
export { verifyPlatforms } from "./verify-platforms.ts";

export const platforms = domain({
  routes: [
    getPlatformAccountRoute,
    savePlatformAccountRoute,
    savePlatformAppRoute,
    provePlatformAccountRoute,
    listDeskStoresRoute,
    getDeskRoute,
    prepareVoucherRoute,
    verifyVoucherRoute,
    cancelVoucherRoute,
    noteVoucherFoundRoute,
    decideVoucherFoundRoute,
    prepareVoucherAtTillRoute,
    verifyVoucherAtTillRoute,
    getVoucherAtTillRoute,
    cancelVoucherAtTillRoute,
    listVouchersRoute,
    summariseVouchersRoute,
    getVoucherRoute,
    listPlatformGoodsRoute,
    summarisePlatformGoodsRoute,
    getPlatformGoodsRoute,
    saveGoodsServeRoute,
    startPlatformSyncRoute,
    getPlatformSyncRoute,
    hearDouyinRoute,
    hearKuaishouRoute,
  ],
  contributors: [voucherContributor],
  vouchers: takeBack,
  jobs: [askAttempts, reverseVoucher, askNoticed, loadGoods, takeBills, endVouchers, foldVouchers],
  exports: voucherExports,
  verify: { name: "platform vouchers", run: verifyPlatforms },
  todos: platformTodos,
});
