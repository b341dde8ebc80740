import { activities } from "@zhangfang/domains/activities/server/index.ts";
import { accounts, readSession, sessionSql, sessionWrites } from "@zhangfang/domains/accounts/server/index.ts";
import { ads } from "@zhangfang/domains/ads/server/index.ts";
import { cashiers } from "@zhangfang/domains/cashiers/server/index.ts";
import { commissions } from "@zhangfang/domains/commissions/server/index.ts";
import { coupons } from "@zhangfang/domains/coupons/server/index.ts";
import { discounts } from "@zhangfang/domains/discounts/server/index.ts";
import { customer, memberDoor } from "@zhangfang/domains/customer/server/index.ts";
import { checkDevice, devices } from "@zhangfang/domains/devices/server/index.ts";
import { find } from "@zhangfang/domains/find/server/index.ts";
import { exportsOver } from "@zhangfang/domains/exports/server/index.ts";
import { importsOver } from "@zhangfang/domains/imports/server/index.ts";
import { applyment } from "@zhangfang/domains/applyment/server/index.ts";
import { integrations } from "@zhangfang/domains/integrations/server/index.ts";
import { invoices } from "@zhangfang/domains/invoices/server/index.ts";
import { levelConfig } from "@zhangfang/domains/level-config/server/index.ts";
import { lottery } from "@zhangfang/domains/lottery/server/index.ts";
import { mall } from "@zhangfang/domains/mall/server/index.ts";
import { memberCards } from "@zhangfang/domains/member-cards/server/index.ts";
import { members } from "@zhangfang/domains/members/server/index.ts";
import { messages } from "@zhangfang/domains/messages/server/index.ts";
import { money } from "@zhangfang/domains/money/server/index.ts";
import { orders } from "@zhangfang/domains/orders/server/index.ts";
import { organisation } from "@zhangfang/domains/organisation/server/index.ts";
import { payCodes } from "@zhangfang/domains/pay-codes/server/index.ts";
import { platforms } from "@zhangfang/domains/platforms/server/index.ts";
import { points } from "@zhangfang/domains/points/server/index.ts";
import { pricing } from "@zhangfang/domains/pricing/server/index.ts";
import { products } from "@zhangfang/domains/products/server/index.ts";
import { profitSharing } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { reconciliation } from "@zhangfang/domains/reconciliation/server/index.ts";
import { reference } from "@zhangfang/domains/reference/server/index.ts";
import { statistics } from "@zhangfang/domains/statistics/server/index.ts";
import { storeHardware } from "@zhangfang/domains/store-hardware/server/index.ts";
import { storedValue } from "@zhangfang/domains/stored-value/server/index.ts";
import { stores } from "@zhangfang/domains/stores/server/index.ts";
import { groupBuy } from "@zhangfang/domains/group-buy/server/index.ts";
import { takeaway } from "@zhangfang/domains/takeaway/server/index.ts";
import { todos } from "@zhangfang/domains/todos/server/index.ts";
import { valueBook } from "@zhangfang/domains/value-book/server/index.ts";
import { viewsOver } from "@zhangfang/domains/views/server/index.ts";
import { vip } from "@zhangfang/domains/vip/server/index.ts";
import { wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { marketing } from "./verify-marketing.ts";
import type { Doors, Route } from "@zhangfang/server/calls/call.ts";
import { jobsOf, type Domain } from "@zhangfang/server/calls/domain.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";

// In the order of floors: each knows the doors of those before it alone.
const floors: readonly Domain[] = [
  find,
  todos,
  reference,
  levelConfig,
  messages,
  money,
  valueBook,
  accounts,
  organisation,
  stores,
  devices,
  ads,
  cashiers,
  commissions,
  profitSharing,
  pricing,
  orders,
  products,
  mall,
  payCodes,
  storeHardware,
  members,
  coupons,
  memberCards,
  points,
  storedValue,
  vip,
  discounts,
  wechat,
  invoices,
  applyment,
  platforms,
  takeaway,
  groupBuy,
  activities,
  lottery,
  integrations,
  marketing,
  customer,
  statistics,
  reconciliation,
];

const files = exportsOver(floors.flatMap((floor) => floor.exports));
/** Every domain that brings something; files and sheets stand above whatever they are made of. */
export const domains: readonly Domain[] = [
  ...floors,
  files,
  // What stands above the files.
  importsOver(floors.flatMap((floor) => floor.imports)),
  viewsOver(files.queue),
];
/** Every call of the service. */
export const routes: readonly Route[] = domains.flatMap((one) => one.routes);
/** Everything that this service does after a commit or by the clock. */
export const jobs: readonly Job[] = jobsOf(domains);
/** How callers become known. */
export const doors: Doors = { sessionSql, sessionWrites, readSession, device: checkDevice, member: memberDoor };
