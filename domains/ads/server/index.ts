import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { adConfigRoutes } from "./config/ad-config.ts";
import { getMaterialFileRoute } from "./materials/file-link.ts";
import { keepPlayDays } from "./plays/keep-play-days.ts";
import { reportPlaysRoute } from "./plays/report-plays.ts";
import { getOwnAdsRoute } from "./schedule/get-own-ads.ts";

export const routes: Route[] = [...adConfigRoutes, getMaterialFileRoute, getOwnAdsRoute, reportPlaysRoute];
export const jobs: Job[] = [keepPlayDays];

export { materialLink } from "./materials/file-link.ts";
