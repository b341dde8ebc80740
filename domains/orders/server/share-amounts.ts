import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { HeldOrder, ShareAmounts } from "../../profit-sharing/server/index.ts";

const gone = () => new Error("a held order is gone");

/** The share's columns of an order, and all that moves them besides a refund's hold (refunds/hold-amount.ts). */
export const shareAmounts: ShareAmounts = {
  async reserve(tx, order, amount_cents) {
    const reserved = await rowOf(tx, order)
      .set({ sharing_cents: sql`sharing_cents + ${amount_cents}` })
      .where("unfrozen_at", "is", null)
      .where(
        sql<boolean>`sharing_cents + shared_cents - share_returned_cents - share_returning_cents - share_borne_cents + ${amount_cents}
          <= paid_cents - fee_cents - refunded_cents - refunding_cents + refunded_fee_cents + refunding_fee_cents`,
      )
      .executeTakeFirst();
    return reserved.numUpdatedRows === 1n;
  },
  async settle(tx, order, reserved_cents, done_cents) {
    const moved = await rowOf(tx, order)
      .set({ sharing_cents: sql`sharing_cents - ${reserved_cents}`, shared_cents: sql`shared_cents + ${done_cents}` })
      .executeTakeFirst();
    mustChange(moved, gone);
  },
  async unfreeze(tx, order, at) {
    await rowOf(tx, order).set({ unfrozen_at: at }).where("unfrozen_at", "is", null).execute();
  },
  async holdReturn(tx, order, amount_cents) {
    const held = await rowOf(tx, order)
      .set({ share_returning_cents: sql`share_returning_cents + ${amount_cents}` })
      .where(sql<boolean>`share_returned_cents + share_returning_cents + ${amount_cents} <= shared_cents`)
      .executeTakeFirst();
    return held.numUpdatedRows === 1n;
  },
  async releaseReturn(tx, order, amount_cents, borne) {
    const released = await rowOf(tx, order)
      .set(
        borne
          ? { share_borne_cents: sql`share_borne_cents - ${amount_cents}` }
          : { share_returning_cents: sql`share_returning_cents - ${amount_cents}` },
      )
      .executeTakeFirst();
    mustChange(released, gone);
  },
  async settleReturn(tx, order, amount_cents) {
    const settled = await rowOf(tx, order)
      .set({
        share_returning_cents: sql`share_returning_cents - ${amount_cents}`,
        share_returned_cents: sql`share_returned_cents + ${amount_cents}`,
      })
      .executeTakeFirst();
    mustChange(settled, gone);
  },
  async failReturn(tx, order, amount_cents) {
    const failed = await rowOf(tx, order)
      .set({
        share_returning_cents: sql`share_returning_cents - ${amount_cents}`,
        share_borne_cents: sql`share_borne_cents + greatest(0, sharing_cents + shared_cents - share_returned_cents - share_returning_cents + ${amount_cents}::bigint - share_borne_cents
          - (paid_cents - fee_cents - refunded_cents - refunding_cents + refunded_fee_cents + refunding_fee_cents))`,
      })
      .executeTakeFirst();
    mustChange(failed, gone);
  },
};

const rowOf = (tx: Transaction, { service_provider_id, id }: HeldOrder) =>
  tx.updateTable("pay_orders").where("service_provider_id", "=", service_provider_id).where("id", "=", id);
