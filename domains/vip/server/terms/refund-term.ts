import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askRefund, needsRefundPassword } from "../../../orders/server/index.ts";
import { previewTermRefund, refundTerm } from "../../contract/index.ts";
import { family, followLevel, lockSurvivor } from "../levels/follow-level.ts";
import { refOf } from "../levels/member-level.ts";
import { mustBeOver } from "../sold.ts";
import { termRefund } from "./term-rules.ts";

interface Term {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly order_id: string;
  readonly member_id: string;
  readonly rank: number;
  readonly status: number;
  readonly price_cents: number;
  readonly months: number;
  readonly paid_at: string | null;
  readonly first_day: string | null;
  readonly last_day: string | null;
}
/** A term in sight. @throws 404 */
async function termOf({ tx, scope }: Ctx, id: string): Promise<Term> {
  const { rows } =
    await sql<Term>`select t.service_provider_id, t.merchant_id, t.id, t.order_id, t.member_id, t.rank, t.status, t.price_cents, t.months, t.paid_at,
      t.first_day, t.last_day from vip_terms t where t.id = ${id} and ${inScope(scope, "t", "store")}`.execute(tx);
  if (!rows[0]) throw notFound("VIP订单");
  return rows[0];
}
/** What was used of the level since it was bought, in words, at whatever store; null where nothing was. */
async function usedOf(tx: Transaction, { rank, paid_at, ...term }: Term): Promise<string | null> {
  const { rows } = await asPlatform(tx, () =>
    sql<{ orders: number; gifts: number }>`select
      (select count(distinct o.id) from pay_orders o join price_parts p on p.service_provider_id = o.service_provider_id and p.order_id = o.id
        where o.service_provider_id = ${term.service_provider_id} and o.member_id in ${family(term)} and o.status in (0, 2) and o.created_at >= ${paid_at}
          and p.source = 'member' and p.ref = ${refOf(rank)})::int as orders,
      (select count(*) from right_grants g where g.service_provider_id = ${term.service_provider_id} and g.member_id in ${family(term)} and g.rank = ${rank}
        and g.at >= ${paid_at})::int as gifts`.execute(tx),
  );
  const { orders, gifts } = rows[0] ?? { orders: 0, gifts: 0 };
  const words = [...(orders > 0 ? [`会员折扣 ${orders} 单`] : []), ...(gifts > 0 ? [`等级礼 ${gifts} 份`] : [])];
  return words.length > 0 ? words.join("，") : null;
}
async function reckon(ctx: Ctx, term: Term) {
  const { paid_at, first_day, last_day } = term;
  if (term.status !== 1 || paid_at === null || first_day === null || last_day === null) return undefined;
  const used = await usedOf(ctx.tx, term);
  const refund = termRefund({ ...term, paid_at, first_day, last_day }, shanghaiDay(ctx.now_ms), used !== null);
  return { ...refund, used, refusal: refund.refund_cents > 0 ? null : "没有可退的天数" };
}

/** VIP退款试算: by the function that the refund itself goes by. */
export const previewTermRefundRoute = implement(previewTermRefund, async (ctx, { id }) => {
  const term = await termOf(ctx, id);
  const found = await reckon(ctx, term);
  if (!found) throw conflict("只有有效的 VIP 订单可以退款");
  return {
    refundCents: found.refund_cents as never,
    rule: found.rule,
    daysLeft: found.days_left,
    days: found.days,
    wholeThrough: found.whole_through,
    used: found.used,
    needsPassword: await needsRefundPassword(ctx.tx, term),
    refusal: found.refusal,
  };
});

/** VIP退款: from now on the level does not count; the money goes back the way it came. The order is held first, as by its money. */
export const refundTermRoute = implement(refundTerm, async (ctx, { requestId, id, refundCents, reason, refundPassword }) => {
  const { tx, services } = ctx;
  const seen = await termOf(ctx, id);
  await tx
    .selectFrom("pay_orders")
    .select("id")
    .where("service_provider_id", "=", seen.service_provider_id)
    .where("id", "=", seen.order_id)
    .forUpdate()
    .execute();
  // Past the fence: who they are now may have been at other stores only.
  await asPlatform(tx, () => lockSurvivor(tx, seen));
  const term = await termOf(ctx, id);
  const found = await reckon(ctx, term);
  if (!found) throw conflict("只有有效的 VIP 订单可以退款");
  if (found.refusal !== null) throw conflict(found.refusal);
  await mustBeOver(tx, term);
  if (found.refund_cents !== refundCents) throw conflict(`应退金额变为 ${yuan(found.refund_cents)} 元，请重新确认`, "refund.changed");
  const refund = await askRefund(
    ctx,
    { requestId, orderId: term.order_id, amountCents: refundCents, reason, refundPassword },
    { bySeller: true },
  );
  const changed = await tx
    .updateTable("vip_terms")
    .set({ status: 3, refund_id: refund.id, refund_cents: refundCents })
    .where("service_provider_id", "=", term.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .executeTakeFirst();
  mustChange(changed, () => conflict("只有有效的 VIP 订单可以退款"));
  await asPlatform(tx, () => followLevel(tx, services, term));
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status };
});
