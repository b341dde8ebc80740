import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { foldTakings } from "./takings/fold-takings.ts";
import { getDashboard } from "./get-dashboard.ts";
import { getOverview } from "./get-overview.ts";
import { getToday } from "./get-today.ts";

export const routes: Route[] = [getToday, getOverview, getDashboard];
export const jobs: Job[] = [foldTakings];
