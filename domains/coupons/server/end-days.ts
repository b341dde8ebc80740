import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { touchMirror } from "./carriers/touch-carrier.ts";
import { holdStock } from "./campaigns/find-campaign.ts";
import { moveCoupons } from "./holding/move-coupons.ts";

interface Ended {
  readonly service_provider_id: string;
  readonly id: string;
}
/** Each minute: a campaign past its end gives out nothing more. What was received stays good. */
export const endCampaigns = lookAfter<Ended>({
  name: "end-coupon-campaigns",
  due: async (tx, now) =>
    (
      await sql<Ended>`select c.service_provider_id, c.id from coupon_campaigns c where c.state in ('RUNNING', 'PAUSED') and c.ends_at <= ${now}
        order by c.ends_at limit 500`.execute(tx)
    ).rows,
  one: (services, campaign) =>
    withScope(services.pool, platformScope("a campaign that ends"), async (tx) => {
      await holdStock(tx, campaign);
      const now = new Date(services.clock.now_ms()).toISOString();
      await sql`update coupon_campaigns set state = 'STOPED', stopped_at = ${now} where service_provider_id = ${campaign.service_provider_id}
        and id = ${campaign.id} and state in ('RUNNING', 'PAUSED') and ends_at <= ${now}`.execute(tx);
      await touchMirror(tx, campaign, now);
    }),
});

interface Owner {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
const AT_ONCE = 500;
const ROUNDS = 20;
/** Each minute: coupons whose time is over are written down as such. Every use compares the time itself. */
export const expireCoupons = lookAfter<Owner>({
  name: "expire-coupons",
  due: async (tx, now) =>
    (
      await sql<Owner>`select distinct c.service_provider_id, c.merchant_id from (select x.service_provider_id, x.merchant_id from coupons x
        where x.state = 'SENDED' and x.valid_to <= ${now} order by x.valid_to limit 20000) c limit 200`.execute(tx)
    ).rows,
  async one(services, owner) {
    for (let round = 0; round < ROUNDS; round++) if ((await expireSome(services, owner)) < AT_ONCE) return;
  },
});
const expireSome = (services: Services, owner: Owner): Promise<number> =>
  withScope(services.pool, platformScope("coupons whose time is over"), async (tx) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    // By the end of their time, as their index has them: a million that end at one midnight are not sorted for each five hundred.
    const { rows } = await sql<{ id: string }>`select c.id from coupons c where c.service_provider_id = ${owner.service_provider_id}
      and c.merchant_id = ${owner.merchant_id} and c.state = 'SENDED' and c.valid_to <= ${now}
      order by c.valid_to limit ${AT_ONCE} for no key update skip locked`.execute(tx);
    await moveCoupons(tx, services, owner, rows, { to: "EXPIRED", cause: "ended" });
    return rows.length;
  });
