import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { getConfig } from "../../contract/self.ts";

const WARN_DAYS = 30;
/** The provider's brand, what it calls its levels, when its contract ends, and the name of the node that the account belongs to. */
export const getConfigRoute = implement(getConfig, async (ctx) => {
  const today = shanghaiDay(ctx.now_ms);
  const found = await sql<OutputOf<typeof getConfig>>`
    select p.brand_title as name, p.little_logo_url as "littleLogoUrl", p.logo_url as "logoUrl", p.feedback_url as "feedbackUrl",
      p.favicon_url as "faviconUrl", p.colour_light as "colourLight", p.colour_dark as "colourDark", p.icp_number as "icpNumber",
      (select percent from demo_world where finished_at is null) as preparing,
      coalesce(p.level_names, '{}') as "levelNames",
      case when u.level = 'SP' and p.contract_until - ${today}::date between 0 and ${WARN_DAYS}::int
        then json_build_object('until', p.contract_until, 'daysLeft', p.contract_until - ${today}::date) end as "contractEnds",
      coalesce(m.short_name, s.name, t.name, g.name, a.name, p.short_name, '平台') as "entityName"
    from users u
    left join service_providers p on p.id = u.service_provider_id
    left join agents a on a.service_provider_id = u.service_provider_id and a.id = u.agent_id
    left join business_groups g on g.service_provider_id = u.service_provider_id and g.id = u.business_group_id
    left join business_teams t on t.service_provider_id = u.service_provider_id and t.id = u.business_team_id
    left join salesmen s on s.service_provider_id = u.service_provider_id and s.id = u.salesman_id
    left join merchants m on m.service_provider_id = u.service_provider_id and m.id = u.merchant_id
    where u.id = ${ctx.principal.id}`.execute(ctx.tx);
  return found.rows[0]!;
});
