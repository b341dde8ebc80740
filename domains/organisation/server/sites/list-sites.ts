import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listSites } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { siteColumns } from "./site-columns.ts";

/** 官网: one page, newest first. */
export const listSitesRoute = implement(listSites, (ctx, input) => {
  const { serviceProviderId, keyword, state } = input;
  const like = keyword && likeText(keyword);
  return listPage<RowOf<typeof listSites>>(ctx.tx, input, {
    columns: siteColumns,
    from: sql`official_sites s join service_providers p on p.id = s.service_provider_id`,
    counted: sql`official_sites s`,
    where: sql`${inScope(ctx.scope, "s")}
    ${serviceProviderId ? sql`and s.service_provider_id = ${serviceProviderId}` : sql``}
    ${state ? sql`and (s.published is null) = ${state === "draft"}` : sql``}
    ${like ? sql`and (s.host like ${like} or s.draft ->> 'title' like ${like})` : sql``}`,
    order: "s.created_at",
    most: Infinity,
  });
});
