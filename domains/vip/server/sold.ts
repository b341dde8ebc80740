import { sql } from "kysely";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";

/** An order that sold something beforehand, as the news of its money finds it. */
export interface Sold {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly member_id: string;
  readonly paid_at: string | null;
}

/**
 * A refund that was given up may arrive after all as long as the channel calls it abnormal, or it is on its way once more. Nothing goes back
 * beside it. @throws 409
 */
export async function mustBeOver(
  tx: Transaction,
  { service_provider_id, order_id }: { readonly service_provider_id: string; readonly order_id: string },
): Promise<void> {
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from refunds r where r.service_provider_id = ${service_provider_id} and r.order_id = ${order_id}
      and (r.status = 1 or (r.status = 3 and r.channel_status = 'ABNORMAL')) limit 1`.execute(tx),
  );
  if (rows.length > 0) throw conflict("上一笔退款异常，处理完才能再退", "refund.abnormal");
}
