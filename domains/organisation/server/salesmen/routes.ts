import type { Route } from "@zhangfang/server/calls/call.ts";
import { addSalesmanAccount } from "./add-salesman-account.ts";
import { getSalesman } from "./get-salesman.ts";
import { handOverMerchants } from "./hand-over-merchants.ts";
import { listSalesmanMerchants } from "./list-salesman-merchants.ts";
import { listSalesmen } from "./list-salesmen.ts";
import { setSalesmanState } from "./set-salesman-state.ts";
import { summariseSalesmen } from "./summarise-salesmen.ts";
import { updateSalesman } from "./update-salesman.ts";

/** Every call about salesmen. */
export const salesmanRoutes: Route[] = [
  listSalesmen,
  summariseSalesmen,
  listSalesmanMerchants,
  getSalesman,
  addSalesmanAccount,
  updateSalesman,
  setSalesmanState,
  handOverMerchants,
];
