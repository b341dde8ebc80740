import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { lockOrder, newNumber, ownersOf, type Ref, walletOf } from "../rows.ts";
import { ruleOf } from "./rule-of.ts";
import { sendShareJob } from "./share-jobs.ts";
import { dueAt } from "./sharing-rules.ts";

/**
 * Has a payment shared that was just settled and whose money is frozen: by itself when its time has come, or when somebody
 * says so. Called by orders in the payment's own transaction; once for each order.
 */
export async function planSharing(tx: Transaction, services: Services, ref: Ref): Promise<void> {
  const order = await lockOrder(tx, ref);
  if (!order?.profit_sharing || order.paid_at === null) return;
  const known = await tx
    .selectFrom("sharing_orders")
    .select("id")
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("order_id", "=", ref.id)
    .limit(1)
    .executeTakeFirst();
  if (known) return;
  const now_ms = services.clock.now_ms();
  // The rule may have changed since the order was placed; frozen money waits for somebody then.
  const rule = await ruleOf(tx, order, walletOf(order));
  const due_at = rule?.mode === "auto" ? dueAt({ paid_at: order.paid_at, tool: order.tool }, rule.timing, now_ms) : null;
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("sharing_orders")
    .values({
      ...ownersOf(order),
      id,
      order_id: order.id,
      kind: "share",
      mode: rule?.mode ?? "manual",
      share_no: newNumber(services, "S", now_ms),
      unfreeze: rule?.unfreeze ?? true,
      due_at,
      requested_by_name: rule?.mode === "auto" ? "自动分账" : "待手动",
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  if (due_at !== null && rule?.timing === "now")
    await services.jobs.enqueue(
      tx,
      sendShareJob,
      { service_provider_id: ref.service_provider_id, id },
      { after_s: Math.ceil((Date.parse(due_at) - now_ms) / 1000) },
    );
}
