import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listTeams } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { teamColumns, teamNames, teamsWhere } from "./team-columns.ts";

/** 业务团队: one page, newest first. The page is cut before its figures are added up. */
export const listTeamsRoute = implement(listTeams, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listTeams>>(ctx.tx, input, {
    columns: teamColumns(ctx.scope, ctx.now_ms),
    from: sql`business_teams t`,
    names: teamNames,
    where: teamsWhere(ctx.scope, input),
    order: "t.created_at",
  });
  return { items: items.map(withLeaderMasked), ...rest };
});
