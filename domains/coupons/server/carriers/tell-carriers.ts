import { sql } from "kysely";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { tellCoupons } from "./tell-coupons.ts";
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
    const coupons =
      await sql<Due>`select distinct x.service_provider_id, x.campaign_id, 'coupons' as what from (select k.service_provider_id, k.campaign_id
      from coupon_copies k where k.next_at <= ${now} order by k.next_at limit 20000) x limit ${MOST}`.execute(tx);
    return [...stocks.rows, ...coupons.rows];
  },
  one: (services, { what, ...ref }) => (what === "stock" ? tellStock(services, ref) : tellCoupons(services, ref)),
});
