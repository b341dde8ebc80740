import { sql } from "kysely";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { AFTER_STOCK_S, tellCoupons } from "./tell-coupons.ts";
import { type MirrorRef, tellStock } from "./tell-stock.ts";

const MOST = 100;
interface Due extends MirrorRef {
  readonly what: "stock" | "coupons";
}
/** Every ten seconds: what WeChat is to be told about coupons and has not been. Each row is taken by one process. */
export const tellCarriers = lookAfter<Due>({
  name: "tell-coupon-carriers",
  every: 10,
  due: async (tx, now) => {
    const stocks =
      await sql<Due>`select m.service_provider_id, m.campaign_id, 'stock' as what from coupon_mirrors m where m.next_at <= ${now}
      order by m.next_at limit ${MOST}`.execute(tx);
    const coupons = await sql<Due>`select m.service_provider_id, m.campaign_id, 'coupons' as what from coupon_mirrors m
      where m.stocked_at <= ${now}::timestamptz - ${sql.lit(AFTER_STOCK_S)} * interval '1 second' and exists (select from coupon_copies k
        where k.service_provider_id = m.service_provider_id and k.campaign_id = m.campaign_id and k.next_at <= ${now})
      order by (select min(k.next_at) from coupon_copies k where k.service_provider_id = m.service_provider_id and k.campaign_id = m.campaign_id) limit ${MOST}`.execute(
      tx,
    );
    return [...stocks.rows, ...coupons.rows];
  },
  one: (services, { what, ...ref }) => (what === "stock" ? tellStock(services, ref) : tellCoupons(services, ref)),
});
