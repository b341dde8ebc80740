import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { touchCopies } from "../carriers/touch-carrier.ts";
import type { CouponState } from "../../contract/index.ts";

export interface Move {
  readonly to: CouponState;
  readonly cause: "order" | "paid" | "self" | "closed" | "refund" | "ended" | "revoked" | "unpacked" | "deleted";
  readonly order_id?: string;
  readonly refund_id?: string;
  /** Where it was used. */
  readonly store_id?: string;
  /** A new end. */
  readonly valid_to?: string;
  readonly by_name?: string;
}
interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}

/** Moves coupons that the caller holds, and writes down each step. @throws where one is gone or may not go there (`app.state_edges`) */
export async function moveCoupons(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Merchant,
  coupons: readonly { readonly id: string }[],
  { to, cause, order_id, refund_id, store_id, valid_to, by_name = "" }: Move,
): Promise<void> {
  if (coupons.length === 0) return;
  const now = new Date(services.clock.now_ms()).toISOString();
  const used = to === "USED";
  const kept = used || to === "LOCKED";
  const ids = coupons.map(({ id }) => id);
  const moved =
    await sql`with b as (select c.id, c.state from coupons c where c.service_provider_id = ${service_provider_id} and c.id = any(${ids}::uuid[])),
    e as (insert into coupon_events (service_provider_id, merchant_id, coupon_id, from_state, to_state, cause, order_id, refund_id, by_name, at)
      select ${service_provider_id}, ${merchant_id}, b.id, b.state, ${to}, ${cause}, ${order_id ?? null}, ${refund_id ?? null}, ${by_name}, ${now} from b)
    update coupons c set state = ${to}, order_id = ${kept ? (order_id ?? null) : null}, used_at = ${used ? now : null}::timestamptz,
      used_store_id = ${used ? (store_id ?? null) : null}::uuid, valid_to = coalesce(${valid_to ?? null}::timestamptz, c.valid_to)
    where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.id = any(${ids}::uuid[])`.execute(tx);
  if (Number(moved.numAffectedRows) !== coupons.length) throw new Error("a locked coupon is gone");
  // What an order holds, and what is merely over, is told to nobody.
  if (to !== "LOCKED" && cause !== "ended") await touchCopies(tx, service_provider_id, ids, now);
}
