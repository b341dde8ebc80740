import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { adRoutes } from "./ads/routes.ts";
import { adConfigRoutes } from "./config/ad-config.ts";
import { materialJobs, materialRoutes } from "./materials/routes.ts";
import { keepPlayDays } from "./plays/keep-play-days.ts";
import { playRoutes } from "./plays/read-ad-devices.ts";
import { reportPlaysRoute } from "./plays/report-plays.ts";
import { getOwnAdsRoute } from "./schedule/get-own-ads.ts";

export const routes: Route[] = [...adConfigRoutes, ...adRoutes, ...materialRoutes, getOwnAdsRoute, reportPlaysRoute, ...playRoutes];
export const jobs: Job[] = [...materialJobs, keepPlayDays];

export { adDeviceExport, adPlaysExport } from "./plays/export-plays.ts";
export { takePlays } from "./plays/report-plays.ts";
export { adsForDevice, REGION_CODES, STORE_DIVISIONS } from "./schedule/ads-for-device.ts";
export { adExport } from "./ads/export-ads.ts";
export { materialLink } from "./materials/file-link.ts";
export { materialExport } from "./materials/export-materials.ts";
