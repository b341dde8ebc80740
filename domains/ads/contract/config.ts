import { configCalls } from "../../level-config/contract/index.ts";

/** The four calls of spec.md section 7 for the configuration of ads, and what they don't cover. */
export const adConfigCalls = configCalls({
  legacy: "/ad/api/Ad",
  thing: "ad",
  path: "/api/ad-config",
  title: "广告配置",
  access: "/ad/config",
  // An ad's targets are chosen in the same tree.
  alsoTree: ["/ad/list"],
});
export const updateAdConfig = adConfigCalls.update;
