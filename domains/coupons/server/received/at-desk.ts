import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { storeAtWork, type StoreAtWork } from "../../../stores/server/index.ts";
import { type CouponKind, hoursWords, lookAtCoupon, useCouponAtDesk, worthWords } from "../../contract/index.ts";
import { readCode } from "../holding/read-code.ts";
import { barOf } from "../rules/term-rules.ts";
import { consumeCoupon } from "./consume-coupon.ts";
import { barOfUse, type OwnOne } from "./member-coupons.ts";

interface Shown extends OwnOne {
  readonly kind: CouponKind;
  readonly said: string;
  readonly member_id: string;
  readonly member_status: number;
}
/** The coupon behind a code of this moment, or one that this store read lately. Run above the caller's level: its holder may never have come here. @throws 400 at `code` */
async function shownBy(ctx: Ctx, { service_provider_id, merchant_id, store_id }: StoreAtWork, code: string): Promise<Shown> {
  const { tx } = ctx;
  await readCode(tx, ctx.services, { service_provider_id, merchant_id, store_id }, code, "code");
  const { rows } =
    await sql<Shown>`select c.id, c.no, g.name, g.kind, c.state, c.valid_from, c.valid_to, t.terms, t.said, m.id as member_id, m.status as member_status
    from coupons c join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    join members h on h.service_provider_id = c.service_provider_id and h.id = c.member_id
    join members m on m.service_provider_id = h.service_provider_id and m.id = coalesce(h.merged_into, h.id)
    where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.no = ${code.slice(2, 12)} and c.state <> 'DELETED'`.execute(
      tx,
    );
  if (!rows[0]) throw invalid("code", "券码无效或已过期，请顾客刷新后再扫");
  return rows[0];
}
/** Why a coupon is no good at this store now, whether in an order or without one. */
function barHere({ terms, member_status, ...coupon }: Shown, store_id: string, now_ms: number): string {
  const why = barOfUse(coupon, member_status, now_ms);
  if (why !== undefined) return why;
  const bar = barOf(terms, { at: new Date(now_ms).toISOString(), store_id, method: "OFF_LINE" });
  if (bar === "store") return "这张券不能在本店使用";
  return bar === "hours" ? `这张券只在${hoursWords(terms)}可用` : "";
}

/** 核销台查优惠券. */
export const lookAtCouponRoute = implement(lookAtCoupon, async (ctx, { storeId, code }) => {
  const store = await storeAtWork(ctx.tx, ctx, storeId);
  const found = await asPlatform(ctx.tx, () => shownBy(ctx, store, code));
  return {
    name: found.name,
    kind: found.kind,
    worth: worthWords(found.terms),
    said: found.said,
    tail: found.no.slice(-4),
    state: found.state,
    validTo: found.valid_to as never,
    why: barHere(found, storeId, ctx.now_ms),
    alone: found.terms.methods.includes("SELF_CONSUME"),
  };
});
/** 核销台核销优惠券: the same as its holder's own 自助核销, by whoever stands at the desk. */
export const useCouponAtDeskRoute = implement(useCouponAtDesk, async (ctx, { storeId, code }) => {
  const store = await storeAtWork(ctx.tx, ctx, storeId);
  const { service_provider_id, merchant_id } = store;
  const { id, usedAt } = await asPlatform(ctx.tx, async () => {
    const { id, member_id, member_status } = await shownBy(ctx, store, code);
    const member = { service_provider_id, merchant_id, id: member_id, status: member_status };
    const used = await consumeCoupon(ctx.tx, ctx.services, member, askerOf(ctx).name, { coupon_id: id, store_id: storeId, again: false });
    return { id, ...used };
  });
  ctx.note({
    targetKind: "coupon",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { used: true, alone: true },
  });
  return { ok: true as const, usedAt: usedAt as never };
});

/** Coupons that were used up at a store without an order since a moment, for its desk: the newest first. */
export async function usedAloneSince(tx: Transaction, { service_provider_id, merchant_id, store_id }: StoreAtWork, from: string) {
  // Who came to other stores only is out of a store's sight; what was used here is not.
  const { rows } = await asPlatform(tx, () =>
    sql<{
      id: string;
      title: string;
      tail: string;
      byName: string;
      at: never;
    }>`select c.id, g.name as title, right(c.no, 4) as tail, e.by_name as "byName", e.at
      from coupon_events e join coupons c on c.service_provider_id = e.service_provider_id and c.id = e.coupon_id
      join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
      where e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id} and e.cause = 'self' and e.at >= ${from}
        and c.used_store_id = ${store_id} order by e.at desc, c.id limit 200`.execute(tx),
  );
  return rows;
}
