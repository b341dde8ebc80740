export * from "./calls.ts";
export * from "./keys.ts";
export * from "./resolve.ts";
