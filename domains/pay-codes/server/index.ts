import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { openCashierCodesRoute, openPayCodesRoute, renewCashierCodeRoute, renewPayCodeRoute } from "./open-pay-codes.ts";
import { followPaymentRoute, getPayPageRoute, payAtCodeRoute } from "./pay-at-code.ts";
import { namePayerRoute } from "./payer.ts";
import { purgePayCodeTries } from "./purge-tries.ts";

export const routes: Route[] = [
  openPayCodesRoute,
  renewPayCodeRoute,
  openCashierCodesRoute,
  renewCashierCodeRoute,
  getPayPageRoute,
  namePayerRoute,
  payAtCodeRoute,
  followPaymentRoute,
];
export const jobs: Job[] = [purgePayCodeTries];
