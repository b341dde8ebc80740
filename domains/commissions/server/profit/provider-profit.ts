import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is, onDays } from "@zhangfang/server/lists/conditions.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { exportColumn, exportRows, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { after, countAll, countRows, page } from "@zhangfang/server/lists/keyset.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listProviderProfit, providerProfitFilter, summariseProviderProfit } from "../../contract/index.ts";
import { providerName, throughOf } from "./profit-filter.ts";

type Row = RowOf<typeof listProviderProfit>;
const input = z.object(providerProfitFilter);
type Filter = z.output<typeof input>;

const where = (scope: Scope, filter: Filter, alias: string): RawBuilder<boolean> =>
  all([
    inScope(scope, alias),
    is(`${alias}.service_provider_id`, filter.serviceProviderId),
    onDays(filter, `${alias}.day`),
    filter.keyword && sql`${providerName(alias)} like ${likeText(filter.keyword)}`,
  ]);
// What was paid and went back is what the statistics say of the days that are posted, also where it brought no fee; what became of
// the fees stands in the parts of them.
const daysOf = (scope: Scope, filter: Filter): RawBuilder<unknown> => sql`(
  select d.day, d.service_provider_id, 0 as pay_count, 0::bigint as paid_cents, 0::bigint as refund_cents, d.receiver, d.net_cents
    from commission_daily d where ${where(scope, filter, "d")}
  union all
  select t.day, t.service_provider_id, t.pay_count, t.paid_cents, t.refund_cents, null, 0 from takings_days t
    join (select p.id, app.commissions_through(p.id) as through from service_providers p) p on p.id = t.service_provider_id and t.day <= p.through
    where t.owner_kind = 'provider' and ${where(scope, filter, "t")}) d`;
const figures = sql`coalesce(sum(d.pay_count), 0)::int as "payCount",
  coalesce(sum(d.paid_cents), 0)::bigint as "paidCents", coalesce(sum(d.refund_cents), 0)::bigint as "refundCents",
  coalesce(sum(d.net_cents), 0)::bigint as "feeCents", coalesce(sum(d.net_cents) filter (where d.receiver = 'cost'), 0)::bigint as "costCents",
  coalesce(sum(d.net_cents) filter (where d.receiver not in ('cost', 'provider')), 0)::bigint as "sharedCents",
  coalesce(sum(d.net_cents) filter (where d.receiver = 'provider'), 0)::bigint as "netCents"`;
/** A row for each provider and each day or month. */
const spans = (scope: Scope, filter: Filter): RawBuilder<unknown> => {
  const start = filter.by === "month" ? sql`date_trunc('month', d.day)::date` : sql`d.day`;
  return sql`(select ${start} as "from", d.service_provider_id, ${figures} from ${daysOf(scope, filter)} group by 1, 2) x`;
};
/** A month is cut by the span that is asked for, so that what its row leads to is what it says. */
const columns = ({
  by,
  from,
  to,
}: Filter) => sql`x.service_provider_id || ':' || x."from" as id, ${by === "month" ? sql`to_char(x."from", 'YYYY-MM')` : sql`to_char(x."from", 'YYYY-MM-DD')`} as span,
  greatest(x."from", ${from ?? null}::date) as "from",
  least(${by === "month" ? sql`(x."from" + interval '1 month - 1 day')::date` : sql`x."from"`}, ${to ?? null}::date) as "to", x.service_provider_id as "serviceProviderId",
  coalesce((select s.short_name from service_providers s where s.id = x.service_provider_id), '') as "serviceProviderName",
  x."payCount", x."paidCents", x."refundCents", x."feeCents", x."costCents", x."sharedCents", x."netCents"`;

/** 服务商收益: what came in as fees, what it cost, what was shared, what stayed. */
export const listProviderProfitRoute = implement(listProviderProfit, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-day";
  const direction = sql.raw(descending ? "desc" : "asc");
  const { rows } = await sql<Row & { start: string }>`select ${columns(filter)}, x."from" as start from ${spans(ctx.scope, filter)}
    where ${after(cursor, "x.from", "x.service_provider_id", "date", descending)}
    order by x."from" ${direction}, x.service_provider_id ${direction} limit ${pageSize + 1}`.execute(ctx.tx);
  return {
    ...page(rows, pageSize, (row) => ({ value: row.start, id: row.serviceProviderId })),
    ...(withTotal && { total: await countRows(ctx.tx, spans(ctx.scope, filter)) }),
  };
});

export const summariseProviderProfitRoute = implement(summariseProviderProfit, async (ctx, filter) => {
  const { rows } = await sql<
    OutputOf<typeof summariseProviderProfit>
  >`select ${figures}, ${throughOf(ctx.scope, filter.serviceProviderId)} as through
    from ${daysOf(ctx.scope, filter)}`.execute(ctx.tx);
  return rows[0]!;
});

export const providerProfitExport: ExportSource<typeof input> = {
  name: "provider-profit",
  title: "服务商收益",
  access: "/dataCentre/spProfit/export",
  input,
  columns: [
    exportColumn("span", "日期", 12),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("payCount", "支付笔数", 10, "count"),
    exportColumn("paidCents", "实收", 14, "money"),
    exportColumn("refundCents", "退款", 14, "money"),
    exportColumn("feeCents", "手续费收入", 14, "money"),
    exportColumn("costCents", "通道成本", 12, "money"),
    exportColumn("sharedCents", "分给代理和团队", 14, "money"),
    exportColumn("netCents", "净收益", 12, "money"),
  ],
  count: (tx, scope, filter) => countAll(tx, spans(scope, filter)),
  rows: (tx, scope, filter) =>
    exportRows(
      tx,
      sql<Row>`select ${columns(filter)} from ${spans(scope, filter)} order by x."from" desc, x.service_provider_id desc`,
      (row) => row as unknown as ExportRow,
    ),
};
