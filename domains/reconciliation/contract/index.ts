export * from "./bills.ts";
export * from "./codes.ts";
export * from "./days.ts";
export * from "./differences.ts";
