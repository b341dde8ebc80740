import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { placeOrder, storeOf } from "../../../orders/server/index.ts";
import type { createTillRecharge } from "../../contract/index.ts";
import { keepMember } from "../member.ts";
import { plannedColumns, planRecharge } from "./plan-recharge.ts";

type Placing = Parameters<typeof placeOrder>[0];
type Asked = Omit<ParsedOf<typeof createTillRecharge>, "ticket"> & {
  /** Who recharges: by a till's ticket, or a member on their own page. */
  readonly ticket?: string;
  readonly memberId?: string;
};

/**
 * An order of purpose 1, written down with what it will bring; what it brings comes with the money.
 * @throws 400 at `amountCents`, 409 where the member may not, or the rule is another than the one shown
 */
export async function placeRecharge(ctx: Placing, { amountCents, ruleId, memberId, ...given }: Asked) {
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
    (tx) =>
      tx
        .selectFrom("recharges as r")
        .innerJoin("pay_orders as o", (on) =>
          on.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"),
        )
        .select(["r.gift_cents", "r.points"])
        .where("r.service_provider_id", "=", store.service_provider_id)
        .where("o.store_id", "=", store.store_id)
        .where("o.till_no", "=", given.tillNo)
        .executeTakeFirstOrThrow(),
    { readOnly: true },
  );
  return { ...order, giftCents: brought.gift_cents as never, points: brought.points };
}
