import type { Route } from "@zhangfang/server/calls/call.ts";
import { getChannelAccountsRoute } from "./accounts/get-channel-accounts.ts";
import { setChannelAccountStateRoute } from "./accounts/set-channel-account-state.ts";
import { setChannelRuleRoute } from "./accounts/set-channel-rule.ts";
import { updateChannelAccountRoute } from "./accounts/update-channel-account.ts";
import { verifyChannelAccountRoute } from "./accounts/verify-channel-account.ts";
import { addMerchantAccountRoute } from "./add-merchant-account.ts";
import { getMerchantRoute } from "./get-merchant.ts";
import { listIncompleteMerchantsRoute, remindMerchantsRoute } from "./profile/full-in.ts";
import { getMerchantProfileRoute } from "./profile/get-merchant-profile.ts";
import { getMerchantPicturesRoute, setMerchantPictureRoute } from "./profile/merchant-pictures.ts";
import { setSettlementAccountRoute, updateMerchantProfileRoute } from "./profile/update-merchant-profile.ts";
import { getChannelSecretRoute } from "./secret/get-channel-secret.ts";
import { setChannelSecretRoute } from "./secret/set-channel-secret.ts";
import { verifyChannelSecretRoute } from "./secret/verify-channel-secret.ts";
import { getMerchantSettingsRoute } from "./settings/get-merchant-settings.ts";
import { setRefundPasswordRoute } from "./settings/set-refund-password.ts";
import { updateMerchantSettingsRoute } from "./settings/update-merchant-settings.ts";
import { listAttributionChoicesRoute } from "./list/list-attribution-choices.ts";
import { listMerchantRowsRoute } from "./list/list-merchant-rows.ts";
import { setMerchantStateRoute } from "./set-merchant-state.ts";
import { summariseMerchantsRoute } from "./list/summarise-merchants.ts";
import { updateMerchantRoute } from "./update-merchant.ts";

/** Every call about merchants. */
export const merchantRoutes: Route[] = [
  listMerchantRowsRoute,
  summariseMerchantsRoute,
  listAttributionChoicesRoute,
  getMerchantRoute,
  addMerchantAccountRoute,
  updateMerchantRoute,
  setMerchantStateRoute,
  getChannelSecretRoute,
  setChannelSecretRoute,
  verifyChannelSecretRoute,
  getChannelAccountsRoute,
  updateChannelAccountRoute,
  verifyChannelAccountRoute,
  setChannelAccountStateRoute,
  setChannelRuleRoute,
  getMerchantSettingsRoute,
  updateMerchantSettingsRoute,
  setRefundPasswordRoute,
  getMerchantProfileRoute,
  getMerchantPicturesRoute,
  setMerchantPictureRoute,
  updateMerchantProfileRoute,
  setSettlementAccountRoute,
  listIncompleteMerchantsRoute,
  remindMerchantsRoute,
];
