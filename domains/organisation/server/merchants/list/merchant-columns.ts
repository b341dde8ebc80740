import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { maskName, maskPhone, maskTail } from "@zhangfang/contract/text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { merchantRow } from "../../../contract/index.ts";

type Row = z.input<typeof merchantRow>;

/** The row of the list from merchants `m`, with `merchantNames` beside it. A salesman stands above no account. */
export const merchantColumns = (scope: Scope) => sql`
  m.id, m.number, m.name, m.short_name as "shortName", m.trade, m.province, m.city, m.service_provider_id as "serviceProviderId",
  p.short_name as "serviceProviderName", a.id as "agentId", a.name as "agentName", t.id as "businessTeamId", t.name as "teamName",
  s.id as "salesmanId", s.name as "salesmanName", m.contact_name as "contactName", m.contact_phone as "contactPhone",
  array(select c.channel from channel_settings c where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active' order by 1) as channels,
  (select count(*)::int from stores x where x.service_provider_id = m.service_provider_id and x.merchant_id = m.id) as "storeCount",
  m.fee_rate as "feeRate", m.state, m.opened_at as "openedAt",
  ${
    scope.level === "SM"
      ? sql`null::uuid`
      : sql`(select u.id from users u where u.service_provider_id = m.service_provider_id and u.merchant_id = m.id and u.level = 'MCH'
          and u.login = u.root_login and u.state = 'active' and m.state = 'active' order by u.created_at, u.id limit 1)`
  } as "loginUserId"`;

/** The names beside a merchant `m`, each for those who see the node itself. */
export function merchantNames(scope: Scope): RawBuilder<unknown> {
  const seenBy = (...levels: Scope["level"][]) => sql.lit(["PLATFORM", "ADMIN", "SP", ...levels].includes(scope.level));
  return sql`join service_providers p on p.id = m.service_provider_id
    left join agents a on a.service_provider_id = m.service_provider_id and a.id = m.agent_id and ${seenBy("AG")}
    left join business_teams t on t.service_provider_id = m.service_provider_id and t.id = m.business_team_id and ${seenBy("GP", "TM")}
    left join salesmen s on s.service_provider_id = m.service_provider_id and s.id = m.salesman_id and ${inScope(scope, "s")}`;
}

/** A phone of any kind: the ends of a mobile number, the last four of everything else. */
export const maskAnyPhone = (phone: string): string => (/^1\d{10}$/.test(phone) ? maskPhone(phone) : maskTail(phone));
const masked = (text: string | null, mask: (text: string) => string) => (text === null ? null : mask(text));
/** Masks what is personal in found rows. */
export const withMasks = <R extends Pick<Row, "contactName" | "contactPhone">>(row: R): R => ({
  ...row,
  contactName: masked(row.contactName, maskName),
  contactPhone: masked(row.contactPhone, maskAnyPhone),
});
