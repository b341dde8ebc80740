export * from "./deliveries.ts";
export * from "./endpoints.ts";
export * from "./words.ts";
export * from "./verify-examples.ts";
