export * from "./codes.ts";
export * from "./friend-pays.ts";
export * from "./notifications.ts";
export * from "./pay-orders.ts";
export * from "./refunds.ts";
export * from "./shift.ts";
export * from "./till.ts";
export * from "./trace.ts";
