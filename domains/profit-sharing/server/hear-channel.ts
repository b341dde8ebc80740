import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { ourNumber } from "./rows.ts";
import { askSoon } from "./records/recorded.ts";
import { sendReturnJob } from "./returns/retry-return.ts";
import { sendShareJob } from "./shares/share-jobs.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/**
 * 分账动账通知: it says that a receiver got something or gave it back, and only that it is time to ask; what is true the query says.
 * @returns the refund that waits for a return, so that its owner may go on with it
 */
export async function hearShareNotice(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id }: Merchant,
  number: string,
): Promise<{ known: boolean; refund_id?: string }> {
  const ours = ourNumber(number);
  await askSoon(tx, service_provider_id, number, new Date(services.clock.now_ms()).toISOString());
  const share = await tx
    .selectFrom("sharing_orders")
    .select(["id", "status"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("share_no", "=", ours)
    .executeTakeFirst();
  if (share) {
    if (share.status === 1) await services.jobs.enqueue(tx, sendShareJob, { service_provider_id, id: share.id });
    return { known: true };
  }
  const back = await tx
    .selectFrom("sharing_returns as r")
    .innerJoin("refunds as f", (on) => on.onRef("f.service_provider_id", "=", "r.service_provider_id").onRef("f.id", "=", "r.refund_id"))
    .select(["r.id", "r.status", "r.refund_id", "f.status as refund_status"])
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.merchant_id", "=", merchant_id)
    .where("r.return_no", "=", ours)
    .executeTakeFirst();
  if (!back) return { known: false };
  if (back.status !== 1) return { known: true };
  if (back.refund_status === 1) return { known: true, refund_id: back.refund_id };
  await services.jobs.enqueue(tx, sendReturnJob, { service_provider_id, id: back.id });
  return { known: true };
}
