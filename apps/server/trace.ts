import { traceOver } from "@zhangfang/domains/orders/server/index.ts";

/** The way of an order's money, with what the rooms above orders know of it. */
export const trace = traceOver([]);
