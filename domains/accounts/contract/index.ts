export * from "./levels.ts";
export * from "./menu.ts";
export * from "./menu-tree.ts";
export * from "./security.ts";
export * from "./self.ts";
export * from "./sign-in.ts";
export * from "./users.ts";
