export * from "./agents/agent.ts";
export * from "./merchants/channel-secret.ts";
export * from "./merchants/list.ts";
export * from "./merchants/merchant.ts";
export * from "./merchants/profile.ts";
export * from "./merchants/settings.ts";
export * from "./nodes.ts";
