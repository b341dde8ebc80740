import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ShareReturnOrder } from "../../../channels/server/index.ts";
import { channelNumber, type OrderRow, type ReturnRow } from "../rows.ts";

/** A return as the channel is asked for it and about it. */
export async function returnOrderOf(tx: Transaction, order: OrderRow, row: ReturnRow, outReturnNo: string): Promise<ShareReturnOrder> {
  const line = await tx
    .selectFrom("sharing_lines as l")
    .innerJoin("sharing_orders as s", (on) =>
      on.onRef("s.service_provider_id", "=", "l.service_provider_id").onRef("s.id", "=", "l.sharing_id"),
    )
    .select(["l.type", "l.account", "l.try", "s.share_no"])
    .where("l.service_provider_id", "=", row.service_provider_id)
    .where("l.id", "=", row.line_id)
    .executeTakeFirstOrThrow();
  return {
    transactionId: order.channel_no ?? "",
    outOrderNo: channelNumber(line.share_no, line.try),
    outReturnNo,
    type: line.type as ShareReturnOrder["type"],
    account: line.account,
    amount_cents: row.amount_cents,
    reason: "用户退款",
  };
}
