import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addRecharge, decideRecharge } from "../../contract/index.ts";
import { type HoldingMember, memberByNo } from "../member.ts";
import { arrive, moveRecharge, type RechargeRow } from "./hear-recharge.ts";
import { plannedColumns, planRecharge } from "./plan-recharge.ts";

/** A store in sight that is open. @throws 404 */
export async function storeInSight({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string) {
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    id: string;
  }>`select s.service_provider_id, s.merchant_id, s.id from stores s
    where s.id = ${id} and s.state = 'active' and ${inScope(scope, "s")}`.execute(tx);
  if (!rows[0]) throw notFound("门店");
  const { id: store_id, service_provider_id, merchant_id } = rows[0];
  return { service_provider_id, merchant_id, store_id };
}

/** 收现金, 收转账: a lot at once; above the rule's line when a second person has said yes. */
export const addRechargeRoute = implement(addRecharge, async (ctx, { requestId, storeId, memberNo, way, amountCents, note }) => {
  const store = await storeInSight(ctx, storeId);
  const member = await memberByNo(ctx.tx, store, memberNo);
  const plan = await planRecharge(ctx.tx, member, { amount_cents: amountCents, now_ms: ctx.now_ms });
  const asker = askerOf(ctx);
  const recharge = await ctx.tx
    .insertInto("recharges")
    .values({
      ...store,
      id: ctx.services.ids.uuid(ctx.now_ms),
      member_id: member.member_id,
      request_id: requestId,
      way,
      status: 3,
      ...plannedColumns(plan),
      principal_cents: amountCents,
      note,
      asked_by: asker.id,
      asked_by_name: asker.name,
      created_at: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  // The member is held by the plan: what one took alone that day counts, so that a sum is not passed in pieces.
  const alone = amountCents + (await takenAlone(ctx, member, recharge.id)) <= plan.rule.second_above_cents;
  if (alone) await arrive(ctx.tx, ctx.services, recharge, [3]);
  noteOf(ctx, recharge, { memberNo, way, amountCents, giftCents: plan.gift_cents, points: plan.points, note, waits: !alone });
  return { ok: true as const, id: recharge.id, status: alone ? (2 as const) : (3 as const) };
});

/** What came to a member outside the channels that day without a second person, at all stores. */
async function takenAlone(ctx: Ctx, { service_provider_id, member_id }: HoldingMember, but: string): Promise<number> {
  const { rows } = await asPlatform(ctx.tx, () =>
    sql<{ cents: number }>`select coalesce(sum(r.principal_cents), 0)::bigint as cents from recharges r
    where r.service_provider_id = ${service_provider_id} and r.member_id = ${member_id} and r.id <> ${but} and r.order_id is null and r.status = 2
      and r.decided_by is null and r.created_at >= ${dayStart(shanghaiDay(ctx.now_ms))}`.execute(ctx.tx),
  );
  return rows[0]?.cents ?? 0;
}

/** 审核线下充值: by another than who took it. */
export const decideRechargeRoute = implement(decideRecharge, async (ctx, { id, approve }) => {
  const recharge = await ctx.tx
    .selectFrom("recharges as r")
    .selectAll("r")
    .where("r.id", "=", id)
    .where(inScope(ctx.scope, "r", "store"))
    .forUpdate()
    .executeTakeFirst();
  if (!recharge) throw notFound("充值");
  if (recharge.status !== 3) throw conflict("此充值已被处理，请刷新后查看");
  if (isOwn(ctx, recharge.asked_by)) throw selfDecided();
  const by = askerOf(ctx);
  const decided = { decided_by: by.id, decided_by_name: by.name };
  if (approve) {
    await ctx.tx
      .updateTable("recharges")
      .set(decided)
      .where("service_provider_id", "=", recharge.service_provider_id)
      .where("id", "=", id)
      .where("status", "=", 3)
      .execute();
    await arrive(ctx.tx, ctx.services, recharge, [3]);
  } else await moveRecharge(ctx.tx, recharge, [3], { status: 4, ...decided });
  noteOf(ctx, recharge, { approve, amountCents: recharge.principal_cents });
  return { ok: true as const };
});
/** Whether the caller is that person, or acts through one that is. */
export const isOwn = ({ principal }: Pick<Ctx, "principal">, user_id: string | null): boolean =>
  user_id !== null && (user_id === principal.id || user_id === principal.actorId);
export const selfDecided = () => new Refusal(403, "second-person", "须由另一人审核，不能审核自己提交的");

function noteOf(ctx: Ctx, { id, service_provider_id, merchant_id }: RechargeRow, after: object): void {
  ctx.note({ targetKind: "recharge", targetId: id, provider: service_provider_id, merchant: merchant_id, after });
}
