import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Selectable } from "kysely";
import type { Services } from "@zhangfang/server/services.ts";
import { oweCoupons } from "../../../coupons/server/index.ts";
import { reserveRefund, type Settlement } from "../../../orders/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import { hearCardRefund } from "../card-refund/follow-card-refunds.ts";
import { posterOf } from "../contributor.ts";
import { keepMember } from "../member.ts";
import type { DrawMode } from "../../../value-book/contract.ts";

/** 充值, of the purposes that an order can have. */
const RECHARGE = 1;
export type RechargeRow = Selectable<DB["recharges"]>;

/** Money of a recharge's order: paid, it becomes a lot with its gifts, in the same transaction; closed, it is over; back, its lot is. */
export async function hearStored(tx: Transaction, services: Services, { kind, order, refundId }: Settlement): Promise<void> {
  if (order.purpose !== RECHARGE) return;
  const recharge = await tx
    .selectFrom("recharges")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .forUpdate()
    .executeTakeFirst();
  if (!recharge) return;
  if (kind === "closed") {
    if (recharge.status === 0) await moveRecharge(tx, recharge, [0], { status: 1 });
  } else if (kind === "refund") await hearCardRefund(tx, services, recharge, refundId ?? "");
  else if (recharge.status < 2) await arrive(tx, services, recharge, [0, 1]);
}

/**
 * The money of a recharge is there. Whoever was merged meanwhile has it at who they are now; who has left for good gets it back the way
 * it came.
 */
export async function arrive(tx: Transaction, services: Services, recharge: RechargeRow, from: readonly number[]): Promise<void> {
  const { service_provider_id, merchant_id, store_id, order_id, id, principal_cents, gift_cents, points, mode } = recharge;
  const now_ms = services.clock.now_ms();
  const paid_at = new Date(now_ms).toISOString();
  let member = await keepMember(tx, recharge);
  while (member.merged_into !== null) member = await keepMember(tx, { ...recharge, member_id: member.merged_into });
  if (member.status > 3) {
    await moveRecharge(tx, recharge, from, { status: 5, paid_at });
    if (order_id !== null)
      await reserveRefund(tx, services, {
        order: { service_provider_id, id: order_id },
        request_id: id,
        ask: { cents: principal_cents },
        reason: "会员已注销，充值原路退回",
        requested_by: null,
        requested_by_name: "系统",
        mayDecide: true,
        bySeller: true,
      });
    return;
  }
  const holder = { service_provider_id, merchant_id, member_id: member.member_id };
  const lot_id = await addLot(tx, posterOf(services), holder, {
    cause: "recharge",
    cause_id: order_id ?? id,
    ...(order_id !== null && { order_id }),
    sold_store_id: store_id,
    mode: mode as DrawMode,
    principal_cents,
    gift_cents,
  });
  if (lot_id === undefined) throw new Error(`the lot of recharge ${id} is there already`);
  if (points > 0)
    await addPoints(tx, posterOf(services), holder, {
      cause: "points-given",
      cause_id: order_id ?? id,
      points,
      usable_from: shanghaiDay(now_ms),
      expires_on: null,
      ...(order_id !== null && { order_id }),
      store_id,
    });
  await moveRecharge(tx, recharge, from, { status: 2, lot_id, paid_at, member_id: holder.member_id });
  if (recharge.coupon_campaign_id !== null)
    await oweCoupons(tx, services, {
      ...holder,
      cause: "recharge",
      cause_id: id,
      campaign_id: recharge.coupon_campaign_id,
      count: recharge.coupon_count ?? 1,
    });
}

export async function moveRecharge(
  tx: Transaction,
  { service_provider_id, id }: RechargeRow,
  from: readonly number[],
  to: Partial<RechargeRow> & { readonly status: number },
): Promise<void> {
  const moved = await tx
    .updateTable("recharges")
    .set(to)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "in", from)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a locked recharge moved"));
}
