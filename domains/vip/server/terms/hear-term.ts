import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import type { Sold } from "../sold.ts";
import { family, followLevel, lockSurvivor } from "../levels/follow-level.ts";
import { spanOf } from "../levels/level-rules.ts";

/** A term's money: it begins, behind what is left of the same level; nobody paid it; or it went back. The level follows at once. */
export async function hearOfTerm(tx: Transaction, services: Services, { kind, refundId }: Settlement, order: Sold): Promise<void> {
  const { service_provider_id } = order;
  // The level's lock first, so that two terms of one member line up behind each other.
  const member = await lockSurvivor(tx, order);
  const term = await tx
    .selectFrom("vip_terms")
    .select(["id", "rank", "months", "status", "refund_id"])
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", order.id)
    .forUpdate()
    .executeTakeFirst();
  if (!term) return;
  const move = (from: readonly number[], set: object) =>
    tx
      .updateTable("vip_terms")
      .set(set)
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", term.id)
      .where("status", "in", [...from])
      .executeTakeFirstOrThrow();
  if (kind === "closed") await move([0], { status: 2 });
  if (kind === "payment") {
    const paid_at = order.paid_at ?? new Date(services.clock.now_ms()).toISOString();
    const last = await tx
      .selectFrom("vip_terms")
      .select(({ fn }) => fn.max("last_day").as("day"))
      .where("service_provider_id", "=", service_provider_id)
      .where(sql<boolean>`member_id in ${family(member)}`)
      .where("rank", "=", term.rank)
      .where("status", "=", 1)
      .executeTakeFirst();
    const { from, to } = spanOf(shanghaiDay(paid_at), term.months, last?.day ?? null);
    await move([0, 2], { status: 1, first_day: from, last_day: to, paid_at });
  }
  if (kind === "refund") {
    const refund = await tx
      .selectFrom("refunds")
      .select("value_cents")
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", refundId ?? "")
      .executeTakeFirstOrThrow();
    await move([1, 3, 5], { status: 4, refund_cents: refund.value_cents, ...(refundId !== undefined && { refund_id: refundId }) });
  }
  await followLevel(tx, services, member);
}
