import type { Selectable } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { behind, mustChange, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { orderEventKind } from "../contract/codes.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";

export type OrderRow = Selectable<DB["pay_orders"]>;
export type RefundRow = Selectable<DB["refunds"]>;
/** Names one row of a tenant. */
export interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}

/** Reads an order and holds it to the end of the transaction. Whoever needs both locks the order before its refund. */
export async function lockOrder(tx: Transaction, { service_provider_id, id }: Ref): Promise<OrderRow | undefined> {
  return tx
    .selectFrom("pay_orders")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}
/** Reads a refund and holds it; its order is held already. */
export async function lockRefund(tx: Transaction, { service_provider_id, id }: Ref): Promise<RefundRow | undefined> {
  return tx
    .selectFrom("refunds")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** A refund and its order, both held. */
export interface Both {
  readonly order: OrderRow;
  readonly refund: RefundRow;
}
/** Holds a refund together with its order, the order first. */
export async function lockBoth(tx: Transaction, ref: Ref & { readonly order_id: string }): Promise<Both | undefined> {
  const order = await lockOrder(tx, { service_provider_id: ref.service_provider_id, id: ref.order_id });
  const refund = order && (await lockRefund(tx, ref));
  return order && refund ? { order, refund } : undefined;
}
/** The same for a refund in the caller's sight. @throws 404 */
export async function holdRefund({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<Both> {
  const named = await tx
    .selectFrom("refunds as r")
    .select(["r.service_provider_id", "r.id", "r.order_id"])
    .where("r.id", "=", id)
    .where(inScope(scope, "r"))
    .executeTakeFirst();
  const both = named && (await lockBoth(tx, named));
  if (!both) throw notFound("退款");
  return both;
}
/** One guarded step of a refund that is held. @throws where it is no longer where it was */
export async function moveRefund(
  tx: Transaction,
  { service_provider_id, id }: Ref,
  from: number,
  to: Partial<RefundRow> & { status: number },
) {
  const moved = await tx
    .updateTable("refunds")
    .set(to)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a locked refund moved"));
}

/** P for an order, R for a refund; then the Shanghai moment and ten random digits. The channel knows it as its out_trade_no. */
export function newNumber(services: Services, letter: "P" | "R", now_ms: number): string {
  return `${letter}${shanghaiTime(now_ms).replaceAll(/\D/g, "")}${services.ids.digits(10)}`;
}
/** Refunds that were closed by the channel go on under a new number of its own; ours stays. */
export const channelNumber = (refund: Pick<RefundRow, "refund_no" | "channel_try">): string =>
  refund.channel_try === 1 ? refund.refund_no : `${refund.refund_no}-${refund.channel_try}`;
/** The refund number of ours in a number of the channel's. */
export const refundNoOf = (number: string): string => number.replace(/-\d+$/, "");

export interface Event {
  readonly kind: CodeOf<typeof orderEventKind>;
  readonly note: string;
  readonly at: string;
  readonly by?: string | undefined;
  readonly refund_id?: string;
}
/** Adds to the timeline of an order. */
export async function addEvent(
  tx: Transaction,
  services: Services,
  order: Pick<OrderRow, "service_provider_id" | "id" | "merchant_id" | "store_id">,
  { kind, note, at, by, refund_id }: Event,
): Promise<void> {
  const { service_provider_id, merchant_id, store_id } = order;
  const event = {
    service_provider_id,
    id: services.ids.uuid(Date.parse(at)),
    merchant_id,
    store_id,
    order_id: order.id,
    refund_id: refund_id ?? null,
    at,
    kind,
    note,
    by_name: by ?? null,
  };
  behind(tx, tx.insertInto("order_events").values(event));
}

/** What the order is worth at the channel: what it settles, and the free coupons it took off by itself. */
export const channelTotal = (order: Pick<OrderRow, "paid_cents" | "free_coupon_cents">): number =>
  order.paid_cents + order.free_coupon_cents;
/** What the customer gave for the order and a refund gives back: money and stored value (docs/money.md). */
export const valueOf = (order: Pick<OrderRow, "paid_cents" | "principal_cents" | "gift_cents">): number =>
  order.paid_cents + order.principal_cents + order.gift_cents;
/** What is asked of the channel for a refund: the money, and its part of the free coupons. */
export const channelAmount = (refund: Pick<RefundRow, "amount_cents" | "free_coupon_cents">): number =>
  refund.amount_cents + refund.free_coupon_cents;
