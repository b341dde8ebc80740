import { configRoutes } from "../../../level-config/server/index.ts";
import { AD_KEYS, adConfigCalls } from "../../contract/index.ts";

/** 广告配置: the inherited configuration of ads. */
export const adConfigRoutes = configRoutes({ namespace: "ad", keys: AD_KEYS, calls: adConfigCalls });
