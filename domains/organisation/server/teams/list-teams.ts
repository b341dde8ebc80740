import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { listTeams } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { teamColumns, type TeamFilter, teamNames, teamsWhere } from "./team-columns.ts";

/** The list of teams, for screen and file. */
export const teamsListed = (scope: Scope, filter: TeamFilter, now_ms: number): Listed => ({
  columns: teamColumns(scope, now_ms),
  from: sql`business_teams t`,
  names: teamNames,
  where: teamsWhere(scope, filter),
  order: "t.created_at",
});
/** 业务团队: one page, newest first. The page is cut before its figures are added up. */
export const listTeamsRoute = implement(listTeams, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listTeams>>(ctx.tx, input, teamsListed(ctx.scope, input, ctx.now_ms));
  return { items: items.map(withLeaderMasked), ...rest };
});
