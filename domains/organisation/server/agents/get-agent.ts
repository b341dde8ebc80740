import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getAgent } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { agentColumns, agentFigures } from "./agent-columns.ts";

/** 代理商详情: the row with the history of its ratio, and how many people a closing would put out. */
export const getAgentRoute = implement(getAgent, async (ctx, { id }) => {
  const below = sql`u.service_provider_id = a.service_provider_id and u.state = 'active' and (u.agent_id = a.id
    or u.salesman_id in (select s.id from salesmen s where s.service_provider_id = a.service_provider_id and s.agent_id = a.id))`;
  const found = await sql<OutputOf<typeof getAgent>>`
    select ${agentColumns}, a.version, a.contract_from as "contractFrom", a.contract_why as "contractWhy", p.agent_ratio_limit as "ratioLimit",
      (select count(*)::int from users u where ${below}) as "accountCount",
      (select count(*)::int from sessions e join users u on u.id = e.user_id where ${below} and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount",
      (select coalesce(json_agg(json_build_object('effectiveFrom', r.effective_from, 'profitRatio', r.profit_ratio, 'setBy', r.set_by,
          'setAt', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by r.seq desc), '[]')
        from agent_ratios r where r.service_provider_id = a.service_provider_id and r.agent_id = a.id) as ratios
    from agents a ${agentFigures(ctx.scope, ctx.now_ms)} where a.id = ${id} and ${inScope(ctx.scope, "a")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("代理商");
  return withMasks(row);
});
