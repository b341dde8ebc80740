import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { holdStore } from "../../../money/server/index.ts";
import { openShift } from "./open-shift.ts";
import { shiftFiguresOf } from "./shift-figures.ts";
import { outsideOf, sumOutside } from "./taken-outside.ts";

/** The shift as somebody saw it when they ended it. */
export interface SeenShift {
  readonly storeId: string;
  readonly cashierId?: string | undefined;
  readonly lastHandoverId: string | null;
  readonly lastEntryId: string;
  /** What they saw of what was taken outside; unsaid, whatever it is. */
  readonly outsideCents?: number | undefined;
  readonly note?: string | undefined;
  readonly by: { readonly id: string; readonly name: string };
}

/**
 * Fixes the figures from the last handover up to the entry that the caller saw, once. Entries on their way are waited for,
 * so that the stretch has no gaps; what comes after it belongs to the next shift.
 * @returns its id and what the record says of it
 * @throws 404 for a store out of sight, 409 where somebody was faster, nothing was taken, or other money came in outside than was seen
 */
export async function endShift(
  { tx, scope, services, now, now_ms }: Pick<Ctx, "tx" | "scope" | "services" | "now" | "now_ms">,
  { storeId, cashierId, lastHandoverId, lastEntryId, outsideCents, note, by }: SeenShift,
): Promise<{ id: string; note: AuditNote }> {
  holdStore(tx, storeId, "handover");
  const shift = await openShift({ tx, scope }, storeId, cashierId);
  if (shift.last_id !== lastHandoverId) throw conflict("此班次已由他人交班，请刷新后查看", "handover.done");
  const { service_provider_id, merchant_id } = shift;
  const entry = await tx
    .selectFrom("ledger_entries")
    .select("seq")
    .where("service_provider_id", "=", service_provider_id)
    .where("store_id", "=", storeId)
    .where("id", "=", lastEntryId)
    .executeTakeFirst();
  if (!entry || entry.seq <= shift.after_seq) throw conflict("上次交班之后没有新的收款，无需交班", "handover.empty");
  const stretch = { service_provider_id, store_id: storeId, cashier_id: cashierId, after_seq: shift.after_seq, up_to_seq: entry.seq };
  const id = services.ids.uuid(now_ms);
  const outside = cashierId === undefined ? await outsideOf(services, (one) => one.give(tx, shift, id)) : [];
  if (outsideCents !== undefined && outsideCents !== sumOutside(outside))
    throw conflict("线下收款有变动，请刷新后再交班", "handover.outside");
  const figures = { ...(await shiftFiguresOf(tx, scope, stretch)), outside };
  await tx
    .insertInto("handovers")
    .values({
      service_provider_id,
      id,
      merchant_id,
      store_id: storeId,
      cashier_id: cashierId ?? null,
      after_seq: stretch.after_seq,
      up_to_seq: stretch.up_to_seq,
      from_at: shift.from_at,
      to_at: now,
      figures: JSON.stringify(figures),
      note: note ?? null,
      handed_by: by.id,
      handed_by_name: by.name,
      created_at: now,
    })
    .execute();
  const after = { storeId, cashierId, total: figures.total };
  return { id, note: { targetKind: "handover", targetId: id, provider: service_provider_id, merchant: merchant_id, after } };
}
