export * from "./codes.ts";
export * from "./hardware.ts";
export * from "./outputs.ts";
