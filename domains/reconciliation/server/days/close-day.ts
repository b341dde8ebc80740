import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { BillSource } from "../../contract/index.ts";
import { closeReconDay, isAsked, isPlatform, rematchReconDay, reopenReconDay, retakeReconDay } from "../../contract/index.ts";
import { mustSeeWhole } from "../rows.ts";
import { breakLinks } from "./keep-day.ts";
import { matchDay } from "./match-day.ts";
import { retakeDay } from "./platform-days.ts";

async function readDay(ctx: Ctx, id: string) {
  mustSeeWhole(ctx.scope);
  const day = await ctx.tx
    .selectFrom("recon_days as d")
    .selectAll("d")
    .where("d.id", "=", id)
    .where(inScope(ctx.scope, "d", "merchant"))
    .executeTakeFirst();
  if (!day) throw notFound("对账日");
  return day;
}
const person = (ctx: Ctx): string => ctx.principal.actorId ?? ctx.principal.id;

/**
 * 关账, in one statement over the day's own row, where the database counts what is open: a difference that comes in that
 * very moment waits for the row and then finds it closed, or is there first and keeps it open.
 */
export const closeReconDayRoute = implement(closeReconDay, async (ctx, { id, version }) => {
  const before = await readDay(ctx, id);
  const closed =
    await sql`update recon_days d set status = 'closed', closed_at = ${ctx.now}::timestamptz, closed_by = ${person(ctx)}, closed_by_name = ${ctx.principal.name},
      late_count = 0, late_cents = 0, late_settled_cents = 0, late_seen_at = null
    where d.service_provider_id = ${before.service_provider_id} and d.id = ${id} and d.status = 'open' and d.has_bill and d.open_count = 0 and d.version = ${version}
      and ${inScope(ctx.scope, "d", "merchant")}`.execute(ctx.tx);
  if (closed.numAffectedRows !== 1n) throw await refusal(ctx, id, version);
  ctx.note({
    targetKind: "recon_day",
    targetId: id,
    provider: before.service_provider_id,
    merchant: before.merchant_id,
    after: {
      day: before.day,
      source: before.source,
      payments: `${before.bill_pay_count} 笔 ¥${yuan(before.bill_pay_cents)}`,
      refunds: `${before.bill_refund_count} 笔 ¥${yuan(before.bill_refund_cents)}`,
      differences: before.difference_count,
    },
  });
  return { ok: true as const };
});
async function refusal(ctx: Ctx, id: string, version: number): Promise<Error> {
  const now = await readDay(ctx, id);
  if (now.status === "closed") return conflict(`${now.day} 已关账`);
  if (!now.has_bill) return conflict(`${now.day} 的账单还不全，不能关账`);
  if (now.open_count > 0) return conflict(`${now.day} 还有 ${now.open_count} 条差异没有处理，不能关账`);
  return now.version === version ? conflict("状态已变化，请刷新后查看") : conflict("这天刚刚重新对过账，请看过新的结果再关账");
}

/** 撤销关账, by a root account, with a reason. A platform's day has to be matched anew first: what was told while it was closed is not in its figures. */
export const reopenReconDayRoute = implement(reopenReconDay, async (ctx, { id, reason }) => {
  const before = await readDay(ctx, id);
  const anew = isPlatform(before.source as BillSource);
  const opened =
    await sql`update recon_days d set status = 'open', reopened_at = ${ctx.now}::timestamptz, reopened_by_name = ${ctx.principal.name}, reopen_reason = ${reason},
      has_bill = d.has_bill and not ${anew}, matched_at = case when not ${anew} then d.matched_at end,
      late_count = 0, late_cents = 0, late_settled_cents = 0, late_seen_at = null
    where d.service_provider_id = ${before.service_provider_id} and d.id = ${id} and d.status = 'closed' and ${inScope(ctx.scope, "d", "merchant")}`.execute(
      ctx.tx,
    );
  if (opened.numAffectedRows !== 1n) throw conflict(`${before.day} 没有关账`);
  await breakLinks(ctx.tx, { ...before, source: before.source as BillSource });
  ctx.note({
    targetKind: "recon_day",
    targetId: id,
    provider: before.service_provider_id,
    merchant: before.merchant_id,
    before: { closedBy: before.closed_by_name, closedAt: before.closed_at },
    after: { day: before.day, reason },
  });
  return { ok: true as const };
});

export const rematchReconDayRoute = implement(rematchReconDay, async (ctx, { id }) => {
  const day = await readDay(ctx, id);
  const { openCount } = await matchDay(ctx.tx, { ...day, source: day.source as BillSource }, ctx.now);
  ctx.note({
    targetKind: "recon_day",
    targetId: id,
    provider: day.service_provider_id,
    merchant: day.merchant_id,
    after: { day: day.day, openCount },
  });
  return { openCount };
});

/** 重新取账单: a day of thousands of uses is hundreds of calls, so it is taken in the background. */
export const retakeReconDayRoute = implement(retakeReconDay, async (ctx, { id }) => {
  const day = await readDay(ctx, id);
  if (!isAsked(day.source)) throw conflict("这个平台没有接口，请导入它的账单表格");
  if (day.status === "closed") throw conflict(`${day.day} 已关账，请先撤销关账`, "day-closed");
  const { service_provider_id, merchant_id } = day;
  await ctx.services.jobs.enqueue(ctx.tx, retakeDay, { service_provider_id, merchant_id, source: day.source as "dy", day: day.day });
  ctx.note({ targetKind: "recon_day", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { day: day.day } });
  return { ok: true as const };
});
