export * from "./codes.ts";
export * from "./rules.ts";
export * from "./terms.ts";
export * from "./till.ts";
export * from "./times.ts";
export * from "./desk.ts";
