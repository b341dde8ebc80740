import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listSiteHosts } from "../../contract/index.ts";

/** 官网可用域名: of providers in sight, without a site yet. */
export const listSiteHostsRoute = implement(listSiteHosts, async (ctx) => {
  const found = await sql<OutputOf<typeof listSiteHosts>[number]>`
    select h.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName", h.host, p.logo_url as "logoUrl", p.icp_number as "icpNumber"
    from provider_hosts h join service_providers p on p.id = h.service_provider_id
    where ${inScope(ctx.scope, "h")} and not exists (select 1 from official_sites s where s.service_provider_id = h.service_provider_id and s.host = h.host)
    order by p.short_name, h.host limit 500`.execute(ctx.tx);
  return found.rows;
});
