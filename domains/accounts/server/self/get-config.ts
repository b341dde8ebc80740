import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { getConfig as endpoint } from "../../contract/self.ts";

interface Row {
  readonly name: string | null;
  readonly littleLogoUrl: string | null;
  readonly logoUrl: string | null;
  readonly feedbackUrl: string | null;
  readonly entityName: string;
}
/** The provider's brand and the name of the node that the account belongs to. */
export const getConfig = implement(endpoint, async (ctx) => {
  const found = await sql<Row>`
    select p.brand_title as name, p.little_logo_url as "littleLogoUrl", p.logo_url as "logoUrl", p.feedback_url as "feedbackUrl",
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
