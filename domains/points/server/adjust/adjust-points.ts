import { type RawBuilder, sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addPoints, deductPoints, type Holder } from "../../../value-book/server/index.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { adjustPoints, adjustStatus, decidePointAdjustment, pointReason } from "../../contract/index.ts";
import { ownMerchant } from "../rule/edit-rule.ts";
import { ruleOn, secondAboveOn } from "../rule/rule-on.ts";
import { expiresOn } from "../rules/expiry-rules.ts";

type Merchant = Pick<Holder, "service_provider_id" | "merchant_id">;
/** Points that are given by hand end as earned ones do. */
export async function giveByHand(
  tx: Transaction,
  { services, now_ms, now }: Pick<Ctx, "services" | "now_ms" | "now">,
  holder: Holder,
  given: { readonly cause: "points-adjust" | "points-task"; readonly cause_id: string; readonly points: number },
): Promise<boolean> {
  const found = await ruleOn(tx, holder, now);
  const today = shanghaiDay(now_ms);
  return addPoints(tx, { ids: services.ids, now_ms }, holder, {
    ...given,
    usable_from: today,
    expires_on: found ? expiresOn(found.rule.expiry, today, today) : null,
  });
}
/** @returns what came of it, below zero where points were deducted */
async function carryOut(ctx: Ctx, holder: Holder, cause_id: string, points: number): Promise<number> {
  if (points > 0) {
    await giveByHand(ctx.tx, ctx, holder, { cause: "points-adjust", cause_id, points });
    return points;
  }
  const done = await deductPoints(ctx.tx, { ids: ctx.services.ids, now_ms: ctx.now_ms }, holder, { cause_id, points: -points });
  return done === 0 ? 0 : -done;
}

/** Whoever gives points by hand at a merchant waits here until the end, so that the sums of the day hold. */
export async function lockByHand(tx: Transaction, { merchant_id }: Merchant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`points-by-hand:${merchant_id}`}, 0))`.execute(tx);
}
/** What members were given of a day, and what was taken of them, without a second person: by adjustments, and by tasks that do not fail. */
export function byHand({ service_provider_id, merchant_id }: Merchant, now_ms: number): RawBuilder<unknown> {
  const from = dayStart(shanghaiDay(now_ms));
  return sql`(select a.member_id, a.done_points as points from point_adjustments a where a.service_provider_id = ${service_provider_id}
      and a.merchant_id = ${merchant_id} and a.status = 1 and a.decided_by is null and a.created_at >= ${from}
    union all select r.member_id, r.points from point_tasks t
      join point_task_rows r on r.service_provider_id = t.service_provider_id and r.task_id = t.id and r.status <> 2 and r.member_id is not null
      where t.service_provider_id = ${service_provider_id} and t.merchant_id = ${merchant_id} and t.created_at >= ${from})`;
}
/** Whether one more may be one person's own: what the day gives a member, or takes, stays within the rule's line. */
async function mayAlone(ctx: Ctx, holder: Holder, points: number): Promise<boolean> {
  await lockByHand(ctx.tx, holder);
  const { rows } = await asPlatform(ctx.tx, () =>
    sql<{ before: number }>`select coalesce(sum(abs(h.points)), 0)::bigint as before from ${byHand(holder, ctx.now_ms)} h
      where h.member_id = ${holder.member_id} and sign(h.points) = ${Math.sign(points)}`.execute(ctx.tx),
  );
  return (rows[0]?.before ?? 0) + Math.abs(points) <= (await secondAboveOn(ctx.tx, holder, ctx.now));
}

/** What waits for somebody's yes keeps its member here. */
export async function adjustmentWaits(tx: Transaction, { service_provider_id, id }: MemberRef): Promise<string | undefined> {
  const waits = await tx
    .selectFrom("point_adjustments")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  return waits && "还有待审核的积分调整";
}

/** 积分调整: done at once, or, where the member's day comes above the rule's line, when another person has looked at it. */
export const adjustPointsRoute = implement(adjustPoints, async (ctx, { memberNo, points, reason, note }) => {
  const merchant = ownMerchant(ctx);
  const { rows } = await sql<{ id: string; status: number }>`select m.id, m.status from members m
    where m.merchant_id = ${merchant.merchant_id} and m.no = ${memberNo} and ${inScope(ctx.scope, "m", "merchant")}`.execute(ctx.tx);
  const [member] = rows;
  if (!member) throw invalid("memberNo", "没有此会员");
  if (member.status === 4 || member.status === 5) throw invalid("memberNo", "会员已注销或已合并");
  const holder = { ...merchant, member_id: member.id };
  const status = (await mayAlone(ctx, holder, points)) ? (1 as const) : (0 as const);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const donePoints = status === 1 ? await carryOut(ctx, holder, id, points) : 0;
  if (status === 1 && donePoints === 0) throw conflict("会员没有可用积分可扣", "points.gone");
  await ctx.tx
    .insertInto("point_adjustments")
    .values({
      ...holder,
      id,
      points,
      reason,
      note,
      status,
      done_points: donePoints,
      asked_by: ctx.principal.actorId ?? ctx.principal.id,
      asked_by_name: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  ctx.note({
    targetKind: "member",
    targetId: member.id,
    after: {
      会员号: memberNo,
      积分: points,
      生效: donePoints,
      原因: pointReason.label(reason),
      说明: note,
      状态: adjustStatus.label(status),
    },
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
  });
  return { ok: true as const, id, status, donePoints };
});

/** 审核积分调整: by anybody but who asked for it, once. */
export const decidePointAdjustmentRoute = implement(decidePointAdjustment, async (ctx, { id, decision }) => {
  const row = await ctx.tx
    .selectFrom("point_adjustments as a")
    .selectAll("a")
    .where("a.id", "=", id)
    .where(inScope(ctx.scope, "a", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("积分调整");
  if (row.status !== 0) throw conflict("此调整已被处理，请刷新后查看");
  if (row.asked_by === ctx.principal.id || row.asked_by === ctx.principal.actorId)
    throw new Refusal(403, "points.self-approval", "不能审核自己申请的积分调整");
  const { service_provider_id, merchant_id, member_id } = row;
  const done = decision === "approve" ? await carryOut(ctx, { service_provider_id, merchant_id, member_id }, id, row.points) : 0;
  if (decision === "approve" && done === 0) throw conflict("会员没有可用积分可扣，请驳回", "points.gone");
  mustChange(
    await ctx.tx
      .updateTable("point_adjustments")
      .set({
        status: decision === "approve" ? 1 : 2,
        done_points: done,
        decided_by: ctx.principal.actorId ?? ctx.principal.id,
        decided_by_name: ctx.principal.name,
        decided_at: ctx.now,
      })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", 0)
      .executeTakeFirst(),
    () => conflict("此调整已被处理，请刷新后查看"),
  );
  ctx.note({
    targetKind: "member",
    targetId: row.member_id,
    before: { 积分: row.points, 状态: 0 },
    after: { 决定: decision === "approve" ? "通过" : "驳回", 生效: done },
    provider: row.service_provider_id,
    merchant: row.merchant_id,
  });
  return { ok: true as const, donePoints: done };
});
