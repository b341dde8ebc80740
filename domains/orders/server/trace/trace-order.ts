import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { ledgerAccount, type LedgerAccount } from "../../../money/contract.ts";
import { ledgerOf } from "../../../money/server/index.ts";
import { traceOrder, traceStation } from "../../contract/trace.ts";
import type { OrderRow } from "../rows.ts";
import { discountsPart, feePart, fundersOf, part, paymentPart, refundsPart, type Funders, type TracePart } from "./own-parts.ts";
import { memberPart } from "./member-part.ts";
import { sharingOf, type Sharing } from "./sharing-part.ts";
import { line, some } from "./trace-rules.ts";

/** What another room knows of an order's money, as much of it as the caller's level may see; undefined where there is nothing. */
export type TraceSource = (ctx: Ctx, order: OrderRow) => Promise<TracePart | undefined>;
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Its part of 资金去向. */
    readonly trace?: TraceSource;
  }
}

/**
 * 资金去向: what the book says of the order, station by station, and every party with what it put in or holds. The sums
 * are those of the ledger's own lines, so that they sum to zero or the database would have refused them.
 */
export const traceOrderRoute = implement(traceOrder, async (ctx, { id }) => {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .selectAll("o")
    .where("o.id", "=", id)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  if (order.paid_at === null) return { orderNo: order.order_no, parts: [discountsPart(order)], parties: [] };
  const funders = await fundersOf(ctx.tx, order);
  const held = await heldOf(ctx, order);
  const sharing = await sharingOf(ctx, order);
  const refunded = await refundsPart(ctx.tx, order);
  const parts = [
    discountsPart(order, funders.promotions),
    paymentPart(order, funders),
    feePart(order),
    refunded,
    sharing.part,
    merchantPart(held),
    await memberPart(ctx.tx, order),
  ];
  for (const { trace } of tiedTo(ctx.services)) parts.push(await trace?.(ctx, order));
  return {
    orderNo: order.order_no,
    parts: traceStation.values.flatMap((station) => parts.filter((one): one is TracePart => one?.station === station)),
    parties: partiesOf(order, funders, held, sharing.received),
  };
});

type Held = ReadonlyMap<LedgerAccount, number>;
/** What the order moved on each account of the book. */
async function heldOf(ctx: Ctx, order: OrderRow): Promise<Held> {
  const held = new Map<LedgerAccount, number>();
  for (const { lines } of await ledgerOf(ctx.tx, order.service_provider_id, order.id))
    for (const { account, amountCents } of lines) held.set(account, (held.get(account) ?? 0) + amountCents);
  return held;
}

function merchantPart(held: Held): TracePart {
  const lines = [
    line({ label: "商户应收", note: "账务分录合计", amountCents: held.get("merchant") ?? 0 }),
    ...some({ label: "退款占用", note: "退款成功后退给付款人，失败后归还", amountCents: held.get("refunding") ?? 0 }),
  ];
  return part("merchant", "商户所得", lines, held.get("merchant") ?? 0);
}

/**
 * The channel's account is the payer's side of the order and that of those it was shared with: what was paid less what went
 * back, and what receivers got. Until something goes back it
 * is told apart by who paid; how the channel gives a refund back to those who bore its discounts, it does not say.
 */
function partiesOf(order: OrderRow, { channel, merchant, other }: Funders, held: Held, received: Sharing["received"]) {
  const party = (name: string, amountCents: number, note: string | null = null) => ({ name, note, amountCents: amountCents as never });
  const bore = (cents: number, note: string) => (cents > 0 && order.refunded_cents === 0 ? [party("通道优惠出资", -cents, note)] : []);
  const funded = [...bore(channel, "通道承担"), ...bore(merchant, "商户承担"), ...bore(other, "其他方承担")];
  const bearing = funded.reduce((sum, { amountCents }) => sum + Number(amountCents), 0);
  const gone = received.reduce((sum, { cents }) => sum + cents, 0);
  const side = channel + merchant + other > 0 && funded.length === 0 ? "付款人与通道优惠出资方" : "付款人";
  return [
    party(side, (held.get("channel") ?? 0) - bearing - gone, order.refunded_cents > 0 ? "支付减去已退款" : null),
    ...funded,
    ...received.map(({ name, cents }) => party(name, cents)),
    ...ledgerAccount.values
      .filter((account) => account !== "channel" && (held.get(account) ?? 0) !== 0)
      .map((account) => party(ledgerAccount.label(account), held.get(account) ?? 0)),
  ];
}
