export * from "./codes.ts";
export * from "./device.ts";
export * from "./orders.ts";
export { partsOfProduct } from "./product-parts.ts";
export * from "./refunds.ts";
