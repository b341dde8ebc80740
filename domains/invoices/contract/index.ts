export * from "./applications.ts";
export * from "./codes.ts";
export * from "./page.ts";
export * from "./settings.ts";
export * from "./subjects.ts";
export * from "./words.ts";
