import { implement } from "@zhangfang/server/call.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { holdStore } from "../../../money/server/index.ts";
import { handOver } from "../../contract/shift.ts";
import { askerOf } from "../refunds/asker.ts";
import { openShift } from "./open-shift.ts";
import { shiftFiguresOf } from "./shift-figures.ts";

/**
 * 交班: fixes the figures from the last handover up to the entry that the caller saw, once. Entries on their way are waited
 * for, so that the stretch has no gaps; what comes after it belongs to the next shift.
 */
export const handOverRoute = implement(handOver, async (ctx, { storeId, cashierId, lastHandoverId, lastEntryId, note }) => {
  const { tx, services, now, now_ms } = ctx;
  await holdStore(tx, storeId, "handover");
  const shift = await openShift(ctx, storeId, cashierId);
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
  const figures = await shiftFiguresOf(tx, ctx.scope, stretch);
  const id = services.ids.uuid(now_ms);
  const asker = askerOf(ctx);
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
      handed_by: asker.id,
      handed_by_name: asker.name,
      created_at: now,
    })
    .execute();
  ctx.note({
    targetKind: "handover",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { storeId, cashierId, total: figures.total },
  });
  return { id };
});
