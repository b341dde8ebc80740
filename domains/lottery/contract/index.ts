export * from "./codes.ts";
export * from "./draws.ts";
export * from "./lotteries.ts";
export * from "./terms.ts";
export * from "./words.ts";
