export * from "./codes.ts";
export * from "./device.ts";
export * from "./orders.ts";
export * from "./refunds.ts";
