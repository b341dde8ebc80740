export * from "./codes.ts";
export * from "./profit.ts";
