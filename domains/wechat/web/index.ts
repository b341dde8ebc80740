import { screen } from "@zhangfang/web/screen.ts";

/** A merchant's official accounts. */
export const screens = {
  "wei-xin-app": screen(() => import("./WxApps.tsx"), "WxApps"),
};
