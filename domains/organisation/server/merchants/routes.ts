import type { Route } from "@zhangfang/server/calls/call.ts";
import { getChannelAccounts } from "./accounts/get-channel-accounts.ts";
import { setChannelAccountState } from "./accounts/set-channel-account-state.ts";
import { setChannelRule } from "./accounts/set-channel-rule.ts";
import { updateChannelAccount } from "./accounts/update-channel-account.ts";
import { verifyChannelAccount } from "./accounts/verify-channel-account.ts";
import { addMerchantAccount } from "./add-merchant-account.ts";
import { getMerchant } from "./get-merchant.ts";
import { listIncompleteMerchants, remindMerchants } from "./profile/full-in.ts";
import { getMerchantProfile } from "./profile/get-merchant-profile.ts";
import { setSettlementAccount, updateMerchantProfile } from "./profile/update-merchant-profile.ts";
import { getChannelSecret } from "./secret/get-channel-secret.ts";
import { setChannelSecret } from "./secret/set-channel-secret.ts";
import { verifyChannelSecret } from "./secret/verify-channel-secret.ts";
import { getMerchantSettings } from "./settings/get-merchant-settings.ts";
import { setRefundPassword } from "./settings/set-refund-password.ts";
import { updateMerchantSettings } from "./settings/update-merchant-settings.ts";
import { listAttributionChoices } from "./list/list-attribution-choices.ts";
import { listMerchantRows } from "./list/list-merchant-rows.ts";
import { setMerchantState } from "./set-merchant-state.ts";
import { summariseMerchants } from "./list/summarise-merchants.ts";
import { updateMerchant } from "./update-merchant.ts";

/** Every call about merchants. */
export const merchantRoutes: Route[] = [
  listMerchantRows,
  summariseMerchants,
  listAttributionChoices,
  getMerchant,
  addMerchantAccount,
  updateMerchant,
  setMerchantState,
  getChannelSecret,
  setChannelSecret,
  verifyChannelSecret,
  getChannelAccounts,
  updateChannelAccount,
  verifyChannelAccount,
  setChannelAccountState,
  setChannelRule,
  getMerchantSettings,
  updateMerchantSettings,
  setRefundPassword,
  getMerchantProfile,
  updateMerchantProfile,
  setSettlementAccount,
  listIncompleteMerchants,
  remindMerchants,
];
