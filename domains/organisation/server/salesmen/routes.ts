import type { Route } from "@zhangfang/server/calls/call.ts";
import { addSalesmanAccountRoute } from "./add-salesman-account.ts";
import { getSalesmanRoute } from "./get-salesman.ts";
import { handOverMerchantsRoute } from "./hand-over-merchants.ts";
import { listSalesmanMerchantsRoute } from "./list-salesman-merchants.ts";
import { listSalesmenRoute } from "./list-salesmen.ts";
import { setSalesmanStateRoute } from "./set-salesman-state.ts";
import { summariseSalesmenRoute } from "./summarise-salesmen.ts";
import { updateSalesmanRoute } from "./update-salesman.ts";

/** Every call about salesmen. */
export const salesmanRoutes: Route[] = [
  listSalesmenRoute,
  summariseSalesmenRoute,
  listSalesmanMerchantsRoute,
  getSalesmanRoute,
  addSalesmanAccountRoute,
  updateSalesmanRoute,
  setSalesmanStateRoute,
  handOverMerchantsRoute,
];
