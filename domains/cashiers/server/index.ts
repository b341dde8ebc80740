import { domain } from "@zhangfang/server/calls/domain.ts";
import { moveCashierRoute } from "./move-cashier.ts";
import { getCashierRoute, getCashiersRoute, summariseCashiersRoute } from "./read-cashiers.ts";
import { bindCashierRoute, openCashierRoute, setCashierStateRoute, updateCashierRoute } from "./write-cashiers.ts";
import { cashierFinder } from "./find-cashiers.ts";
import { cashierExport } from "./export-cashiers.ts";
import { cashierImport } from "./import-cashiers.ts";
import { cashierStep } from "./first-step.ts";

export { addCashier } from "./add-cashier.ts";
export { cashierToPay, cashierToRefund } from "./at-till.ts";

export const cashiers = domain({
  routes: [
    getCashiersRoute,
    summariseCashiersRoute,
    getCashierRoute,
    openCashierRoute,
    updateCashierRoute,
    setCashierStateRoute,
    bindCashierRoute,
    moveCashierRoute,
  ],
  exports: [cashierExport],
  imports: [cashierImport],
  finders: [cashierFinder],
  firstSteps: [cashierStep],
});
