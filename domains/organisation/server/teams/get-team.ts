import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getTeam } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { teamColumns, teamNames } from "./team-columns.ts";

/** 业务团队详情: the row with its salesmen, and how many people a closing would put out. */
export const getTeamRoute = implement(getTeam, async (ctx, { id }) => {
  const ofTeam = sql`s.service_provider_id = t.service_provider_id and s.business_team_id = t.id`;
  const below = sql`u.service_provider_id = t.service_provider_id and u.state = 'active' and (u.business_team_id = t.id
    or u.salesman_id in (select s.id from salesmen s where ${ofTeam}))`;
  const found = await sql<OutputOf<typeof getTeam>>`
    select ${teamColumns(ctx.scope, ctx.now_ms)}, t.version,
      (select count(*)::int from users u where ${below}) as "accountCount",
      (select count(*)::int from sessions e join users u on u.id = e.user_id where ${below} and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount",
      (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'state', s.state, 'merchantCount',
          (select count(*) from merchants m where m.service_provider_id = s.service_provider_id and m.salesman_id = s.id and ${inScope(ctx.scope, "m")}))
          order by s.name, s.id), '[]')
        from salesmen s where ${ofTeam}) as salesmen
    from business_teams t ${teamNames} where t.id = ${id} and ${inScope(ctx.scope, "t")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("业务团队");
  return withLeaderMasked(row);
});
