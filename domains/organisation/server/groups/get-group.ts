import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getGroup } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { groupColumns } from "./group-columns.ts";

/** 业务集团详情: the row with its teams, and how many people a closing would put out. */
export const getGroupRoute = implement(getGroup, async (ctx, { id }) => {
  const below = sql`u.service_provider_id = g.service_provider_id and u.state = 'active' and (u.business_group_id = g.id
    or u.business_team_id in (select t.id from business_teams t where t.service_provider_id = g.service_provider_id and t.business_group_id = g.id)
    or u.salesman_id in (select s.id from salesmen s where s.service_provider_id = g.service_provider_id and s.business_group_id = g.id))`;
  const found = await sql<OutputOf<typeof getGroup>>`
    select ${groupColumns(ctx.scope, ctx.now_ms)}, g.version,
      (select count(*)::int from salesmen s where s.service_provider_id = g.service_provider_id and s.business_group_id = g.id) as "salesmanCount",
      (select count(*)::int from users u where ${below}) as "accountCount",
      (select count(*)::int from sessions e join users u on u.id = e.user_id where ${below} and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount",
      (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'state', t.state, 'merchantCount',
          (select count(*) from merchants m where m.service_provider_id = t.service_provider_id and m.business_team_id = t.id)) order by t.name, t.id), '[]')
        from business_teams t where t.service_provider_id = g.service_provider_id and t.business_group_id = g.id) as teams
    from business_groups g join service_providers p on p.id = g.service_provider_id where g.id = ${id} and ${inScope(ctx.scope, "g")}`.execute(
    ctx.tx,
  );
  const row = found.rows[0];
  if (!row) throw notFound("业务集团");
  return withLeaderMasked(row);
});
