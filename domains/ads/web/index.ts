import { screen } from "@zhangfang/web/screen.ts";

export const screens = {
  "ad-config": screen(() => import("./config/AdConfig.tsx"), "AdConfig"),
};
