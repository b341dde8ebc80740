export * from "./agents/agent.ts";
export * from "./merchants/list.ts";
export * from "./merchants/merchant.ts";
export * from "./nodes.ts";
