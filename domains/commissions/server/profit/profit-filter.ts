import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { all, during, is, narrowed, onDays } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { lineFilter, shareProfitFilter } from "../../contract/index.ts";

export const shareProfitInput = z.object(shareProfitFilter);
export const lineInput = z.object(lineFilter);
type Filter = z.output<typeof shareProfitInput>;
type Shares = Omit<Filter, "keyword">;

const whose = ({ receiverId, receiver, ...levels }: Shares, alias: string): RawBuilder<boolean> =>
  all([narrowed(levels, alias), is(`${alias}.receiver_id`, receiverId), is(`${alias}.receiver`, receiver)]);

/** What a filter means on the daily figures `d` of those in the middle, for the list, its sums and its export alike. */
export const shareProfitWhere = (scope: Scope, filter: Filter): RawBuilder<boolean> =>
  all([
    inScope(scope, "d"),
    sql`d.receiver not in ('cost', 'provider')`,
    whose(filter, "d"),
    onDays(filter, "d.day"),
    filter.keyword && sql`${receiverName("d")} like ${likeText(filter.keyword)}`,
  ]);

/** The same on lines `l` and their orders `o`. A whole order number finds it whatever the dates are. */
export const linesWhere = (scope: Scope, { keyword, merchantId, ...filter }: z.output<typeof lineInput>): RawBuilder<boolean> =>
  all([
    inScope(scope, "l"),
    sql`l.receiver not in ('cost', 'provider')`,
    whose(filter, "l"),
    is("l.order_merchant_id", merchantId),
    is("l.fact", filter.fact),
    keyword
      ? sql`(l.service_provider_id, l.order_id) in (select p.service_provider_id, p.id from pay_orders p where p.order_no = ${keyword})`
      : during(filter, "l.occurred_at"),
  ]);

/** The name of a row's receiver, from the columns of `alias`. */
export const receiverName = (alias: string): RawBuilder<string> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const name = (table: string) =>
    sql`(select n.name from ${sql.table(table)} n where n.service_provider_id = ${column("service_provider_id")} and n.id = ${column("receiver_id")})`;
  return sql<string>`coalesce(case ${column("receiver")} when 'agent' then ${name("agents")} when 'group' then ${name("business_groups")}
    when 'team' then ${name("business_teams")} when 'salesman' then ${name("salesmen")} end, '')`;
};
/** The short name of a row's provider. */
export const providerName = (alias: string): RawBuilder<string> =>
  sql<string>`coalesce((select s.short_name from service_providers s where s.id = ${sql.ref(`${alias}.service_provider_id`)}), '')`;

/** The last day that is posted whole, of the provider that is meant, else of all in sight. */
export const throughOf = (scope: Scope, serviceProviderId?: string): RawBuilder<string | null> =>
  sql<string | null>`app.commissions_through(${scope.provider ?? serviceProviderId ?? null}::uuid)`;
