import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { postDaily, postProvider, verifyNightly } from "./lines/commission-jobs.ts";
import { getOwnProfit } from "./profit/get-own-profit.ts";
import { listCommissionLines } from "./profit/list-commission-lines.ts";
import { listProviderProfit, summariseProviderProfit } from "./profit/provider-profit.ts";
import { listShareProfit, summariseShareProfit } from "./profit/share-profit.ts";

export { clawbackOf, commissionsOf } from "./lines/commissions-of.ts";
export { traceCommissions } from "./lines/trace-commissions.ts";
export { postCommissions } from "./lines/post-commissions.ts";
export { verifyCommissions } from "./lines/verify-commissions.ts";
export { commissionLineExport } from "./profit/list-commission-lines.ts";
export { providerProfitExport } from "./profit/provider-profit.ts";
export { shareProfitExport } from "./profit/share-profit.ts";

export const routes: Route[] = [
  listShareProfit,
  summariseShareProfit,
  listCommissionLines,
  getOwnProfit,
  listProviderProfit,
  summariseProviderProfit,
];
export const jobs: Job[] = [postDaily, postProvider, verifyNightly];
