import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { askCard, previewRefund, withdrawCard } from "../../../stored-value/server/index.ts";
import { askOwnRefund, listOwnRecharges, previewOwnRefund, withdrawOwnRefund } from "../../contract/index.ts";
import { proveSelf } from "../self/prove-self.ts";
import { selfOf } from "../session/member-session.ts";

interface Lot {
  readonly lotId: string;
  readonly at: string;
  readonly place: string;
  readonly origin: number;
  readonly principalCents: number;
  readonly giftCents: number;
  readonly principalLeftCents: number;
  readonly giftLeftCents: number;
  readonly refundId: string | null;
  readonly refundStatus: number | null;
  readonly paysCents: number | null;
  readonly dueOn: string | null;
  readonly askedBy: string | null;
}
/** 会员页充值记录. */
export const listOwnRechargesRoute = implement(listOwnRecharges, async (ctx) => {
  const { service_provider_id, merchant_id, id } = selfOf(ctx);
  const { rows } =
    await sql<Lot>`select l.id as "lotId", l.created_at as at, s.short_name as place, case when r.id is not null then 0 when l.from_lot is not null then 1 else 2 end as origin,
      l.principal_cents as "principalCents", l.gift_cents as "giftCents", l.principal_left_cents as "principalLeftCents", l.gift_left_cents as "giftLeftCents",
      c.id as "refundId", c.status as "refundStatus", c.pays_cents as "paysCents", c.due_on as "dueOn", c.asked_by as "askedBy"
    from value_lots l left join recharges r on r.service_provider_id = l.service_provider_id and r.lot_id = l.id
    join stores s on s.service_provider_id = l.service_provider_id and s.id = l.sold_store_id
    left join lateral (select x.* from card_refunds x where x.service_provider_id = l.service_provider_id and x.lot_id = l.id
      order by x.created_at desc, x.id desc limit 1) c on true
    where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} and l.member_id = ${id} 
      and (l.principal_cents > 0 or (l.from_lot is not null and l.mode <> 'ratio'))
    order by l.created_at desc, l.id desc limit 50`.execute(ctx.tx);
  return {
    items: rows.map(({ refundId, refundStatus, paysCents, dueOn, askedBy, ...row }) => ({
      ...(row as unknown as { lotId: string; place: string; origin: 0 }),
      at: row.at as never,
      principalCents: row.principalCents as never,
      giftCents: row.giftCents as never,
      principalLeftCents: row.principalLeftCents as never,
      giftLeftCents: row.giftLeftCents as never,
      refund:
        refundId === null
          ? null
          : {
              id: refundId,
              status: refundStatus as 0,
              paysCents: paysCents as never,
              dueOn: dueOn ?? "",
              mayWithdraw: refundStatus === 0 && askedBy === id,
            },
    })),
  };
});

/** 会员页退卡试算. */
export const previewOwnRefundRoute = implement(previewOwnRefund, async (ctx, { lotId }) => {
  const { sums, rechargeId: _recharge, points, coupons, pointsOf, ...shown } = await previewRefund(ctx, { lotId }, selfOf(ctx).id);
  // What another loses with it is not theirs to read.
  return {
    ...shown,
    points: pointsOf === null ? points : 0,
    coupons: pointsOf === null ? coupons : "",
    sums: sums.map(({ grantable: _grantable, earnedBack: _earned, ...sum }) => sum),
  };
});

/** 会员页申请退卡. */
export const askOwnRefundRoute = implement(askOwnRefund, async (ctx, { requestId, lotId, reason, paysCents, note, pin, sms }) => {
  const self = selfOf(ctx);
  const { id } = self;
  // Whose recharge it is not hears so before a code is spent.
  await previewRefund(ctx, { lotId }, id);
  await proveSelf(ctx, self, { pin, sms }, "refund");
  const { onlyOffline, orderLeftCents } = await previewRefund(ctx, { lotId }, id);
  const offline = onlyOffline !== null || paysCents > (orderLeftCents ?? 0);
  return askCard(ctx, { requestId, lotId, reason, paysCents, note, granted: false, way: offline ? 1 : 0 }, id);
});

/** 会员页撤回退卡: of a refund of this member alone, and only their own wish. */
export const withdrawOwnRefundRoute = implement(withdrawOwnRefund, async (ctx, { id }) => {
  const self = selfOf(ctx);
  const own = await ctx.tx
    .selectFrom("card_refunds")
    .select("id")
    .where("service_provider_id", "=", self.service_provider_id)
    .where("merchant_id", "=", self.merchant_id)
    .where("member_id", "=", self.id)
    .where("id", "=", id)
    .where("asked_by", "=", self.id)
    .executeTakeFirst();
  if (!own) throw notFound("退卡");
  return withdrawCard(ctx, { id });
});
