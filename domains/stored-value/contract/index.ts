export * from "./balances.ts";
export * from "./card-refunds.ts";
export * from "./codes.ts";
export * from "./recharges.ts";
export * from "./reports.ts";
export * from "./rules.ts";
