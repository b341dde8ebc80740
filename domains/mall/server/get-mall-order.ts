import { sql } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { PayTool } from "../../channels/contract.ts";
import type { orderEvent } from "../../orders/contract/index.ts";
import {
  askerOf,
  needsRefundPassword,
  refundColumns,
  refundJoins,
  withRefundAbilities,
  type RefundFound,
} from "../../orders/server/index.ts";
import { getMallOrder, revealReceiver, shipMallOrder } from "../contract/index.ts";
import { mallColumns, mallFrom, withMallAbilities, type MallFound } from "./mall-columns.ts";
import { linesOf } from "./mall-lines.ts";
import { openReceiver } from "./receiver.ts";
import { sendOff } from "./shipping/send-off.ts";

interface Details {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly note: string | null;
  readonly shippedBy: string | null;
  readonly closedAt: string | null;
  readonly expiresAt: string;
  readonly tool: PayTool;
}

/** 商城订单详情: the goods with what is left of each, what happened to the money, and its refunds. */
export const getMallOrderRoute = implement(getMallOrder, async (ctx, { id }) => {
  const found = await sql<MallFound & Details>`
    select ${mallColumns}, x.service_provider_id, x.merchant_id, x.note, x.shipped_by as "shippedBy", x.closed_at as "closedAt", o.expires_at as "expiresAt", o.tool
    from ${mallFrom} where x.id = ${id} and ${inScope(ctx.scope, "x", "store")}`.execute(ctx.tx);
  const [row] = found.rows;
  const [order] = withMallAbilities(ctx, found.rows);
  if (!row || !order) throw notFound("商城订单");
  const mine = sql`service_provider_id = ${row.service_provider_id} and order_id = ${row.orderId}`;
  const events = await sql<z.input<typeof orderEvent>>`
    select id, at, kind, note, by_name as "byName", refund_id as "refundId" from order_events where ${mine} order by seq`.execute(ctx.tx);
  const refunds = await sql<RefundFound>`
    select ${refundColumns} from refunds r ${refundJoins}
    where r.service_provider_id = ${row.service_provider_id} and r.order_id = ${row.orderId} and ${inScope(ctx.scope, "r")} order by r.created_at, r.id`.execute(
    ctx.tx,
  );
  const { note, shippedBy, closedAt, expiresAt, tool } = row;
  return {
    ...order,
    note,
    shippedBy,
    closedAt,
    expiresAt,
    tool,
    lines: await linesOf(ctx.tx, row.service_provider_id, id),
    events: events.rows,
    refunds: withRefundAbilities(ctx, refunds.rows),
    needsPassword: await needsRefundPassword(ctx.tx, row),
  };
});

interface Own {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly mall_no: string;
  readonly status: number;
  readonly carrier: string | null;
  readonly tracking_no: string | null;
  readonly receiver_sealed: string;
}
async function findOwn(ctx: Ctx, id: string): Promise<Own> {
  const found =
    await sql<Own>`select x.service_provider_id, x.merchant_id, x.id, x.mall_no, x.status, x.carrier, x.tracking_no, x.receiver_sealed
    from mall_orders x where x.id = ${id} and ${inScope(ctx.scope, "x", "store")}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound("商城订单");
  return found.rows[0];
}
const whose = ({ service_provider_id: provider, merchant_id: merchant, id: targetId }: Own) => ({
  targetKind: "mall_order",
  targetId,
  provider,
  merchant,
});

/** 商城发货: 待发货 to 已发货; while it is on its way, who carries it under which number may be corrected. */
export const shipMallOrderRoute = implement(shipMallOrder, async (ctx, { id, carrier, trackingNo }) => {
  const own = await findOwn(ctx, id);
  const changed = await sendOff(ctx.tx, own, { carrier, trackingNo, by: askerOf(ctx).name, at: ctx.now }, [1, 2]);
  mustChange(changed, () => conflict("订单不在待发货或已发货状态，请刷新后查看"));
  ctx.note({
    ...whose(own),
    before: { status: own.status, carrier: own.carrier, trackingNo: own.tracking_no },
    after: { mallNo: own.mall_no, status: 2, carrier, trackingNo },
  });
  return { status: 2 as const };
});

/** 查看收货信息: in full, and the record says who looked. */
export const revealReceiverRoute = implement(revealReceiver, async (ctx, { id }) => {
  const own = await findOwn(ctx, id);
  ctx.note({ ...whose(own), after: { mallNo: own.mall_no, shown: "收货人、电话、地址" } });
  return openReceiver(ctx.services, own.service_provider_id, own.id, own.receiver_sealed);
});
