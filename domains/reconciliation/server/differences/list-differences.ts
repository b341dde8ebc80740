import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  type DifferenceClass,
  differenceClass,
  differenceStatus,
  type DifferenceStatus,
  getDifference,
  isPlatform,
  listDifferences,
  summariseDifferences,
} from "../../contract/index.ts";
import { differenceColumns, type DifferenceFound, differenceNames, gap, mustSeeWhole } from "../rows.ts";
import { differencesWhere } from "./difference-where.ts";

/** The real person, also behind a session that acts for another. */
export const personOf = (ctx: Pick<Ctx, "principal">): string => ctx.principal.actorId ?? ctx.principal.id;
/** How many others an unknown row may be linked to are shown. */
const CANDIDATES = 20;

/** The list of differences, for screen and file. @param person whose own proposals are told apart */
export function differencesListed(scope: Scope, filter: Parameters<typeof differencesWhere>[1], person: string): Listed {
  mustSeeWhole(scope);
  return {
    columns: differenceColumns(person),
    from: sql`recon_differences d ${differenceNames}`,
    counted: sql`recon_differences d`,
    where: differencesWhere(scope, filter),
    order: "d.day",
    type: "date",
  };
}
export const listDifferencesRoute = implement(listDifferences, async (ctx, input) =>
  listPage<DifferenceFound>(ctx.tx, input, differencesListed(ctx.scope, input, personOf(ctx))),
);

/** Counts of the tabs: by class without the class that is chosen, by status without the status. */
export const summariseDifferencesRoute = implement(summariseDifferences, async (ctx, filter) => {
  mustSeeWhole(ctx.scope);
  const { class: _class, ...byClass } = filter;
  const { status: _status, ...byStatus } = filter;
  const classes = await sql<{ class: DifferenceClass; count: number; gapCents: never }>`
    select d.class, count(*)::int as count, coalesce(sum(${gap}), 0)::bigint as "gapCents" from recon_differences d
    where ${differencesWhere(ctx.scope, byClass)} group by 1`.execute(ctx.tx);
  const states = await sql<{ status: DifferenceStatus; count: number }>`
    select d.status, count(*)::int as count from recon_differences d where ${differencesWhere(ctx.scope, byStatus)} group by 1`.execute(
    ctx.tx,
  );
  return {
    perClass: differenceClass.values.map(
      (one) => classes.rows.find((row) => row.class === one) ?? { class: one, count: 0, gapCents: 0 as never },
    ),
    perStatus: differenceStatus.values.map((one) => states.rows.find((row) => row.status === one) ?? { status: one, count: 0 }),
  };
});

export const getDifferenceRoute = implement(getDifference, async (ctx, { id }) => {
  mustSeeWhole(ctx.scope);
  const columns = differenceColumns(personOf(ctx));
  const found = await sql<DifferenceFound & { dayOpen: boolean; ours_cents: number; bill_cents: number }>`
    select ${columns}, d.ours_cents, d.bill_cents, y.status = 'open' as "dayOpen" from recon_differences d ${differenceNames}
      join recon_days y on y.service_provider_id = d.service_provider_id and y.id = d.day_id
    where d.id = ${id} and ${inScope(ctx.scope, "d", "merchant")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("对账差异");
  const { dayOpen, ours_cents, bill_cents, ...difference } = row;
  const about = isPlatform(row.source) ? await aboutOf(ctx, id) : null;
  const other = row.class === "channel-only" ? "ours-only" : row.class === "ours-only" ? "channel-only" : undefined;
  if (other === undefined || row.status === "resolved") return { difference, dayOpen, about, candidates: [] };
  const cents = row.class === "channel-only" ? bill_cents : ours_cents;
  const theirs = sql.ref(other === "ours-only" ? "d.ours_cents" : "d.bill_cents");
  const candidates = await sql<DifferenceFound>`select ${columns} from recon_differences d ${differenceNames}
    where d.status <> 'resolved' and d.class = ${other} and d.kind = ${row.kind} and d.source = ${row.source} and ${theirs} = ${cents}
      and (d.service_provider_id, d.merchant_id) = (select x.service_provider_id, x.merchant_id from recon_differences x where x.id = ${id})
      and d.day between ${row.day}::date - 31 and ${row.day}::date + 31 and ${inScope(ctx.scope, "d", "merchant")}
    order by abs(d.day - ${row.day}::date), d.id limit ${sql.lit(CANDIDATES)}`.execute(ctx.tx);
  return { difference, dayOpen, about, candidates: candidates.rows };
});

/** What a platform's fact says of a difference, and where it stands here. */
async function aboutOf(ctx: Ctx, id: string) {
  const { rows } = await sql<NonNullable<OutputOf<typeof getDifference>["about"]>>`
    select coalesce(e.title, '') as title, coalesce(e.by_name, '') as "byName", coalesce(nullif(p.name, ''), e.platform_store_id, w.platform_store_name, '') as "storeThere",
      v.voucher_id as "voucherId", w.id as "takeawayId"
    from recon_differences d
      left join lateral (select x.* from platform_entries x where d.kind between 3 and 5 and x.service_provider_id = d.service_provider_id and x.merchant_id = d.merchant_id
          and x.platform = d.source and x.certificate_id = d.channel_no and (x.certificate_id || ':' || x.verify_id = d.number or x.certificate_id = d.number)
        order by x.kind = 'ledger', x.kind = 'reverse', x.id limit 1) e on true
      left join voucher_verifications v on v.service_provider_id = e.service_provider_id and v.id = e.attempt_id
      left join other_stores p on p.service_provider_id = e.service_provider_id and p.merchant_id = e.merchant_id and p.platform = e.platform and p.platform_store_id = e.platform_store_id
      left join takeaway_orders w on d.kind = 6 and w.service_provider_id = d.service_provider_id and w.merchant_id = d.merchant_id and w.platform = d.source
        and w.platform_order_id = d.number
    where d.id = ${id} and ${inScope(ctx.scope, "d", "merchant")}`.execute(ctx.tx);
  return rows[0] ?? null;
}
