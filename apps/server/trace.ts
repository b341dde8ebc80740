import { traceCommissions } from "@zhangfang/domains/commissions/server/index.ts";
import { traceOver } from "@zhangfang/domains/orders/server/index.ts";
import { traceSettlement } from "@zhangfang/domains/reconciliation/server/index.ts";

/** The way of an order's money, with what the rooms beside orders know of it. */
export const trace = traceOver([traceCommissions, traceSettlement]);
