import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import {
  changedFigures,
  type FigureChange,
  getStoreDay,
  getStoreMonth,
  isEmpty,
  madeOf,
  namedFigures,
  type StoreDayFigures,
  type StoreDayStatus,
} from "../../contract/index.ts";
import { monthOf, readStoreDays } from "./read-hindrances.ts";
import { type Frozen, mayConfirm, mayWithdraw, readRow, readStore } from "./store-in-sight.ts";

/** 归门店 of the whole day. */
export const totalOf = (figures: StoreDayFigures): number => {
  const { ownCents, settledCents, owedCents } = madeOf(figures);
  return ownCents + settledCents + owedCents;
};

/** What is another figure now than what was proposed or closed over. */
export const changesOf = (frozen: Frozen | null | undefined, now: Frozen): FigureChange[] =>
  frozen ? changedFigures(namedFigures(frozen.figures), namedFigures(now.figures)) : [];

interface Closing {
  readonly version: number;
  readonly figures: Frozen;
  readonly note: string;
  readonly proposedAt: never;
  readonly proposedBy: string;
  readonly closedAt: never;
  readonly closedBy: string;
}
/** 门店日: a closed day shows what it was closed over, and beside it what is another figure now. */
export const getStoreDayRoute = implement(getStoreDay, async (ctx, { storeId, day }) => {
  const store = await readStore(ctx, storeId, day);
  const row = await readRow(ctx, store, day);
  const now = (await readStoreDays(ctx.tx, ctx.scope, [store], { from: day, to: day }, shanghaiDay(ctx.now_ms)))(storeId, day);
  const { rows: closings } = await sql<Closing>`
    select c.version, c.figures, c.note, c.proposed_at as "proposedAt", c.proposed_by_name as "proposedBy", c.closed_at as "closedAt", c.closed_by_name as "closedBy"
    from store_day_closings c where c.service_provider_id = ${store.service_provider_id} and c.store_id = ${storeId} and c.day = ${day}::date
      and ${inScope(ctx.scope, "c", "store")} order by c.version desc`.execute(ctx.tx);
  const shown = row?.status === "closed" && row.figures ? row.figures : now;
  return {
    storeId,
    storeName: store.store_name,
    merchantId: store.merchant_id,
    merchantName: store.merchant_name,
    day,
    status: row?.status ?? "open",
    version: row?.version ?? 0,
    figures: shown.figures as never,
    hindrances: [...shown.hindrances],
    bills: [...shown.bills],
    changes: changesOf(row?.figures, now),
    note: row?.note ?? "",
    proposedBy: row?.proposed_by_name ?? null,
    proposedAt: (row?.proposed_at ?? null) as never,
    closedBy: row?.closed_by_name ?? null,
    closedAt: (row?.closed_at ?? null) as never,
    reopenedBy: row?.reopened_by_name ?? null,
    reopenedAt: (row?.reopened_at ?? null) as never,
    reopenReason: row?.reopen_reason ?? null,
    decidable: row?.status === "proposed" && mayConfirm(ctx, row),
    withdrawable: row?.status === "proposed" && mayWithdraw(ctx, row),
    closings: closings.map(({ figures: { figures, hindrances, bills }, ...closing }) => ({
      ...closing,
      figures: figures as never,
      hindrances: [...hindrances],
      bills: [...bills],
    })),
    asOf: ctx.now as never,
  };
});

/** The month of one store: closed days by what they were closed over, the others as they are now. */
export const getStoreMonthRoute = implement(getStoreMonth, async (ctx, { storeId, month }) => {
  const store = await readStore(ctx, storeId);
  const today = shanghaiDay(ctx.now_ms);
  const span = monthOf(month, today);
  const now = span && (await readStoreDays(ctx.tx, ctx.scope, [store], span, today));
  const { rows } = await sql<{ day: string; status: StoreDayStatus; figures: Frozen | null }>`
    select d.day, d.status, d.figures from store_days d where d.service_provider_id = ${store.service_provider_id} and d.store_id = ${storeId}
      and d.day >= ${`${month}-01`}::date and d.day < ${`${month}-01`}::date + interval '1 month' and ${inScope(ctx.scope, "d", "store")}`.execute(
    ctx.tx,
  );
  const days = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    const row = rows.find((one) => one.day === day);
    const status = row?.status ?? ("open" as const);
    if (!now || day > today) days.push({ day, status, future: true, empty: true, totalCents: 0 as never, blocks: 0, changed: 0 });
    else {
      const fresh = now(storeId, day);
      const { figures, hindrances } = row?.status === "closed" && row.figures ? row.figures : fresh;
      const changed = changesOf(row?.figures, fresh).length;
      const blocks = status === "closed" ? 0 : hindrances.filter((one) => one.blocks).length;
      days.push({ day, status, future: false, empty: isEmpty(figures), totalCents: totalOf(figures) as never, blocks, changed });
    }
  }
  return { days };
});
