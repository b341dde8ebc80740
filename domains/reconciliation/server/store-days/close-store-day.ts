import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf, isSelf } from "../../../orders/server/index.ts";
import {
  changedFigures,
  changeWords,
  closeStoreDay,
  type FigureChange,
  hindranceWords,
  namedFigures,
  proposeStoreDay,
  reopenStoreDay,
  withdrawStoreDay,
} from "../../contract/index.ts";
import { changesOf, totalOf } from "./get-store-day.ts";
import { readStoreDays, type StoreDayNow } from "./read-hindrances.ts";
import { mayConfirm, mayWithdraw, mustSeeStoreDays, type NamedStore, readRow, readStore } from "./store-in-sight.ts";

const MOST_SAID = 3;
const saying = (changes: readonly FigureChange[]): string =>
  `${changes.slice(0, MOST_SAID).map(changeWords).join("；")}${changes.length > MOST_SAID ? `，共 ${changes.length} 处` : ""}`;

/** The day as it is now, where nothing hinders and every figure is the one that was seen. @throws 409 that says what does, or what changed */
async function readClosable(ctx: Ctx, store: NamedStore, day: string, seen: Readonly<Record<string, number>>): Promise<StoreDayNow> {
  const span = { from: day, to: day };
  const now = (await readStoreDays(ctx.tx, ctx.scope, [store], span, shanghaiDay(ctx.now_ms)))(store.store_id, day);
  const blocks = now.hindrances.filter((one) => one.blocks);
  if (blocks.length > 0)
    throw conflict(`${day} 还不能关账：${blocks.map((one) => hindranceWords(one, day)).join("；")}`, "store-day.hindered");
  const changes = changedFigures(seen, namedFigures(now.figures));
  if (changes.length > 0) throw conflict(`数有变动：${saying(changes)}。请看过新的数再关账`, "store-day.changed");
  return now;
}
const note = (ctx: Ctx, store: NamedStore, day: string, id: string, after: object): void =>
  ctx.note({
    targetKind: "store_day",
    targetId: id,
    provider: store.service_provider_id,
    merchant: store.merchant_id,
    after: { store: store.store_name, day, ...after },
  });

/** 提交关账: the first of two. What only warns is written down with it. */
export const proposeStoreDayRoute = implement(proposeStoreDay, async (ctx, { storeId, day, seen, note: said = "" }) => {
  const store = await readStore(ctx, storeId, day);
  const level = mustSeeStoreDays(ctx.scope);
  const { figures, hindrances, bills } = await readClosable(ctx, store, day, seen);
  const frozen = JSON.stringify({ figures, hindrances, bills });
  const by = askerOf(ctx);
  const { rows } = await sql<{ id: string }>`
    insert into store_days as d (service_provider_id, id, merchant_id, store_id, day, status, figures, note, proposed_at, proposed_by, proposed_by_name, proposed_level)
    values (${store.service_provider_id}, ${ctx.services.ids.uuid(ctx.now_ms)}, ${store.merchant_id}, ${storeId}, ${day}::date, 'proposed', ${frozen}::jsonb, ${said},
      ${ctx.now}::timestamptz, ${by.id}, ${by.name}, ${level})
    on conflict (service_provider_id, store_id, day) do update set status = 'proposed', version = d.version + 1, figures = excluded.figures, note = excluded.note,
      proposed_at = excluded.proposed_at, proposed_by = excluded.proposed_by, proposed_by_name = excluded.proposed_by_name, proposed_level = excluded.proposed_level
    where d.status = 'open'
    returning d.id`.execute(ctx.tx);
  const row = rows[0];
  if (!row) throw conflict(`${store.store_name} ${day} 已经提交或已关账，请刷新后查看`);
  note(ctx, store, day, row.id, { total: yuan(totalOf(figures)), note: said, warnings: hindrances.map((one) => hindranceWords(one, day)) });
  return { ok: true as const };
});

