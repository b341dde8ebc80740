import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getSite } from "../../contract/index.ts";
import { siteColumns } from "./site-columns.ts";

/** 官网详情: the draft with its state. */
export const getSiteRoute = implement(getSite, async (ctx, { id }) => {
  const found = await sql<OutputOf<typeof getSite>>`
    select ${siteColumns}, s.version, p.logo_url as "logoUrl", s.draft as content
    from official_sites s join service_providers p on p.id = s.service_provider_id where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(
    ctx.tx,
  );
  const site = found.rows[0];
  if (!site) throw notFound("官网");
  return site;
});
