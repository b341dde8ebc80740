export * from "./codes.ts";
export * from "./records.ts";
export * from "./returns.ts";
export * from "./setup.ts";
export * from "./shares.ts";
