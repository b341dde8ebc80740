import type { Route } from "@zhangfang/server/call.ts";
import { moveCashierRoute } from "./move-cashier.ts";
import { getCashierRoute, getCashiersRoute, summariseCashiersRoute } from "./read-cashiers.ts";
import { bindCashierRoute, openCashierRoute, setCashierStateRoute, updateCashierRoute } from "./write-cashiers.ts";

export const routes: Route[] = [
  getCashiersRoute,
  summariseCashiersRoute,
  getCashierRoute,
  openCashierRoute,
  updateCashierRoute,
  setCashierStateRoute,
  bindCashierRoute,
  moveCashierRoute,
];

export { addCashier } from "./add-cashier.ts";
export { cashierToPay, cashierToRefund } from "./at-till.ts";
export { cashierExport } from "./export-cashiers.ts";
export { cashierImport } from "./import-cashiers.ts";
