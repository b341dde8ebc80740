export * from "./codes.ts";
export * from "./rules.ts";
export * from "./settings.ts";
export * from "./uses.ts";
export * from "./words.ts";
