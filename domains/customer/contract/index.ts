export * from "./activities.ts";
export * from "./address.ts";
export * from "./coupons.ts";
export * from "./packages.ts";
export * from "./pay.ts";
export * from "./self.ts";
export * from "./session.ts";
export * from "./value.ts";
