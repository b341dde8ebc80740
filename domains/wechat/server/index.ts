import { domain } from "@zhangfang/server/calls/domain.ts";
import { addWxAppRoute, getWxAppKeysRoute, listWxAppsRoute, renewWxAppKeysRoute, updateWxAppRoute } from "./apps/wx-apps.ts";
import { checkWechatAddressRoute, hearWechatRoute } from "./callback/hear-wechat.ts";

export { openFan } from "./fans/open-fan.ts";
export type { FanFacts } from "./fans/fan-facts.ts";

export const wechat = domain({
  routes: [
    listWxAppsRoute,
    getWxAppKeysRoute,
    addWxAppRoute,
    updateWxAppRoute,
    renewWxAppKeysRoute,
    checkWechatAddressRoute,
    hearWechatRoute,
  ],
});
