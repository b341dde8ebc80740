import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { finishSharing, retryShare, sendShare } from "../../contract/index.ts";
import { lockOrder, lockShare, newNumber, type OrderRow, ownersOf, type SharingRow } from "../rows.ts";
import { DOUBTED, isDoubted } from "../records/doubts.ts";
import { reserveShare } from "./reserve-share.ts";
import { sendShareJob } from "./share-jobs.ts";
import { refusalOf } from "./sharing-rules.ts";

/** A share in the caller's sight, held together with its order. @throws 404 */
async function holdShare(ctx: Ctx, id: string): Promise<{ order: OrderRow; share: SharingRow }> {
  const named = await ctx.tx
    .selectFrom("sharing_orders as s")
    .select(["s.service_provider_id", "s.id"])
    .where("s.id", "=", id)
    .where(inScope(ctx.scope, "s"))
    .executeTakeFirst();
  const found = named && (await lockShare(ctx.tx, named));
  if (!found) throw notFound("分账");
  return found;
}
/** Reserves now and has it sent after the commit. @throws 409 with the reason why not */
async function sendNow(
  ctx: Ctx,
  { order, share }: { order: OrderRow; share: SharingRow },
): Promise<{ id: string; shareNo: string; status: 1 }> {
  const { tx, services } = ctx;
  const name = ctx.principal.name;
  await tx
    .updateTable("sharing_orders")
    .set({ due_at: ctx.now, requested_by: ctx.principal.actorId ?? ctx.principal.id, requested_by_name: name })
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .execute();
  const refused = share.kind === "share" ? await reserveShare(tx, services, order, share) : undefined;
  if (refused) throw conflict(refused.why);
  if (share.kind === "unfreeze") await sendUnfreeze(ctx, share);
  const { service_provider_id, id } = share;
  await services.jobs.enqueue(tx, sendShareJob, { service_provider_id, id });
  const sent = await tx
    .selectFrom("sharing_orders")
    .select("amount_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  ctx.note({
    targetKind: "sharing",
    targetId: id,
    provider: service_provider_id,
    merchant: order.merchant_id,
    before: { status: share.status, failure: share.failure },
    after: { shareNo: share.share_no, orderNo: order.order_no, amount: yuan(sent.amount_cents), status: 1 },
  });
  return { id, shareNo: share.share_no, status: 1 };
}
async function sendUnfreeze(ctx: Ctx, share: SharingRow): Promise<void> {
  const moved = await ctx.tx
    .updateTable("sharing_orders")
    .set({
      status: 1,
      attempts: share.attempts + 1,
      channel_try: share.channel_try + 1,
      failure: null,
      sent_at: ctx.now,
      next_query_at: ctx.now,
    })
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .where("status", "=", 3)
    .executeTakeFirst();
  mustChange(moved, () => conflict("已由他人处理，请刷新后查看"));
}

/** 分账: one that waits is reserved and sent. */
export const sendShareRoute = implement(sendShare, async (ctx, { id }) => {
  const found = await holdShare(ctx, id);
  if (found.share.status !== 0) throw conflict("这笔分账已提交，请刷新后查看");
  return sendNow(ctx, found);
});
/**
 * 重新分账: one that failed whole goes under our same number, reckoned anew, and the channel gets a new one. Of one that some receivers got,
 * the others' parts are a share of their own: what was got stands, under the number that it has.
 */
export const retryShareRoute = implement(retryShare, async (ctx, { id }) => {
  const found = await holdShare(ctx, id);
  const { share, order } = found;
  if (await isDoubted(ctx.tx, "share", share.service_provider_id, [share.id, share.again_of])) throw conflict(DOUBTED);
  if (share.status === 3) return sendNow(ctx, found);
  if (share.kind !== "share" || share.status !== 2 || share.shared_cents === share.amount_cents)
    throw conflict("只有失败的分账，或有接收方未到账的分账，可以重新提交");
  return sendNow(ctx, { order, share: await shareAgain(ctx, order, share) });
});
/** One more share for those who did not get theirs, waiting to be sent. @throws 409 where there is one already */
async function shareAgain({ tx, services, now_ms, now, principal }: Ctx, order: OrderRow, share: SharingRow): Promise<SharingRow> {
  const refusal = refusalOf(order, now_ms);
  if (refusal !== undefined) throw conflict(refusal);
  const known = await tx
    .selectFrom("sharing_orders")
    .select("share_no")
    .where("service_provider_id", "=", share.service_provider_id)
    .where("again_of", "=", share.id)
    .executeTakeFirst();
  if (known) throw conflict(`未到账的部分已由分账 ${known.share_no} 重新提交`);
  return tx
    .insertInto("sharing_orders")
    .values({
      ...ownersOf(order),
      id: services.ids.uuid(now_ms),
      order_id: order.id,
      again_of: share.id,
      kind: "share",
      mode: "manual",
      share_no: newNumber(services, "S", now_ms),
      unfreeze: share.unfreeze,
      requested_by_name: principal.name,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** 完结: what is left of the order goes to the merchant. One that waited becomes it; else it is one more. */
export const finishSharingRoute = implement(finishSharing, async (ctx, { orderId }) => {
  const { tx, services } = ctx;
  const named = await tx
    .selectFrom("pay_orders as o")
    .select(["o.service_provider_id", "o.id"])
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  const order = named && (await lockOrder(tx, named));
  if (!order) throw notFound("订单");
  const refusal = refusalOf(order, ctx.now_ms);
  if (refusal !== undefined) throw conflict(refusal);
  const open = await tx
    .selectFrom("sharing_orders")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .where("status", "in", [0, 1])
    .forUpdate()
    .execute();
  if (open.some((share) => share.status === 1)) throw conflict("有分账正在处理，完成后才能完结");
  const [waiting] = open;
  const by = { requested_by: ctx.principal.actorId ?? ctx.principal.id, requested_by_name: ctx.principal.name };
  const sent = {
    kind: "unfreeze" as const,
    status: 1,
    attempts: 1,
    unfreeze: true,
    failure: null,
    due_at: ctx.now,
    sent_at: ctx.now,
    next_query_at: ctx.now,
    ...by,
  };
  const id = waiting?.id ?? services.ids.uuid(ctx.now_ms);
  const shareNo = waiting?.share_no ?? newNumber(services, "S", ctx.now_ms);
  if (waiting)
    await tx
      .updateTable("sharing_orders")
      .set(sent)
      .where("service_provider_id", "=", order.service_provider_id)
      .where("id", "=", id)
      .execute();
  else
    await tx
      .insertInto("sharing_orders")
      .values({ ...ownersOf(order), id, order_id: order.id, mode: "manual", share_no: shareNo, created_at: ctx.now, ...sent })
      .execute();
  await services.jobs.enqueue(tx, sendShareJob, { service_provider_id: order.service_provider_id, id });
  ctx.note({
    targetKind: "sharing",
    targetId: id,
    provider: order.service_provider_id,
    merchant: order.merchant_id,
    after: { shareNo, orderNo: order.order_no, kind: "unfreeze" },
  });
  return { id, shareNo, status: 1 as const };
});
