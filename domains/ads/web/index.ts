import { screen } from "@zhangfang/web/screen.ts";

export const screens = {
  "ad-list": screen(() => import("./ads/AdList.tsx"), "AdList"),
  "ad-new": screen(() => import("./ads/AdNew.tsx"), "AdNew"),
  "device-ad-list": screen(() => import("./ads/DeviceAds.tsx"), "DeviceAds"),
  "ad-materials-list": screen(() => import("./materials/MaterialList.tsx"), "MaterialList"),
  "ad-materials-add": screen(() => import("./materials/MaterialAdd.tsx"), "MaterialAdd"),
  "ad-config": screen(() => import("./config/AdConfig.tsx"), "AdConfig"),
  "ad-device-list": screen(() => import("./plays/AdDeviceList.tsx"), "AdDeviceList"),
};
