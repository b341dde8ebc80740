export * from "./codes.ts";
export * from "./profit.ts";
export * from "./withdrawals.ts";
export * from "./payout-page.ts";
