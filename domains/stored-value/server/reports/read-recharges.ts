import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { failedGifts, giftWords } from "../../../coupons/server/index.ts";
import { valueCause, type ValueCause } from "../../../value-book/contract.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import { getRecharge, listRecharges, summariseRecharges } from "../../contract/index.ts";
import { isOwn } from "../recharge/offline-recharge.ts";

export type RechargeLine = RowOf<typeof listRecharges>;
type Filter = ParsedOf<typeof summariseRecharges>;

const FROM = sql`recharges r join stores s on s.service_provider_id = r.service_provider_id and s.id = r.store_id
  join members m on m.service_provider_id = r.service_provider_id and m.id = r.member_id
  left join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
  left join value_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
  left join lateral (select sum(c.pays_cents)::bigint as paid from card_refunds c
    where c.service_provider_id = r.service_provider_id and c.lot_id = r.lot_id and c.status = 2) b on true`;
const COLUMNS = sql`r.id, s.short_name as "storeName", r.member_id as "memberId", m.no as "memberNo", r.way, r.status, o.order_no as "orderNo", o.channel,
  r.principal_cents as "principalCents", r.gift_cents as "giftCents", r.points, r.tier_cents as "tierCents",
  coalesce(l.principal_left_cents, 0) as "principalLeftCents", coalesce(l.gift_left_cents, 0) as "giftLeftCents",
  coalesce(b.paid, 0) as "returnedCents", r.created_at as "createdAt", r.paid_at as "paidAt"`;

function rechargesWhere(services: Services | undefined, scope: Scope, filter: Filter): RawBuilder<boolean> {
  const { keyword, memberId, status, way, channel, tierCents } = filter;
  return all([
    inScope(scope, "r", "store"),
    narrowed({ serviceProviderId: filter.serviceProviderId, merchantId: filter.merchantId, storeId: filter.storeId }, "r"),
    during(filter, "r.created_at"),
    keyword && sql`${memberSought(services, scope, keyword)} or o.order_no = ${keyword}`,
    is("r.member_id", memberId),
    is("r.status", status),
    is("r.way", way),
    is("o.channel", channel),
    tierCents !== undefined && (tierCents === 0 ? sql`r.tier_cents is null` : sql`r.tier_cents = ${tierCents}`),
  ]);
}
/** The list of recharges, for screen and file. */
export const rechargesListed = (scope: Scope, filter: Filter, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: rechargesWhere(services, scope, filter),
  order: "r.created_at",
});
/** 储值充值. */
export const listRechargesRoute = implement(listRecharges, async (ctx, input) => {
  const page = await listPage<RechargeLine>(ctx.tx, input, rechargesListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});

/** What has arrived of a filter, whole and by store, tier and channel; by status without the filter's own. */
export const summariseRechargesRoute = implement(summariseRecharges, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{
    g: number;
    status: number | null;
    id: string | null;
    name: string | null;
    tier_cents: number | null;
    way: number | null;
    channel: number | null;
    count: number;
    principal: number;
    gift: number;
    paid: number;
  }>`
    select grouping(r.status) * 8 + grouping(r.store_id) * 4 + grouping(r.tier_cents) * 2 + grouping(r.way) as g, r.status, r.store_id as id, min(s.short_name) as name,
      r.tier_cents, r.way, o.channel, count(*)::int as count, sum(r.principal_cents)::bigint as principal, sum(r.gift_cents)::bigint as gift,
      coalesce(sum(b.paid), 0)::bigint as paid
    from ${FROM} where ${rechargesWhere(ctx.services, ctx.scope, rest)} group by grouping sets ((r.status), (r.status, r.store_id), (r.status, r.tier_cents), (r.status, r.way, o.channel))`.execute(
    ctx.tx,
  );
  const of = (g: number) => rows.filter((row) => row.g === g);
  const byStatus = of(7);
  const wanted = status ?? 2;
  const sums = (row: (typeof rows)[number] | undefined) => ({
    count: row?.count ?? 0,
    principalCents: (row?.principal ?? 0) as never,
    giftCents: (row?.gift ?? 0) as never,
    returnedCents: (row?.paid ?? 0) as never,
  });
  const shown = (g: number) =>
    of(g)
      .filter((row) => row.status === wanted)
      .toSorted((a, b) => b.principal - a.principal);
  return {
    ...sums(byStatus.find((row) => row.status === wanted)),
    byStatus: Object.fromEntries(byStatus.map((row) => [String(row.status), row.count])),
    byStore: shown(3).map((row) => ({ id: row.id ?? "", name: row.name ?? "", ...sums(row) })),
    byTier: shown(5).map((row) => ({ tierCents: row.tier_cents as never, ...sums(row) })),
    byChannel: shown(6).map((row) => ({ way: row.way as 0, channel: row.channel as 0 | null, ...sums(row) })),
  };
});

interface Detail extends RechargeLine {
  readonly merchantId: string;
  readonly orderId: string | null;
  readonly lotId: string | null;
  readonly mode: "ratio";
  readonly note: string;
  readonly askedBy: string;
  readonly decidedBy: string | null;
  readonly asked_by: string | null;
  readonly provider: string;
}
/** 充值详情, with what happened to its lot. */
export const getRechargeRoute = implement(getRecharge, async (ctx, { id }) => {
  const { rows } =
    await sql<Detail>`select ${COLUMNS}, r.merchant_id as "merchantId", r.order_id as "orderId", r.lot_id as "lotId", r.mode, r.note,
      r.asked_by_name as "askedBy", r.decided_by_name as "decidedBy", r.asked_by, r.service_provider_id as provider from ${FROM}
    where r.id = ${id} and ${inScope(ctx.scope, "r", "store")}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("充值");
  const { asked_by, provider, ...rest } = row;
  const [shown] = await withMembers(ctx, [rest]);
  const moves = await sql<{
    id: string;
    at: never;
    cause: ValueCause;
    storeName: string;
    orderNo: string | null;
    principalCents: never;
    giftCents: never;
  }>`
    select v.id, v.at, v.cause, coalesce(s.short_name, '其他门店') as "storeName", o.order_no as "orderNo", v.principal_cents as "principalCents", v.gift_cents as "giftCents"
    from value_moves v join recharges r on r.service_provider_id = v.service_provider_id and r.lot_id = v.lot_id
    left join stores s on s.service_provider_id = v.service_provider_id and s.id = v.at_store_id and ${inScope(ctx.scope, "s")}
    left join pay_orders o on o.service_provider_id = v.service_provider_id and o.id = v.order_id
    where r.id = ${id} and ${inScope(ctx.scope, "r", "store")} order by v.at desc, v.id desc limit 200`.execute(ctx.tx);
  const refunds = await sql<{ id: string; status: number; reason: number; paysCents: never; createdAt: never }>`
    select c.id, c.status, c.reason, c.pays_cents as "paysCents", c.created_at as "createdAt" from card_refunds c
    join recharges r on r.service_provider_id = c.service_provider_id and r.lot_id = c.lot_id
    where r.id = ${id} and ${inScope(ctx.scope, "r", "store")} order by c.created_at desc limit 50`.execute(ctx.tx);
  return {
    ...shown!,
    coupons: await giftWords(ctx.tx, { service_provider_id: provider, cause: "recharge", cause_id: id }),
    couponsFailed: await failedGifts(ctx.tx, { service_provider_id: provider, cause: "recharge", cause_id: id }),
    mayDecide: row.status === 3 && !isOwn(ctx, asked_by),
    moves: moves.rows.map((move) => ({ ...move, cause: valueCause.label(move.cause) })),
    refunds: refunds.rows,
  };
});
