export * from "./bills.ts";
export * from "./codes.ts";
export * from "./days.ts";
export * from "./differences.ts";
export * from "./store-day-words.ts";
export * from "./store-days.ts";
