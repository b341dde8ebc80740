export * from "./account.ts";
export * from "./banks.ts";
export * from "./applyments.ts";
export * from "./codes.ts";
export * from "./dossiers.ts";
export * from "./links.ts";
export * from "./packages.ts";
