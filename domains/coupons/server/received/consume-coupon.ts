import { sql } from "kysely";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { moveCoupons } from "../holding/move-coupons.ts";
import { type Bar, barOf } from "../rules/term-rules.ts";
import { ownCoupon, barOfUse } from "./member-coupons.ts";

/** A holder whose answer was lost asks again within this; a desk's call has a number of its own. */
const SAME_MS = 60_000;
const SELF_BARS: Readonly<Record<Bar, string>> = {
  method: "这张券不能自助核销，请出示券码",
  store: "这张券不在这家门店用",
  hours: "现在不在这张券的使用时段",
};
/**
 * 自助核销: its holder uses a coupon up before the eyes of a store's staff, without an order. The same by the same a moment later is the same.
 * @param by_name whose word it is: what somebody else used a moment ago is used
 * @throws 404, 409
 */
export async function consumeCoupon(
  tx: Transaction,
  services: Services,
  member: MemberRef & { readonly status: number },
  by_name: string,
  { coupon_id, store_id, again }: { readonly coupon_id: string; readonly store_id: string; readonly again: boolean },
): Promise<{ storeName: string; usedAt: string }> {
  const coupon = await ownCoupon(tx, member, coupon_id, { hold: true });
  const { rows } = await sql<{ name: string; used_at: string | null }>`select s.short_name as name,
      (select c.used_at from coupons c where c.service_provider_id = s.service_provider_id and c.id = ${coupon_id} and c.order_id is null
        and c.used_store_id = s.id and exists (select from coupon_events e where e.service_provider_id = c.service_provider_id and e.coupon_id = c.id
          and e.cause = 'self' and e.by_name = ${by_name})) as used_at
    from stores s where s.service_provider_id = ${member.service_provider_id} and s.merchant_id = ${member.merchant_id} and s.id = ${store_id}
      and s.state = 'active'`.execute(tx);
  const [store] = rows;
  if (!store) throw notFound("门店");
  const now_ms = services.clock.now_ms();
  if (again && store.used_at !== null && now_ms - Date.parse(store.used_at) < SAME_MS)
    return { storeName: store.name, usedAt: store.used_at };
  const why = barOfUse(coupon, member.status, now_ms);
  if (why !== undefined) throw conflict(why);
  const at = new Date(now_ms).toISOString();
  const bar = barOf(coupon.terms, { at, store_id, method: "SELF_CONSUME" });
  if (bar !== undefined) throw conflict(SELF_BARS[bar]);
  await moveCoupons(tx, services, member, [coupon], { to: "USED", cause: "self", store_id, by_name });
  return { storeName: store.name, usedAt: at };
}
