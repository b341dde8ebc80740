export * from "./commands.ts";
export * from "./config.ts";
export * from "./config-keys.ts";
export * from "./devices.ts";
export * from "./device-side.ts";
export * from "./equipment.ts";
