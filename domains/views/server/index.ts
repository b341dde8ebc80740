import { domain, type Domain } from "@zhangfang/server/calls/domain.ts";
import type { ExportQueue } from "../../exports/server/index.ts";
import { sendViewsJob, subscribeViewRoute } from "./subscriptions.ts";
import { viewRoutes } from "./views.ts";

/** Views of lists; what is subscribed to is written by the queue of exports. */
export const viewsOver = (queue: ExportQueue): Domain =>
  domain({ routes: [...viewRoutes, subscribeViewRoute(queue)], jobs: [sendViewsJob(queue)] });
