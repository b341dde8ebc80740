export * from "./apps.ts";
export * from "./callback.ts";
export * from "./codes.ts";
