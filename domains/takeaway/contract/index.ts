export * from "./codes.ts";
export * from "./figures.ts";
export * from "./notices.ts";
export * from "./orders.ts";
export * from "./unfetched.ts";
