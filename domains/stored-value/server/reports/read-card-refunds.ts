import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { memberSought, nameBefore, withMembers } from "../../../members/server/index.ts";
import { getCardRefund, listCardRefunds, summariseCardRefunds } from "../../contract/index.ts";
import { isOwn } from "../recharge/offline-recharge.ts";

export type CardRefundLine = RowOf<typeof listCardRefunds>;
type Filter = ParsedOf<typeof summariseCardRefunds>;

const FROM = sql`card_refunds c join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
  join members m on m.service_provider_id = c.service_provider_id and m.id = c.member_id
  left join pay_orders o on o.service_provider_id = c.service_provider_id and o.id = c.order_id`;
const COLUMNS = sql`c.id, s.short_name as "storeName", c.member_id as "memberId", m.no as "memberNo", c.reason, c.status, c.way, o.order_no as "orderNo", c.principal_cents as "principalCents",
  c.gift_cents as "giftCents", c.used_cents as "usedCents", c.pays_cents as "paysCents", c.held_principal_cents - c.pays_cents as "forfeitedCents",
  c.due_on as "dueOn", c.note, c.asked_by_name as "askedBy", c.created_at as "createdAt", c.finished_at as "finishedAt"`;
function refundsWhere(services: Services | undefined, scope: Scope, filter: Filter): RawBuilder<boolean> {
  const { keyword, status, reason } = filter;
  return all([
    inScope(scope, "c", "store"),
    narrowed({ serviceProviderId: filter.serviceProviderId, merchantId: filter.merchantId, storeId: filter.storeId }, "c"),
    during(filter, "c.created_at"),
    keyword && sql`${memberSought(services, scope, keyword)} or o.order_no = ${keyword}`,
    is("c.status", status),
    is("c.reason", reason),
  ]);
}
/** The list of card refunds, for screen and file. */
export const cardRefundsListed = (scope: Scope, filter: Filter, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: refundsWhere(services, scope, filter),
  order: "c.created_at",
});
/** 退卡记录. */
export const listCardRefundsRoute = implement(listCardRefunds, async (ctx, input) => {
  const page = await listPage<CardRefundLine>(ctx.tx, input, cardRefundsListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});
/** Sums of a filter; by status without its own. */
export const summariseCardRefundsRoute = implement(summariseCardRefunds, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; pays: number; forfeited: number }>`select c.status, count(*)::int as count,
      sum(c.pays_cents)::bigint as pays, sum(c.held_principal_cents - c.pays_cents)::bigint as forfeited
    from ${FROM} where ${refundsWhere(ctx.services, ctx.scope, rest)} group by c.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  return {
    count: shown.reduce((sum, row) => sum + row.count, 0),
    paysCents: shown.reduce((sum, row) => sum + row.pays, 0) as never,
    forfeitedCents: shown.reduce((sum, row) => sum + row.forfeited, 0) as never,
    byStatus: Object.fromEntries(rows.map((row) => [String(row.status), row.count])),
  };
});

interface Detail extends CardRefundLine {
  readonly rechargeId: string | null;
  readonly heldPrincipalCents: never;
  readonly heldGiftCents: never;
  readonly points: number;
  readonly refundNo: string | null;
  readonly failure: string | null;
  readonly evidence: string | null;
  readonly provedBy: string | null;
  readonly decidedBy: string | null;
  readonly asked_by: string;
  readonly proved_by: string | null;
}
/** 退卡详情. */
export const getCardRefundRoute = implement(getCardRefund, async (ctx, { id }) => {
  const { rows } =
    await sql<Detail>`select ${COLUMNS}, g.id as "rechargeId", c.held_principal_cents as "heldPrincipalCents", c.held_gift_cents as "heldGiftCents",
      c.points, f.refund_no as "refundNo", c.failure, c.evidence, c.proved_by_name as "provedBy", c.decided_by_name as "decidedBy", c.asked_by, c.proved_by
    from ${FROM} left join recharges g on g.service_provider_id = c.service_provider_id and g.lot_id = c.lot_id
    left join refunds f on f.service_provider_id = c.service_provider_id and f.id = c.refund_id
    where c.id = ${id} and ${inScope(ctx.scope, "c", "store")}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("退卡");
  const { asked_by, proved_by, ...rest } = row;
  const [shown] = await withMembers(ctx, [rest]);
  return {
    ...shown!,
    nameBefore: row.memberId === null ? null : await nameBefore(ctx, row.memberId),
    mayDecide: row.status === 0 && !isOwn(ctx, asked_by),
    mayWithdraw: row.status === 0 && isOwn(ctx, asked_by),
    mayConfirm: row.status === 1 && row.evidence !== null && !isOwn(ctx, proved_by),
  };
});
