export * from "./nodes.ts";
