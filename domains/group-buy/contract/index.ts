export * from "./codes.ts";
export * from "./figures.ts";
