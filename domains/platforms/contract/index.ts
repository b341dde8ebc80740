export * from "./accounts.ts";
export * from "./codes.ts";
export * from "./desk.ts";
export * from "./goods.ts";
export * from "./notices.ts";
export * from "./vouchers.ts";
