import { sql } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { ledgerOf } from "../../../money/server/index.ts";
import { partView, readGiven, type ReadParts, readParts, tendersOf, whyPrice } from "../../../pricing/server/index.ts";
import { invoiceUrlFor } from "../invoice-link.ts";
import type { OrderRow } from "../rows.ts";
import { getPayOrder, type channelCall, type orderEvent } from "../../contract/pay-orders.ts";
import { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "../refunds/list/refund-columns.ts";
import { voucherDoorOf } from "../refunds/refund-hold.ts";
import { payOrderColumns, payOrderNames, withAbilities, type PayOrderFound } from "./pay-order-columns.ts";

type Money = "gross_cents" | "voucher_cents" | "coupon_cents" | "free_coupon_cents" | "principal_cents" | "gift_cents" | "paid_cents";
interface Details extends Pick<OrderRow, "priced" | Money> {
  readonly feeRate: number;
  readonly expiresAt: string;
  readonly closedAt: string | null;
  readonly refundCount: number;
}

/** 支付订单详情: the order with its timeline, its entries in the book, its refunds and what the channel was asked. */
export const getPayOrderRoute = implement(getPayOrder, async (ctx, { id }) => {
  const found = await sql<PayOrderFound & Details>`
    select ${payOrderColumns}, o.fee_rate as "feeRate", o.expires_at as "expiresAt", o.closed_at as "closedAt", o.refund_count as "refundCount", o.priced,
      o.gross_cents, o.voucher_cents, o.coupon_cents, o.free_coupon_cents
    from pay_orders o ${payOrderNames} where o.id = ${id} and ${inScope(ctx.scope, "o")}`.execute(ctx.tx);
  const [row] = found.rows;
  const [order] = withAbilities(ctx, found.rows);
  if (!row || !order) throw notFound("订单");
  const { feeRate, expiresAt, closedAt, refundCount } = row;
  const named = { ...row, id, service_provider_id: row.serviceProviderId };
  const read = row.priced ? await readParts(ctx.tx, named) : undefined;
  return {
    ...order,
    feeRate,
    expiresAt,
    closedAt,
    refundCount,
    price: read ? await priceOf(ctx, named, read) : null,
    why: await whyPrice(ctx.tx, named, read),
    invoiceUrl: await invoiceUrlOn(ctx, row),
    ...(await historyOf(ctx, row.serviceProviderId, id)),
  };
});

/** Stores see nothing of invoices, but hand their customers the way to one. */
async function invoiceUrlOn(
  { tx, scope, services }: Ctx,
  { id, serviceProviderId, storeId, paidAt }: PayOrderFound,
): Promise<string | null> {
  if (scope.level !== "MCH" && scope.level !== "AE") return null;
  const order = { service_provider_id: serviceProviderId, id, store_id: storeId, paid_at: paidAt };
  return asPlatform(tx, () => invoiceUrlFor(tx, services, order));
}

async function priceOf({ tx, services }: Ctx, order: Details & Pick<OrderRow, "service_provider_id" | "id">, { lines, paid }: ReadParts) {
  const given = await readGiven(tx, order);
  return {
    lines: lines.map(({ place, name, units, unit_cents }, at) => ({
      place,
      name,
      units,
      unitCents: unit_cents as never,
      netCents: (paid.nets[at] ?? 0) as never,
      leftUnits: units - (given.units[place] ?? 0),
    })),
    parts: paid.parts.map(partView),
    tenders: tendersOf({ ...order, money_cents: order.paid_cents }),
    vouchers: [...((await voucherDoorOf(services, order)?.of(tx, services, order)) ?? [])],
  };
}

async function historyOf(ctx: Ctx, provider: string, id: string) {
  const mine = sql`service_provider_id = ${provider} and order_id = ${id}`;
  const events = await sql<
    z.input<typeof orderEvent>
  >`select id, at, kind, note, by_name as "byName", refund_id as "refundId" from order_events where ${mine} order by seq`.execute(ctx.tx);
  const calls = await sql<z.input<typeof channelCall>>`
    select id, operation, outcome, code, message, started_at as "startedAt", ended_at as "endedAt", refund_id as "refundId" from channel_calls where ${mine} order by started_at, id`.execute(
    ctx.tx,
  );
  const refunds =
    await sql<RefundFound>`select ${refundColumns} from refunds r ${refundJoins} where r.service_provider_id = ${provider} and r.order_id = ${id} and ${inScope(ctx.scope, "r")} order by r.created_at, r.id`.execute(
      ctx.tx,
    );
  return {
    events: events.rows,
    ledger: await ledgerOf(ctx.tx, provider, id),
    refunds: withRefundAbilities(ctx, refunds.rows),
    channelCalls: calls.rows,
  };
}
