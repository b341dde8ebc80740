export * from "./campaigns.ts";
export * from "./codes.ts";
export * from "./coupons.ts";
export * from "./packages.ts";
export * from "./sends.ts";
export * from "./subsidies.ts";
export * from "./terms.ts";
export * from "./words.ts";
