import { domain } from "@zhangfang/server/calls/domain.ts";
import { openCashierCodesRoute, openPayCodesRoute, renewCashierCodeRoute, renewPayCodeRoute } from "./open-pay-codes.ts";
import { followPaymentRoute, getPayPageRoute, payAtCodeRoute } from "./pay-at-code.ts";
import { namePayerRoute } from "./payer.ts";
import { purgePayCodeTries } from "./purge-tries.ts";

// For a member's own page (domains/customer), which pays at a code as whoever it knows.
export { beginAtCode, findOpenCode, shown as shownAtCode } from "./pay-at-code.ts";
export type { FoundCode } from "./find-code.ts";
export { openPayer, payerUrlOf, sealPayer } from "./payer.ts";

export const payCodes = domain({
  routes: [
    openPayCodesRoute,
    renewPayCodeRoute,
    openCashierCodesRoute,
    renewCashierCodeRoute,
    getPayPageRoute,
    namePayerRoute,
    payAtCodeRoute,
    followPaymentRoute,
  ],
  jobs: [purgePayCodeTries],
});
