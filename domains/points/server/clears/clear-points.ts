import { sql } from "kysely";
import { z } from "zod";
import { addDays, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { tellLots, untellLot } from "../../../value-book/server/index.ts";
import { askClearNow, cancelClearNow, decideClearNow, NOW_DAYS, TOLD_DAYS } from "../../contract/index.ts";
import { ownMerchant } from "../rule/edit-rule.ts";
import { expiryOn, ruleOn } from "../rule/rule-on.ts";
import { expiresOn, nextEnd } from "../rules/expiry-rules.ts";
import { lotsEnding } from "./read-clears.ts";

interface Clear {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly kind: "yearly" | "now";
}
/** Freezes the list: its rows are the lots as they are once they are held, and these lots alone know how much of them was told. */
async function freeze(tx: Transaction, clear: Clear, ends_on: string): Promise<void> {
  const { service_provider_id, merchant_id, id, kind } = clear;
  const { rows } = await sql<{
    id: string;
  }>`select l.id from ${lotsEnding({ service_provider_id, merchant_id }, ends_on, kind)} order by l.id for update`.execute(tx);
  const lots = rows.map((lot) => lot.id);
  await sql`insert into point_clear_rows (service_provider_id, clear_id, lot_id, merchant_id, member_id, points, would_end_on)
    select l.service_provider_id, ${id}, l.id, l.merchant_id, l.member_id, l.left_points, l.expires_on from point_lots l
    where l.service_provider_id = ${service_provider_id} and l.id = any(${lots}::uuid[])`.execute(tx);
  await tellLots(tx, service_provider_id, lots, ends_on);
}

/** 申请立即清零: another person decides, and nothing is frozen before. */
export const askClearNowRoute = implement(askClearNow, async (ctx, { reason }) => {
  const merchant = ownMerchant(ctx);
  const open = await ctx.tx
    .selectFrom("point_clears")
    .select("id")
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("kind", "=", "now")
    .where("status", "in", [0, 1])
    .executeTakeFirst();
  if (open) throw conflict("已有一次立即清零在审核或预告中");
  const id = ctx.services.ids.uuid(ctx.now_ms);
  await ctx.tx
    .insertInto("point_clears")
    .values({
      ...merchant,
      id,
      kind: "now",
      status: 0,
      reason,
      asked_by: ctx.principal.actorId ?? ctx.principal.id,
      asked_by_name: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  ctx.note({
    targetKind: "point-clear",
    targetId: id,
    after: { 原因: reason },
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
  });
  return { ok: true as const, id };
});

async function holdClear(ctx: Ctx, id: string) {
  const row = await ctx.tx
    .selectFrom("point_clears as c")
    .selectAll("c")
    .where("c.id", "=", id)
    .where("c.kind", "=", "now")
    .where(inScope(ctx.scope, "c", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("清零记录");
  return row;
}
async function setClear(tx: Transaction, row: { service_provider_id: string; id: string; status: number }, set: object): Promise<void> {
  mustChange(
    await tx
      .updateTable("point_clears")
      .set(set)
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", row.id)
      .where("status", "=", row.status)
      .executeTakeFirst(),
    () => conflict("清零的状态已变化，请刷新后查看"),
  );
}

/** 审核立即清零: from here the list stands, and seven days later it is cleared; never by who asked for it. */
export const decideClearNowRoute = implement(decideClearNow, async (ctx, { id, decision }) => {
  const row = await holdClear(ctx, id);
  if (row.status !== 0) throw conflict("此清零已被处理，请刷新后查看");
  if (row.asked_by === ctx.principal.id || row.asked_by === ctx.principal.actorId)
    throw new Refusal(403, "points.self-approval", "不能审核自己申请的清零");
  const by = { decided_by: ctx.principal.actorId ?? ctx.principal.id, decided_by_name: ctx.principal.name };
  const ends_on = addDays(shanghaiDay(ctx.now_ms), NOW_DAYS);
  if (decision === "reject") await setClear(ctx.tx, row, { ...by, status: 3 });
  else {
    await setClear(ctx.tx, row, { ...by, status: 1, ends_on, frozen_at: ctx.now });
    await freeze(ctx.tx, { ...row, kind: "now" }, ends_on);
    await warn(ctx.tx, { ...row, ends_on }, NOW_DAYS, ctx.now);
  }
  ctx.note({
    targetKind: "point-clear",
    targetId: id,
    after: { 决定: decision === "approve" ? "通过" : "驳回", ...(decision === "approve" && { 最后有效日: ends_on }) },
    provider: row.service_provider_id,
    merchant: row.merchant_id,
  });
  return { ok: true as const };
});

/** 取消立即清零: as long as it has not come; the points end when they would have ended, by a rule that came since as its own old lots do. */
export const cancelClearNowRoute = implement(cancelClearNow, async (ctx, { id }) => {
  const row = await holdClear(ctx, id);
  if (row.status !== 1 || (row.ends_on ?? "") < shanghaiDay(ctx.now_ms)) throw conflict("只能取消还没有清零的预告");
  await setClear(ctx.tx, row, { status: 4 });
  // A lot that another list told as well stays told by that one.
  const { rows } = await sql<{ lot_id: string; would_end_on: string | null; usable_from: string; told: number | null }>`
    select r.lot_id, r.would_end_on, l.usable_from, (select min(o.points) from point_clear_rows o
      join point_clears c on c.service_provider_id = o.service_provider_id and c.id = o.clear_id and c.status = 1
      where o.service_provider_id = r.service_provider_id and o.lot_id = r.lot_id) as told
    from point_clear_rows r join point_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
    where r.service_provider_id = ${row.service_provider_id} and r.clear_id = ${id} order by r.lot_id`.execute(ctx.tx);
  const expiry = await expiryOn(ctx.tx, row, ctx.now);
  const isNew = JSON.stringify(expiry) !== JSON.stringify(await expiryOn(ctx.tx, row, row.frozen_at ?? ctx.now));
  for (const { lot_id, would_end_on, usable_from, told } of rows) {
    const expires_on = isNew && told === null ? expiresOn(expiry, usable_from, shanghaiDay(ctx.now_ms)) : would_end_on;
    await untellLot(ctx.tx, row.service_provider_id, lot_id, { expires_on, told_points: told });
  }
  ctx.note({
    targetKind: "point-clear",
    targetId: id,
    after: { 取消: true },
    provider: row.service_provider_id,
    merchant: row.merchant_id,
  });
  return { ok: true as const };
});
/** Tells the merchant's people, once for the clearing and the number of days. */
async function warn(
  tx: Transaction,
  { service_provider_id, merchant_id, id, ends_on }: { service_provider_id: string; merchant_id: string; id: string; ends_on: string },
  days: number,
  at: string,
): Promise<void> {
  const { rows } = await sql<{ members: number; points: number }>`select count(distinct r.member_id)::int as members,
      coalesce(sum(least(l.left_points, r.points)), 0)::bigint as points
    from point_clear_rows r join point_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
    where r.service_provider_id = ${service_provider_id} and r.clear_id = ${id} and l.left_points > 0`.execute(tx);
  const { members = 0, points = 0 } = rows[0] ?? {};
  if (members === 0) return;
  await tell(
    tx,
    { level: "MCH", provider: service_provider_id, node: merchant_id },
    {
      kind: "pointsEnd",
      title: `${days} 天后清零：${members} 位会员的 ${points} 积分`,
      body: `最后有效日 ${ends_on}。之后先用掉的不清，新得的不清。`,
      href: `/vip-member/integralReset?open=${id}`,
      item: "/vip-member/integralReset",
      once: `points-end:${id}:${days}`,
      at,
    },
  );
}

/**
 * Each night after the lots were tended: freezes the lists of yearly ends 30 days before, tells 30, 7 and 1 days before, and closes what
 * is over. What failed stays and comes round the next night.
 */
export const tellClears = job({
  name: "tell-point-clears",
  data: z.object({}),
  every: "25 0 * * *",
  concurrency: 1,
  lease_s: 3_600,
  run: (services) => tendClears(services),
});
const SCOPE = platformScope("points that are told to end");
export async function tendClears(services: Services): Promise<void> {
  const now_ms = services.clock.now_ms();
  const [now, today] = [new Date(now_ms).toISOString(), shanghaiDay(now_ms)];
  const merchants = await withScope(services.pool, SCOPE, (tx) =>
    tx.selectFrom("point_rules").select(["service_provider_id", "merchant_id"]).distinct().execute(),
  );
  for (const merchant of merchants)
    await withScope(services.pool, SCOPE, async (tx) => {
      const found = await ruleOn(tx, merchant, now);
      const ends_on = found ? nextEnd(found.rule.expiry, today) : null;
      if (ends_on === null || daysBetween(today, ends_on) > TOLD_DAYS) return;
      await openYearly(tx, services, merchant, ends_on, now);
    }).catch((error: unknown) =>
      services.log.error({ err: error, merchant: merchant.merchant_id }, "a list of points that end waits for the next night"),
    );
  await withScope(services.pool, SCOPE, async (tx) => {
    const open = await tx
      .selectFrom("point_clears")
      .select(["service_provider_id", "merchant_id", "id", "status", "ends_on"])
      .where("status", "=", 1)
      .execute();
    for (const { ends_on, ...clear } of open) {
      if (ends_on === null) continue;
      const days = daysBetween(today, ends_on) + 1;
      const due = [1, 7, TOLD_DAYS].find((one) => days <= one);
      if (days > 0 && due !== undefined) await warn(tx, { ...clear, ends_on }, due, now);
      if (days <= 0) await closeOver(tx, clear);
    }
  });
}
async function openYearly(
  tx: Transaction,
  services: Services,
  merchant: { readonly service_provider_id: string; readonly merchant_id: string },
  ends_on: string,
  now: string,
): Promise<void> {
  const id = services.ids.uuid(Date.parse(now));
  const made = await tx
    .insertInto("point_clears")
    .values({ ...merchant, id, kind: "yearly", status: 1, ends_on, frozen_at: now, asked_by_name: "按积分规则", created_at: now })
    .onConflict((conflicting) =>
      conflicting.columns(["service_provider_id", "merchant_id", "ends_on"]).where("kind", "=", "yearly").doNothing(),
    )
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows === 1n) await freeze(tx, { ...merchant, id, kind: "yearly" }, ends_on);
}
/** Over when nothing of its lots is left. */
async function closeOver(tx: Transaction, clear: { service_provider_id: string; id: string; status: number }): Promise<void> {
  const { rows } =
    await sql`select from point_clear_rows r join point_lots l on l.service_provider_id = r.service_provider_id and l.id = r.lot_id
    where r.service_provider_id = ${clear.service_provider_id} and r.clear_id = ${clear.id} and l.left_points > 0 limit 1`.execute(tx);
  if (rows.length === 0) await setClear(tx, clear, { status: 2 });
}
