import type { Route } from "@zhangfang/server/calls/call.ts";
import { addSiteRoute, publishSiteRoute, updateSiteRoute } from "./edit-site.ts";
import { getSite } from "./get-site.ts";
import { listSiteHosts } from "./list-site-hosts.ts";
import { listSites } from "./list-sites.ts";

/** Every call about official sites. */
export const siteRoutes: Route[] = [listSites, getSite, listSiteHosts, addSiteRoute, updateSiteRoute, publishSiteRoute];
