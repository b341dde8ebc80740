import { adExport, materialExport } from "@zhangfang/domains/ads/server/index.ts";
import { auditExport } from "@zhangfang/domains/accounts/server/index.ts";
import { cashierExport } from "@zhangfang/domains/cashiers/server/index.ts";
import {
  commissionLineExport,
  providerProfitExport,
  shareProfitExport,
  payoutExport,
  withdrawalExport,
} from "@zhangfang/domains/commissions/server/index.ts";
import { adDeviceExport, adPlaysExport } from "@zhangfang/domains/ads/server/index.ts";
import { deviceExport, equipmentExport } from "@zhangfang/domains/devices/server/index.ts";
import { exportsOver } from "@zhangfang/domains/exports/server/index.ts";
import { mallOrderExport, mallRefundExport } from "@zhangfang/domains/mall/server/index.ts";
import { merchantExport } from "@zhangfang/domains/organisation/server/index.ts";
import { differenceExport, reconDayExport } from "@zhangfang/domains/reconciliation/server/index.ts";
import { returnExport, sharingExport } from "@zhangfang/domains/profit-sharing/server/index.ts";
import { storeExport } from "@zhangfang/domains/stores/server/index.ts";
import {
  commentExport,
  friendPayDaysExport,
  friendPayExport,
  friendPayStoresExport,
  payOrderExport,
  refundExport,
  refundRequestExport,
} from "@zhangfang/domains/orders/server/index.ts";
import { merchantsProfitExport, payStatisticsExport, salesExport } from "@zhangfang/domains/statistics/server/index.ts";

/** The exports over every list that can be exported. */
export const exports = exportsOver([
  payOrderExport,
  refundExport,
  refundRequestExport,
  friendPayExport,
  friendPayDaysExport,
  friendPayStoresExport,
  commentExport,
  mallOrderExport,
  mallRefundExport,
  sharingExport,
  returnExport,
  merchantExport,
  storeExport,
  deviceExport,
  equipmentExport,
  cashierExport,
  adExport,
  materialExport,
  adDeviceExport,
  adPlaysExport,
  shareProfitExport,
  commissionLineExport,
  providerProfitExport,
  differenceExport,
  reconDayExport,
  payoutExport,
  withdrawalExport,
  auditExport,
  payStatisticsExport,
  salesExport,
  merchantsProfitExport,
]);
