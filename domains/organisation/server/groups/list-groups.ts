import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { listGroups } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { groupColumns, type GroupFilter, groupsWhere } from "./group-columns.ts";

/** The list of groups, for screen and file. */
export const groupsListed = (scope: Scope, filter: GroupFilter, now_ms: number): Listed => ({
  columns: groupColumns(scope, now_ms),
  from: sql`business_groups g`,
  names: sql`join service_providers p on p.id = g.service_provider_id`,
  where: groupsWhere(scope, filter),
  order: "g.created_at",
});
/** 业务集团: one page, newest first. The page is cut before its figures are added up. */
export const listGroupsRoute = implement(listGroups, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listGroups>>(ctx.tx, input, groupsListed(ctx.scope, input, ctx.now_ms));
  return { items: items.map(withLeaderMasked), ...rest };
});