/** 确认关账: the second person, over the figures that were proposed and that both saw; from here on they never change. */
export const closeStoreDayRoute = implement(closeStoreDay, async (ctx, { storeId, day, version, seen }) => {
  const store = await readStore(ctx, storeId, day);
  const row = await readRow(ctx, store, day, true);
  if (row?.status === "closed") throw conflict(`${store.store_name} ${day} 已关账`);
  if (row?.status !== "proposed" || row.version !== version || !row.figures) throw conflict("状态已变化，请刷新后查看");
  if (isSelf(ctx, row.proposed_by)) throw conflict("提交的人不能确认，请另一人确认");
  if (!mayConfirm(ctx, row)) throw forbidden();
  const by = askerOf(ctx);
  const now = await readClosable(ctx, store, day, seen);
  const changes = changesOf(row.figures, now);
  if (changes.length > 0) throw conflict(`提交之后数有变动：${saying(changes)}。请撤回后重新提交`, "store-day.changed");
  const closed =
    await sql`with closed as (update store_days d set status = 'closed', version = d.version + 1, figures = ${JSON.stringify(now)}::jsonb, closed_at = ${ctx.now}::timestamptz,
      closed_by = ${by.id}, closed_by_name = ${by.name}
    where d.service_provider_id = ${store.service_provider_id} and d.id = ${row.id} and d.status = 'proposed' and d.version = ${version}
      and d.proposed_by <> ${by.id} and ${inScope(ctx.scope, "d", "store")} returning d.*)
    insert into store_day_closings (service_provider_id, merchant_id, store_id, day, version, figures, note, proposed_at, proposed_by, proposed_by_name, proposed_level,
      closed_at, closed_by, closed_by_name)
    select c.service_provider_id, c.merchant_id, c.store_id, c.day, c.version, c.figures, c.note, c.proposed_at, c.proposed_by, c.proposed_by_name, c.proposed_level,
      c.closed_at, c.closed_by, c.closed_by_name from closed c`.execute(ctx.tx);
  if (closed.numAffectedRows !== 1n) throw conflict("状态已变化，请刷新后查看");
  note(ctx, store, day, row.id, { total: yuan(totalOf(now.figures)), proposedBy: row.proposed_by_name });
  return { ok: true as const };
});

const OPEN = sql`status = 'open', version = d.version + 1, figures = null, note = '', proposed_at = null, proposed_by = null, proposed_by_name = null,
  proposed_level = null, closed_at = null, closed_by = null, closed_by_name = null`;
export const withdrawStoreDayRoute = implement(withdrawStoreDay, async (ctx, { storeId, day, version }) => {
  const store = await readStore(ctx, storeId, day);
  const row = await readRow(ctx, store, day, true);
  if (row?.status === "proposed" && !mayWithdraw(ctx, row)) throw forbidden();
  const opened = await sql`update store_days d set ${OPEN}
    where d.service_provider_id = ${store.service_provider_id} and d.store_id = ${storeId} and d.day = ${day}::date and d.status = 'proposed'
      and d.version = ${version} and ${inScope(ctx.scope, "d", "store")}`.execute(ctx.tx);
  if (!row || opened.numAffectedRows !== 1n) throw conflict("没有待确认的关账，请刷新后查看");
  note(ctx, store, day, row.id, { proposedBy: row.proposed_by_name });
  return { ok: true as const };
});

/** 撤销关账, by a root account, with a reason. What it was closed over stays in store_day_closings. */
export const reopenStoreDayRoute = implement(reopenStoreDay, async (ctx, { storeId, day, version, reason }) => {
  const store = await readStore(ctx, storeId, day);
  const row = await readRow(ctx, store, day);
  const by = askerOf(ctx);
  const opened =
    await sql`update store_days d set ${OPEN}, reopened_at = ${ctx.now}::timestamptz, reopened_by = ${by.id}, reopened_by_name = ${by.name}, reopen_reason = ${reason}
    where d.service_provider_id = ${store.service_provider_id} and d.store_id = ${storeId} and d.day = ${day}::date and d.status = 'closed'
      and d.version = ${version} and ${inScope(ctx.scope, "d", "store")}`.execute(ctx.tx);
  if (!row?.figures || opened.numAffectedRows !== 1n) throw conflict(`${store.store_name} ${day} 没有关账，或状态已变化，请刷新后查看`);
  note(ctx, store, day, row.id, { reason, total: yuan(totalOf(row.figures.figures)), closedBy: row.closed_by_name });
  return { ok: true as const };
});
