export * from "./guides.ts";
export * from "./lookups.ts";
export * from "./opening.ts";
export * from "./other-stores.ts";
export * from "./store-sets.ts";
export * from "./stores.ts";
export * from "./store-list.ts";
export * from "./wx-stores.ts";
