import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import type { Sold } from "../sold.ts";
import { family, followLevel, lockSurvivor, type MemberRef } from "../levels/follow-level.ts";
import { spanOf } from "../levels/level-rules.ts";

/** A term's money: it begins, behind what is left of the same level; nobody paid it; or it went back. The level follows at once. */
export async function hearOfTerm(tx: Transaction, services: Services, { kind, refundId }: Settlement, order: Sold): Promise<void> {
  const { service_provider_id } = order;
  // The level's lock first, so that two terms of one member line up behind each other.
  const member = await lockSurvivor(tx, order);
  const term = await tx
    .selectFrom("vip_terms")
    .select(["id", "rank", "months", "status", "refund_id", "refund_cents"])
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
      .executeTakeFirst();
  if (kind === "closed") await move([0], { status: 2 });
  if (kind === "payment") {
    const paid_at = order.paid_at ?? new Date(services.clock.now_ms()).toISOString();
    const last = await tx
      .selectFrom("vip_terms")
      .select(({ fn }) => fn.max("last_day").as("day"))
      .where("service_provider_id", "=", service_provider_id)
      .where(sql<boolean>`member_id in ${family(member)}`)
      .where("rank", "=", term.rank)
      // A term whose refund is on its way counts again with its days where the refund does not come.
      .where("status", "in", [1, 3])
      .executeTakeFirst();
    const { from, to } = spanOf(shanghaiDay(paid_at), term.months, last?.day ?? null);
    mustChange(await move([0, 2], { status: 1, first_day: from, last_day: to, paid_at }), () => new Error("a paid term is paid again"));
  }
  if (kind === "refund") {
    const refund = await tx
      .selectFrom("refunds")
      .select("value_cents")
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", refundId ?? "")
      .executeTakeFirstOrThrow();
    // A refund that was given up and arrives after another one is paid on top, and the merchant bears it.
    const twice = term.status === 4 && term.refund_id !== refundId;
    if (twice) services.log.error({ term: term.id, returned_cents: refund.value_cents }, "a refund arrived after the term went back");
    const refund_cents = twice ? (term.refund_cents ?? 0) + refund.value_cents : refund.value_cents;
    mustChange(
      await move(twice ? [4] : [1, 3, 5], { status: 4, refund_cents, ...(refundId !== undefined && { refund_id: refundId }) }),
      () => new Error("a refund of a term is heard of twice"),
    );
    await closeGap(tx, member, term.rank, shanghaiDay(services.clock.now_ms()));
  }
  await followLevel(tx, services, member);
}

/**
 * What a term that went back leaves is no gap: those of its level that have not begun move up behind what is left, each for all of its
 * months, and none of them backwards. One that has begun, or whose refund is on its way, keeps its days; where that refund fails, this is
 * done again.
 */
export async function closeGap(tx: Transaction, member: MemberRef, rank: number, today: string): Promise<void> {
  const terms = await tx
    .selectFrom("vip_terms")
    .select(["id", "status", "months", "first_day", "last_day"])
    .where("service_provider_id", "=", member.service_provider_id)
    .where(sql<boolean>`member_id in ${family(member)}`)
    .where("rank", "=", rank)
    .where("status", "in", [1, 3])
    .orderBy("first_day")
    .orderBy("id")
    .execute();
  let end: string | null = null;
  for (const { id, status, months, first_day, last_day } of terms) {
    if (first_day === null || last_day === null) continue;
    const { from, to } = spanOf(today, months, end);
    const moves = status === 1 && first_day > today && from < first_day;
    if (moves) {
      const moved = await tx
        .updateTable("vip_terms")
        .set({ first_day: from, last_day: to })
        .where("service_provider_id", "=", member.service_provider_id)
        .where("id", "=", id)
        .where("status", "=", 1)
        .where("first_day", "=", first_day)
        .executeTakeFirst();
      mustChange(moved, () => new Error("a term moved that its level's lock holds"));
    }
    const last: string = moves ? to : last_day;
    if (end === null || last > end) end = last;
  }
}
