import type { Route } from "@zhangfang/server/calls/call.ts";
import { addSiteRoute, publishSiteRoute, updateSiteRoute } from "./edit-site.ts";
import { getSiteRoute } from "./get-site.ts";
import { listSiteHostsRoute } from "./list-site-hosts.ts";
import { listSitesRoute } from "./list-sites.ts";

/** Every call about official sites. */
export const siteRoutes: Route[] = [listSitesRoute, getSiteRoute, listSiteHostsRoute, addSiteRoute, updateSiteRoute, publishSiteRoute];
