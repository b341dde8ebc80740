import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { placeOrder, storeOf } from "../../../orders/server/index.ts";
import type { createTillRecharge } from "../../contract/index.ts";
import { keepMember } from "../member.ts";
import { couponsSaid, plannedColumns, planRecharge, type TierCoupon } from "./plan-recharge.ts";

type Placing = Parameters<typeof placeOrder>[0];
type Asked = Omit<ParsedOf<typeof createTillRecharge>, "ticket"> & {
  /** Who recharges: by a till's ticket, or a member on their own page. */
  readonly ticket?: string;
  readonly memberId?: string;
};

/**
 * An order of purpose 1, written down with what it will bring; what it brings comes with the money.
 * @throws 400 at `amountCents`, 409 where the member may not, or the rule or the coupons are others than those shown
 */
export async function placeRecharge(ctx: Placing, { amountCents, ruleId, coupons, memberId, ...given }: Asked) {
  const order = await placeOrder(
    ctx,
    {
      ...given,
      orderType: 0,
      subject: "储值充值",
      grossCents: amountCents,
      couponCents: 0,
      pointsCents: 0,
      storedValueCents: 0,
      face: false,
    } as never,
    {
      asked: { recharge: ruleId ?? "", ...(memberId !== undefined && { member: memberId }) },
      purpose: 1,
      ...(memberId !== undefined && { memberId }),
      write: async (tx, placed) => {
        const { service_provider_id, merchant_id, store_id, id: order_id } = placed;
        const member = await keepMember(tx, { service_provider_id, merchant_id, member_id: placed.member_id ?? "" });
        const plan = await planRecharge(tx, member, { amount_cents: amountCents, rule_id: ruleId, now_ms: ctx.now_ms });
        const brings = await saidOf(tx, service_provider_id, plan.coupon);
        if (coupons !== undefined && coupons !== brings)
          throw conflict(`充值送的券有变化：现在${brings === "" ? "不送券" : `送${brings}`}，请重新确认`, "coupon.changed");
        await tx
          .insertInto("recharges")
          .values({
            service_provider_id,
            merchant_id,
            store_id,
            id: ctx.services.ids.uuid(ctx.now_ms),
            member_id: member.member_id,
            way: 0,
            status: 0,
            order_id,
            ...plannedColumns(plan),
            principal_cents: amountCents,
            asked_by_name: ctx.principal.name,
            created_at: ctx.now,
          })
          .execute();
      },
    },
  );
  const store = storeOf(ctx.scope);
  const brought = await ctx.transaction(
    async (tx) => {
      const row = await tx
        .selectFrom("recharges as r")
        .innerJoin("pay_orders as o", (on) =>
          on.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"),
        )
        .select(["r.gift_cents", "r.points", "r.coupon_campaign_id as campaign_id", "r.coupon_count as count"])
        .where("r.service_provider_id", "=", store.service_provider_id)
        .where("o.store_id", "=", store.store_id)
        .where("o.till_no", "=", given.tillNo)
        .executeTakeFirstOrThrow();
      const { campaign_id, count } = row;
      return {
        ...row,
        said: await saidOf(tx, store.service_provider_id, campaign_id === null ? undefined : { campaign_id, count: count ?? 1 }),
      };
    },
    { readOnly: true },
  );
  return { ...order, giftCents: brought.gift_cents as never, points: brought.points, coupons: brought.said };
}
const saidOf = async (tx: Transaction, provider: string, coupon: TierCoupon | undefined): Promise<string> =>
  (await couponsSaid(tx, provider, coupon ? [coupon.campaign_id] : []))(coupon);
