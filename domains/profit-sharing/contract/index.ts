export * from "./codes.ts";
export * from "./returns.ts";
export * from "./setup.ts";
export * from "./shares.ts";
