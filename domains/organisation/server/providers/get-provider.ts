import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getProvider } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { providerColumns } from "./provider-columns.ts";

/** 服务商详情: the row with its brand, what became of its contract, and how many people a closing would put out. */
export const getProviderRoute = implement(getProvider, async (ctx, { id }) => {
  const found = await sql<OutputOf<typeof getProvider>>`
    select ${providerColumns(ctx.now_ms)}, p.version, p.feedback_url as "feedbackUrl", p.agent_ratio_limit as "agentRatioLimit", p.level_names as "levelNames",
      (select count(*)::int from sessions e join users u on u.id = e.user_id
        where u.service_provider_id = p.id and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount",
      json_build_object('brandTitle', p.brand_title, 'logoUrl', p.logo_url, 'littleLogoUrl', p.little_logo_url, 'faviconUrl', p.favicon_url,
        'loginBackgroundUrl', p.login_background_url, 'colourLight', p.colour_light, 'colourDark', p.colour_dark,
        'icpNumber', p.icp_number, 'hosts', p.hosts) as brand,
      (select coalesce(json_agg(json_build_object('contractState', s.contract_state, 'contractFrom', s.contract_from,
          'contractUntil', s.contract_until, 'note', s.note, 'byName', s.by_name,
          'at', to_char(s.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by s.seq desc), '[]')
        from provider_contract_steps s where s.service_provider_id = p.id) as steps
    from service_providers p where p.id = ${id} and ${inScope(ctx.scope, "p")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("服务商");
  return withMasks(row);
});
