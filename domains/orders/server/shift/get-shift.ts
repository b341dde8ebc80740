import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { getShift } from "../../contract/shift.ts";
import { openShift } from "./open-shift.ts";
import { entriesIn, shiftFiguresOf } from "./shift-figures.ts";
import { outsideOf } from "./taken-outside.ts";

/** 门店收款: what was taken since the last handover, up to the last entry that is there now. */
export const getShiftRoute = implement(getShift, async (ctx, { storeId, cashierId }) => {
  const shift = await openShift(ctx, storeId, cashierId);
  const open = { ...shift, cashier_id: cashierId, up_to_seq: Number.MAX_SAFE_INTEGER };
  const last = await sql<{ id: string; seq: number }>`
    select e.id, e.seq from ledger_entries e join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
    where ${entriesIn(ctx.scope, open)} order by e.seq desc limit 1`.execute(ctx.tx);
  const entry = last.rows[0];
  return {
    outside: cashierId === undefined ? await outsideOf(ctx.services, (one) => one.open(ctx.tx, shift)) : [],
    ...(await shiftFiguresOf(ctx.tx, ctx.scope, { ...open, up_to_seq: entry?.seq ?? shift.after_seq })),
    storeId,
    storeName: shift.store_name,
    cashierId: cashierId ?? null,
    lastHandoverId: shift.last_id,
    fromAt: shift.from_at,
    toAt: ctx.now,
    lastEntryId: entry?.id ?? null,
  };
});
