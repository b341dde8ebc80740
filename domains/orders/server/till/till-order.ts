import type { z } from "zod";
import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { tillOrder } from "../../contract/till.ts";
import { contributorsOf, partView, readParts, tendersOf } from "../../../pricing/server/index.ts";
import type { OrderRow } from "../rows.ts";

/** The store that a device stands in. */
export interface TillStore {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
/** What the device's signature says of its place. @throws where a device has none */
export function storeOf({ provider, merchant, stores }: Scope): TillStore {
  const store_id = stores?.[0];
  if (!provider || !merchant || !store_id) throw notFound("设备");
  return { service_provider_id: provider, merchant_id: merchant, store_id };
}
/** The order of this store with this number of the till's. */
export async function findTillOrder(tx: Transaction, store: TillStore, till_no: string): Promise<OrderRow | undefined> {
  const [order] = await ask(
    tx,
    tx
      .selectFrom("pay_orders")
      .selectAll()
      .where("service_provider_id", "=", store.service_provider_id)
      .where("till_no", "=", till_no)
      .where("store_id", "=", store.store_id),
  );
  return order;
}
/** The order as the till sees it. @throws 404 */
export async function showTillOrder(
  ctx: Pick<Ctx, "scope" | "services" | "transaction">,
  till_no: string,
): Promise<z.input<typeof tillOrder>> {
  return ctx.transaction(
    async (tx) => {
      const order = await findTillOrder(tx, storeOf(ctx.scope), till_no);
      if (!order) throw notFound("订单");
      return viewOf(order, await besidesOf(tx, ctx.services, order));
    },
    { readOnly: true },
  );
}
interface Besides {
  readonly parts: z.input<typeof tillOrder>["parts"];
  readonly earned: number | null;
}
/** What took something off an order, and what its member earned by it: nothing is asked where neither can be. */
export async function besidesOf(tx: Transaction, services: Services, order: OrderRow): Promise<Besides> {
  const [read, earned] = await Promise.all([order.priced ? readParts(tx, order) : undefined, earnedBy(tx, services, order)]);
  return { parts: read?.paid.parts.map(partView) ?? [], earned };
}
async function earnedBy(tx: Transaction, services: Services, order: OrderRow): Promise<number | null> {
  let earned: number | null = null;
  if (order.member_id !== null)
    for (const contributor of contributorsOf(services)) earned = (await contributor.earned?.(tx, services, order)) ?? earned;
  return earned;
}
export function viewOf(order: OrderRow, { parts, earned }: Besides = { parts: [], earned: null }): z.input<typeof tillOrder> {
  const paid = order.paid_at !== null;
  const open = order.status === 0;
  return {
    orderNo: order.order_no,
    tillNo: order.till_no ?? "",
    status: order.status as 0 | 1 | 2 | 3,
    grossCents: order.gross_cents,
    discountCents: order.discount_cents,
    paidCents: paid ? order.paid_cents : 0,
    refundedCents: order.refunded_cents,
    refundingCents: order.refunding_cents,
    channelNo: order.channel_no,
    createdAt: order.created_at,
    expiresAt: order.expires_at,
    paidAt: order.paid_at,
    codeUrl: open ? order.code_url : null,
    clientParams: open ? (order.client_params as Record<string, string> | null) : null,
    message: order.failure ?? (open ? waiting(order) : null),
    parts,
    tenders: tendersOf({ ...order, money_cents: order.paid_cents }),
    earned,
  };
}
function waiting(order: OrderRow): string {
  if (order.trade_type === "MICROPAY") return "等待顾客确认支付，请稍后查询";
  return order.code_url !== null || order.client_params !== null ? "等待顾客支付" : "通道没有应答，请用同一单号重试";
}

/** What an order takes over from its merchant at this moment: attribution and rate; and whether it may take money at all. */
export async function readSeller(tx: Transaction, store: TillStore) {
  const [seller] = await ask(
    tx,
    sql<{
      agent_id: string | null;
      business_group_id: string | null;
      business_team_id: string | null;
      salesman_id: string | null;
      fee_rate: number;
      open: boolean;
      store_number: string;
      store_name: string;
    }>`
    select m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id, m.fee_rate, m.state = 'active' and s.state = 'active' as open, s.number as store_number, s.short_name as store_name
    from stores s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
    where s.service_provider_id = ${store.service_provider_id} and s.merchant_id = ${store.merchant_id} and s.id = ${store.store_id}`,
  );
  if (!seller) throw notFound("门店");
  return seller;
}
