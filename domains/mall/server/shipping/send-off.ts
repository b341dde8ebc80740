import { sql, type UpdateResult } from "kysely";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { shipMallOrder } from "../../contract/index.ts";

/** Who carries the goods under which number, and who says so. */
export interface Shipment extends Pick<InputOf<typeof shipMallOrder>, "carrier" | "trackingNo"> {
  readonly by: string;
  readonly at: string;
}
/** Marks an order as sent where it is in one of the states; the moment of its first sending stays. */
export function sendOff(
  tx: Transaction,
  own: { readonly service_provider_id: string; readonly id: string },
  { carrier, trackingNo, by, at }: Shipment,
  from: readonly (1 | 2)[],
): Promise<UpdateResult> {
  return tx
    .updateTable("mall_orders")
    .set({ status: 2, carrier, tracking_no: trackingNo, shipped_by: by, shipped_at: sql`coalesce(shipped_at, ${at})` })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", own.id)
    .where("status", "in", from)
    .executeTakeFirst();
}
