import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";
import { merchantFilter } from "../../contract/index.ts";
import { likeText } from "../lookups/fences.ts";

export const merchantInput = z.object(merchantFilter);
export type MerchantFilter = z.output<typeof merchantInput>;

/**
 * What a filter on merchants `m` means in SQL, for the list, its summary, its export and batch acts alike.
 * @param leaveState without the state, for the counts of the tabs
 */
export function merchantsWhere(scope: Scope, filter: MerchantFilter, leaveState = false): RawBuilder<boolean> {
  const is = (column: string, value: string | undefined) => (value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`);
  const conditions = [
    inScope(scope, "m"),
    is("m.service_provider_id", filter.serviceProviderId),
    is("m.agent_id", filter.agentId),
    is("m.business_team_id", filter.businessTeamId),
    is("m.salesman_id", filter.salesmanId),
    is("m.trade", filter.trade || undefined),
    is("m.province", filter.province || undefined),
    leaveState ? undefined : is("m.state", filter.state),
    filter.keyword ? foundBy(filter.keyword) : undefined,
    filter.from === undefined ? undefined : sql`m.opened_at >= ${dayStart(filter.from)}::timestamptz`,
    filter.to === undefined ? undefined : sql`m.opened_at < ${dayStart(addDays(filter.to, 1))}::timestamptz`,
    filter.channel &&
      sql`${sql.raw(filter.channel === "no" ? "not " : "")}exists (
      select 1 from channel_settings c where c.service_provider_id = m.service_provider_id and c.merchant_id = m.id and c.state = 'active')`,
  ];
  return sql<boolean>`${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )}`;
}

/**
 * A part of a name, initials, a part of the number, or the end of the phone, at least four digits of it. The index on
 * pairs of neighbouring characters finds the few that can match, two characters or more; the rest is looked at.
 */
function foundBy(keyword: string): RawBuilder<boolean> {
  const text = keyword.toLowerCase();
  const characters = [...text];
  const grams = characters.length < 2 ? characters : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  const like = likeText(text);
  const tail = /^\d{4,11}$/.test(text) ? sql`or right(m.contact_phone, ${sql.lit(text.length)}) = ${text}` : sql``;
  return sql`m.search @> ${[...new Set(grams)]}::text[]
    and (lower(m.name) like ${like} or lower(m.short_name) like ${like} or m.pinyin like ${like} or m.number like ${like} ${tail})`;
}
