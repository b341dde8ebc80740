import { sql } from "kysely";
import { domain } from "@zhangfang/server/calls/domain.ts";
import { adRoutes } from "./ads/routes.ts";
import { adConfigRoutes } from "./config/ad-config.ts";
import { materialJobs, materialRoutes } from "./materials/routes.ts";
import { keepPlayDays } from "./plays/keep-play-days.ts";
import { playRoutes } from "./plays/read-ad-devices.ts";
import { reportPlaysRoute } from "./plays/report-plays.ts";
import { getOwnAdsRoute } from "./schedule/get-own-ads.ts";
import { adExport } from "./ads/export-ads.ts";
import { materialExport } from "./materials/export-materials.ts";
import { adDeviceExport, adPlaysExport } from "./plays/export-plays.ts";
import { materialTodos } from "./materials/todos.ts";

export { takePlays } from "./plays/report-plays.ts";
export { adsForDevice, REGION_CODES, STORE_DIVISIONS } from "./schedule/ads-for-device.ts";
export { materialLink } from "./materials/file-link.ts";

export const ads = domain({
  routes: [...adConfigRoutes, ...adRoutes, ...materialRoutes, getOwnAdsRoute, reportPlaysRoute, ...playRoutes],
  jobs: [...materialJobs, keepPlayDays],
  exports: [adExport, materialExport, adDeviceExport, adPlaysExport],
  todos: materialTodos,
  keptFiles: sql`select unnest(array[m.file_key, m.thumb_key]), m.service_provider_id from ad_materials m
    union all select 'ad-' || u.id || '-' || n, u.service_provider_id from ad_uploads u, generate_series(0, u.piece_count) n where u.status = 'uploading'`,
});
