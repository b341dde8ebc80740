import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Ref } from "../rows.ts";
import { sendShareJob } from "../shares/share-jobs.ts";
import type { Kind } from "./subject.ts";

/** Has it looked at now. A return is looked at by its refund or by its own sweep, within the minute. */
export async function wake(tx: Transaction, services: Services, kind: Kind, { service_provider_id, id }: Ref, now: string): Promise<void> {
  if (kind === "share") return services.jobs.enqueue(tx, sendShareJob, { service_provider_id, id });
  await tx
    .updateTable("sharing_returns")
    .set({ next_query_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .execute();
}
