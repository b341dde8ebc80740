export * from "./ad-words.ts";
export * from "./ads.ts";
export * from "./config.ts";
export * from "./config-keys.ts";
export * from "./device-side.ts";
export * from "./materials.ts";
export * from "./uploads.ts";
