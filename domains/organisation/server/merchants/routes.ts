import type { Route } from "@zhangfang/server/call.ts";
import { addMerchantAccount } from "./add-merchant-account.ts";
import { assignMerchants } from "./assign-merchants.ts";
import { getMerchant } from "./get-merchant.ts";
import { listAttributionChoices } from "./list-attribution-choices.ts";
import { listMerchantRows } from "./list-merchant-rows.ts";
import { setMerchantState } from "./set-merchant-state.ts";
import { summariseMerchants } from "./summarise-merchants.ts";
import { updateMerchant } from "./update-merchant.ts";

/** Every call about merchants. */
export const merchantRoutes: Route[] = [
  listMerchantRows,
  summariseMerchants,
  listAttributionChoices,
  getMerchant,
  addMerchantAccount,
  updateMerchant,
  assignMerchants,
  setMerchantState,
];
