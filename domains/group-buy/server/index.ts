import { domain } from "@zhangfang/server/calls/domain.ts";
import { getGroupBuyFiguresRoute, groupBuyFigureExport } from "./group-buy-figures.ts";
import { voucherImport } from "./import-vouchers.ts";
import { groupBuyEntryExport, listGroupBuyEntriesRoute } from "./read-entries.ts";

// For the store-day, over which no figure may differ.
export { storeVouchers, type StoreVouchers } from "./store-vouchers.ts";

export const groupBuy = domain({
  routes: [getGroupBuyFiguresRoute, listGroupBuyEntriesRoute],
  exports: [groupBuyFigureExport, groupBuyEntryExport],
  imports: [voucherImport],
});
