import type { Route } from "@zhangfang/server/calls/call.ts";
import { previewAdRoute } from "../preview/preview-ad.ts";
import { getDeviceAdsRoute } from "../schedule/get-device-ads.ts";
import { getAdByIdRoute, getAdsRoute, summariseAdsRoute } from "./read-ads.ts";
import { createAdRoute, removeAdRoute, updateAdInfoRoute, updateAdPlayStatusRoute } from "./write-ads.ts";

export const adRoutes: Route[] = [
  getAdsRoute,
  summariseAdsRoute,
  getAdByIdRoute,
  createAdRoute,
  updateAdInfoRoute,
  updateAdPlayStatusRoute,
  removeAdRoute,
  previewAdRoute,
  getDeviceAdsRoute,
];
