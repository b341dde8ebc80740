import { sql } from "kysely";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import { dayStart } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { PayWallet } from "../../../channels/contract.ts";
import { partsOfProduct } from "../../../mall/contract/index.ts";
import { refundInput, refundsWhere } from "../../../orders/server/index.ts";
import { explainPayStatistics } from "../../contract/index.ts";
import { channelShares, walletShares } from "../shares.ts";
import type { Sums } from "../takings/figures.ts";
import { drillsOf, questionOf, words } from "./ask.ts";
import { groupsOf, type Question, totalOfGroups } from "./groups.ts";

/** 支付统计明细: one figure taken apart, with the way to the rows of each part. */
export const explainPayStatisticsRoute = implement(explainPayStatistics, async (ctx, asked) => {
  const question = questionOf(ctx.scope, asked);
  const { rows } = await groupsOf({ ...question, by: ["channel", "tool"] }).execute(ctx.tx);
  const shares = rows.map((row): Sums & { channel: number; wallet: PayWallet } => ({
    ...row,
    channel: Number(row.key),
    wallet: row.split_key as PayWallet,
  }));
  const open = (own: Readonly<Record<string, string>>) => drillsOf({ ...words(question.filter), ...own }).pay;
  return {
    span: question.span,
    ...(await totalOfGroups(ctx.tx, question, rows)),
    beforeSpan: question.before?.span ?? null,
    drill: drillsOf(words(question.filter)),
    wallets: walletShares(shares, open),
    channels: channelShares(shares, open),
    late: await lateRefunds(ctx, question),
  };
});

interface LateRefund {
  readonly id: string;
  readonly refundNo: string;
  readonly orderId: string;
  readonly orderNo: string;
  readonly storeName: string;
  readonly paidAt: Instant;
  readonly paidCents: Cents;
  readonly finishedAt: Instant;
  readonly refundCents: Cents;
  readonly count: number;
  readonly all_cents: number;
}
const SHOWN = 10;
/** Those of an earlier day's order, as their index says it. */
const LATE = sql`r.status = 2 and (r.order_paid_at at time zone 'Asia/Shanghai')::date < (r.finished_at at time zone 'Asia/Shanghai')::date`;

/**
 * Refunds that arrived in the span for orders of days before it: they count on their own day, and stand here beside what they undo.
 * One that gives several goods back counts with the part that is of the goods asked for, as it entered the book.
 */
async function lateRefunds(ctx: Ctx, { filter, span }: Question) {
  const { product, ...others } = filter;
  const where = refundsWhere(ctx.scope, refundInput.parse({ ...others, dateOf: "finished" }));
  const amount = sql.ref(product === undefined ? "r.amount_cents" : "g.refund_cents");
  const { rows } = await sql<LateRefund>`
    select r.id, r.refund_no as "refundNo", o.id as "orderId", o.order_no as "orderNo", app.past_name('store', r.service_provider_id, r.store_id) as "storeName",
      o.paid_at as "paidAt", o.paid_cents as "paidCents", r.finished_at as "finishedAt", ${amount} as "refundCents",
      count(*) over () as count, sum(${amount}) over ()::bigint as all_cents
    from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id ${product === undefined ? sql`` : partOf(product)}
    where ${where} and r.order_paid_at < ${dayStart(span.from)}::timestamptz and ${LATE}
    order by ${amount} desc, r.id limit ${sql.lit(SHOWN)}`.execute(ctx.tx);
  return {
    count: rows[0]?.count ?? 0,
    refundCents: (rows[0]?.all_cents ?? 0) as Cents,
    rows: rows.map(({ count: _count, all_cents: _all, ...row }) => row),
  };
}
/** What of a refund `r` is of some goods. */
function partOf(product: string) {
  const { merchantId, goodsNo } = partsOfProduct(product);
  return sql`join ledger_entries e on e.service_provider_id = r.service_provider_id and e.refund_id = r.id and e.cause = 'refund'
      join takings_goods g on g.service_provider_id = e.service_provider_id and g.entry_id = e.id and g.merchant_id = ${merchantId} and g.goods_no = ${goodsNo}`;
}
