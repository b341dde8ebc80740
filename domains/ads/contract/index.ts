export * from "./config.ts";
export * from "./config-keys.ts";
export * from "./materials.ts";
