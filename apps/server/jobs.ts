import * as accounts from "@zhangfang/domains/accounts/server/index.ts";
import * as ads from "@zhangfang/domains/ads/server/index.ts";
import * as commissions from "@zhangfang/domains/commissions/server/index.ts";
import * as devices from "@zhangfang/domains/devices/server/index.ts";
import * as levelConfig from "@zhangfang/domains/level-config/server/index.ts";
import * as mall from "@zhangfang/domains/mall/server/index.ts";
import * as messages from "@zhangfang/domains/messages/server/index.ts";
import * as money from "@zhangfang/domains/money/server/index.ts";
import * as orders from "@zhangfang/domains/orders/server/index.ts";
import * as organisation from "@zhangfang/domains/organisation/server/index.ts";
import * as payCodes from "@zhangfang/domains/pay-codes/server/index.ts";
import * as pricing from "@zhangfang/domains/pricing/server/index.ts";
import * as reconciliation from "@zhangfang/domains/reconciliation/server/index.ts";
import * as profitSharing from "@zhangfang/domains/profit-sharing/server/index.ts";
import * as statistics from "@zhangfang/domains/statistics/server/index.ts";
import * as storeHardware from "@zhangfang/domains/store-hardware/server/index.ts";
import { sealAuditJob } from "@zhangfang/server/audit-seal.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { exports } from "./exports.ts";
import { imports } from "./imports.ts";

/** Everything that this service does after a commit or by the clock. */
export const jobs: readonly Job[] = [
  ...accounts.jobs,
  ...devices.jobs,
  ...levelConfig.jobs,
  ...money.jobs,
  ...ads.jobs,
  ...commissions.jobs,
  ...pricing.jobs,
  ...orders.jobs,
  ...reconciliation.jobs,
  ...profitSharing.jobs,
  ...organisation.jobs,
  ...storeHardware.jobs,
  ...payCodes.jobs,
  ...mall.jobs,
  ...statistics.jobs,
  ...messages.jobs,
  ...exports.jobs,
  ...imports.jobs,
  sealAuditJob,
];
