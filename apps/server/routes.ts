import * as accounts from "@zhangfang/domains/accounts/server/index.ts";
import * as ads from "@zhangfang/domains/ads/server/index.ts";
import * as cashiers from "@zhangfang/domains/cashiers/server/index.ts";
import * as commissions from "@zhangfang/domains/commissions/server/index.ts";
import * as devices from "@zhangfang/domains/devices/server/index.ts";
import * as levelConfig from "@zhangfang/domains/level-config/server/index.ts";
import * as mall from "@zhangfang/domains/mall/server/index.ts";
import * as messages from "@zhangfang/domains/messages/server/index.ts";
import * as orders from "@zhangfang/domains/orders/server/index.ts";
import * as organisation from "@zhangfang/domains/organisation/server/index.ts";
import * as payCodes from "@zhangfang/domains/pay-codes/server/index.ts";
import * as pricing from "@zhangfang/domains/pricing/server/index.ts";
import * as reconciliation from "@zhangfang/domains/reconciliation/server/index.ts";
import * as profitSharing from "@zhangfang/domains/profit-sharing/server/index.ts";
import * as reference from "@zhangfang/domains/reference/server/index.ts";
import * as statistics from "@zhangfang/domains/statistics/server/index.ts";
import * as storeHardware from "@zhangfang/domains/store-hardware/server/index.ts";
import * as stores from "@zhangfang/domains/stores/server/index.ts";
import type { Doors, Route } from "@zhangfang/server/call.ts";
import { exports } from "./exports.ts";
import { imports } from "./imports.ts";
import { trace } from "./trace.ts";

/** How callers become known. */
export const doors: Doors = { sessionSql: accounts.sessionSql, readSession: accounts.readSession, device: devices.checkDevice };

/** Every call of the service. */
export const routes: readonly Route[] = [
  ...accounts.routes,
  ...organisation.routes,
  ...stores.routes,
  ...reference.routes,
  ...levelConfig.routes,
  ...devices.routes,
  ...ads.routes,
  ...cashiers.routes,
  ...pricing.routes,
  ...orders.routes,
  trace,
  ...commissions.routes,
  ...reconciliation.routes,
  ...profitSharing.routes,
  ...storeHardware.routes,
  ...payCodes.routes,
  ...mall.routes,
  ...statistics.routes,
  ...messages.routes,
  ...exports.routes,
  ...imports.routes,
];
