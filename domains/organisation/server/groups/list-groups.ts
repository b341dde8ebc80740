import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listGroups } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { groupColumns, groupsWhere } from "./group-columns.ts";

/** 业务集团: one page, newest first. The page is cut before its figures are added up. */
export const listGroupsRoute = implement(listGroups, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listGroups>>(ctx.tx, input, {
    columns: groupColumns(ctx.scope, ctx.now_ms),
    from: sql`business_groups g`,
    names: sql`join service_providers p on p.id = g.service_provider_id`,
    where: groupsWhere(ctx.scope, input),
    order: "g.created_at",
  });
  return { items: items.map(withLeaderMasked), ...rest };
});
