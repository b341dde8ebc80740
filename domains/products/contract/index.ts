export * from "./barcode.ts";
export * from "./base.ts";
export * from "./codes.ts";
export * from "./prices.ts";
export * from "./products.ts";
export * from "./shelf.ts";
export * from "./tags.ts";
export * from "./till.ts";
