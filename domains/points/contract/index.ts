export * from "./adjust.ts";
export * from "./clears.ts";
export * from "./rule.ts";
export * from "./say-rule.ts";
export * from "./summary.ts";
export * from "./tasks.ts";
