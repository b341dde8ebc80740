import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ShareOrder } from "../../../channels/server/index.ts";
import { type ReceiverName, openReceiverName } from "../setup/receiver-secrets.ts";
import { linesOf, type OrderRow, type SharingRow } from "../rows.ts";

/** A share as the channel is asked for it and about it. */
export async function shareOrderOf(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  share: SharingRow,
  outOrderNo: string,
): Promise<ShareOrder> {
  const lines = share.kind === "unfreeze" ? [] : await linesOf(tx, share);
  const names = new Map<string, ReceiverName>();
  if (lines.length > 0)
    for (const one of await tx
      .selectFrom("sharing_receivers")
      .select(["service_provider_id", "id", "name_sealed"])
      .where("service_provider_id", "=", share.service_provider_id)
      .where(
        "id",
        "in",
        lines.map((line) => line.receiver_id),
      )
      .execute())
      names.set(one.id, one);
  return {
    transactionId: order.channel_no ?? "",
    outOrderNo,
    unfreeze: share.unfreeze,
    lines: lines.map((line) => ({
      type: line.type as ShareOrder["lines"][number]["type"],
      account: line.account,
      // A merchant was named when it was added; a person's name is checked again where it is known.
      name: line.type === "MERCHANT_ID" ? null : openReceiverName(services, names.get(line.receiver_id)),
      amount_cents: line.amount_cents,
      description: `分给${line.alias}`.slice(0, 80),
    })),
  };
}
