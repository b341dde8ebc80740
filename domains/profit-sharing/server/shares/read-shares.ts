import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  getShare,
  listShares,
  previewShare,
  type sharingLine,
  sharingStatus,
  type SharingStatus,
  summariseShares,
} from "../../contract/index.ts";
import { recordsOf } from "../records/read-records.ts";
import { shownAccount, walletOf } from "../rows.ts";
import { planByRule } from "./reserve-share.ts";
import {
  missedCents,
  type SharingFound,
  sharesWhere,
  sharingColumns,
  type sharingInput,
  sharingJoins,
  withAbilities,
} from "./share-columns.ts";

/** The list of shares, for screen and file. */
export const sharesListed = (scope: Scope, filter: z.output<typeof sharingInput>): Listed => ({
  columns: sharingColumns,
  from: sql`sharing_orders s ${sharingJoins}`,
  counted: sql`sharing_orders s`,
  where: sharesWhere(scope, filter),
  order: "s.created_at",
});

/** 分账记录: one page, newest first, with what each row allows. */
export const listSharesRoute = implement(listShares, async (ctx, input) => {
  const { items, ...rest } = await listPage<SharingFound>(ctx.tx, input, sharesListed(ctx.scope, input));
  return { items: withAbilities(ctx, items), ...rest };
});

/** 分账合计: over the whole filter. The tabs' counts are of every status, the sums of the one that is chosen. */
export const summariseSharesRoute = implement(summariseShares, async (ctx, filter) => {
  const found = await sql<{ status: SharingStatus; count: number; amount: number; shared: number; back: number; failed: number }>`
    select s.status, count(*)::int as count, sum(s.amount_cents)::bigint as amount, sum(s.shared_cents)::bigint as shared, sum(s.returned_cents)::bigint as back,
      sum(${missedCents})::bigint as failed
    from sharing_orders s where ${sharesWhere(ctx.scope, filter, true)} group by s.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const sum = (pick: (row: (typeof chosen)[number]) => number) => chosen.reduce((all, row) => all + pick(row), 0);
  return {
    count: sum((row) => row.count),
    amountCents: sum((row) => row.amount),
    sharedCents: sum((row) => row.shared),
    failedCents: sum((row) => row.failed),
    returnedCents: sum((row) => row.back),
    perStatus: sharingStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 })),
  };
});

interface Details {
  readonly serviceProviderId: string;
  readonly feeCents: number;
  readonly refundedCents: number;
  readonly unfreeze: boolean;
  readonly unfrozenAt: string | null;
  readonly sentAt: string | null;
  readonly channelNo: string | null;
  readonly channelTry: number;
  readonly againOf: { readonly id: string; readonly shareNo: string } | null;
  readonly again: { readonly id: string; readonly shareNo: string } | null;
}
const named = (where: RawBuilder<unknown>) =>
  sql`(select jsonb_build_object('id', x.id, 'shareNo', x.share_no) from sharing_orders x where x.service_provider_id = s.service_provider_id and ${where})`;
/** 分账详情: each receiver's part, what came back of it, and what the channel was asked. */
export const getShareRoute = implement(getShare, async (ctx, { id }) => {
  const found = await sql<SharingFound & Details>`
    select ${sharingColumns}, s.service_provider_id as "serviceProviderId", o.fee_cents as "feeCents", o.refunded_cents as "refundedCents", s.unfreeze,
      o.unfrozen_at as "unfrozenAt", s.sent_at as "sentAt", s.channel_no as "channelNo", s.channel_try as "channelTry",
      ${named(sql`x.id = s.again_of`)} as "againOf", ${named(sql`x.again_of = s.id`)} as again
    from sharing_orders s ${sharingJoins} where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  const [row] = found.rows;
  const [share] = withAbilities(ctx, found.rows);
  if (!row || !share) throw notFound("分账");
  const { serviceProviderId, feeCents, refundedCents, unfreeze, unfrozenAt, sentAt, channelNo, againOf, again } = row;
  const mine = sql`service_provider_id = ${serviceProviderId} and sharing_id = ${id}`;
  const lines = await sql<z.input<typeof sharingLine>>`
    select id, alias, type, ${shownAccount("sharing_lines")} as account, name_masked as name, relation,
      custom_relation as "customRelation", ratio, amount_cents as "amountCents", result, fail_reason as "failReason", detail_no as "detailNo",
      finished_at as "finishedAt", returning_cents as "returningCents", returned_cents as "returnedCents"
    from sharing_lines where ${mine} and try = ${row.channelTry} order by position`.execute(ctx.tx);
  const calls = await sql<z.input<(typeof getShare)["output"]>["calls"][number]>`
    select id, operation, outcome, message, started_at as "startedAt" from sharing_calls where ${mine} order by started_at, id`.execute(
    ctx.tx,
  );
  const returns = await sql<z.input<(typeof getShare)["output"]>["returns"][number]>`
    select r.id, r.return_no as "returnNo", l.alias, r.amount_cents as "amountCents", r.status, r.created_at as "createdAt"
    from sharing_returns r join sharing_lines l on l.service_provider_id = r.service_provider_id and l.id = r.line_id
    where r.service_provider_id = ${serviceProviderId} and r.sharing_id = ${id} order by r.created_at, r.id`.execute(ctx.tx);
  return {
    ...share,
    feeCents: feeCents as never,
    refundedCents: refundedCents as never,
    unfreeze,
    unfrozenAt: unfrozenAt as never,
    sentAt: sentAt as never,
    channelNo,
    againOf,
    again,
    lines: lines.rows,
    calls: calls.rows,
    returns: returns.rows,
    ...(await recordsOf(ctx, "share", {
      service_provider_id: serviceProviderId,
      id,
      status: share.status,
      since: sentAt ?? share.createdAt,
    })),
  };
});

/** 分账试算: the same rules that reserve, without reserving. */
export const previewShareRoute = implement(previewShare, async (ctx, { id }) => {
  const share = await ctx.tx
    .selectFrom("sharing_orders as s")
    .selectAll("s")
    .where("s.id", "=", id)
    .where(inScope(ctx.scope, "s"))
    .executeTakeFirst();
  const order =
    share &&
    (await ctx.tx
      .selectFrom("pay_orders")
      .selectAll()
      .where("service_provider_id", "=", share.service_provider_id)
      .where("id", "=", share.order_id)
      .executeTakeFirst());
  if (!share || !order) throw notFound("分账");
  const plan = await planByRule(ctx.tx, order, share, ctx.now_ms);
  const store = await ctx.tx
    .selectFrom("stores")
    .select("short_name")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.store_id)
    .executeTakeFirst();
  return {
    orderNo: order.order_no,
    storeName: store?.short_name ?? "",
    wallet: walletOf(order),
    paidCents: order.paid_cents as never,
    feeCents: order.fee_cents as never,
    refundedCents: plan.refunded_cents as never,
    baseCents: plan.base_cents as never,
    totalCents: plan.total_cents as never,
    restCents: (plan.base_cents - plan.total_cents) as never,
    cappedCents: plan.capped_cents as never,
    unfreeze: plan.unfreeze,
    lines: plan.receivers.map(({ receiver, ratio }, at) => ({
      receiverId: receiver.id,
      alias: receiver.alias,
      relation: receiver.relation as never,
      ratio,
      partCents: (plan.parts[at] ?? 0) as never,
    })),
    refusal: (share.status === 0 || share.status === 3 ? plan.refusal : "这笔分账已提交") ?? null,
  };
});
