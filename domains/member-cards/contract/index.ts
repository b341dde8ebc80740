export * from "./activities.ts";
export * from "./cards.ts";
export * from "./codes.ts";
export * from "./places.ts";
export * from "./words.ts";
export * from "./wx.ts";
