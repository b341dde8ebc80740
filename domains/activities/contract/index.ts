export * from "./activities.ts";
export * from "./codes.ts";
export * from "./grants.ts";
export * from "./terms.ts";
export * from "./words.ts";
