import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { getCampaign } from "../../contract/index.ts";

type Mirror = OutputOf<typeof getCampaign>["mirror"];
/** How a campaign stands at WeChat; null where nothing of it is to be there. */
export async function mirrorOf(tx: Transaction, service_provider_id: string, campaign_id: string): Promise<Mirror> {
  const { rows } = await sql<
    NonNullable<Mirror>
  >`select c.carrier, m.stock_id as "stockId", coalesce(m.there, 'none') as state, m.total, m.checked_at as "checkedAt",
      (select count(*)::int from coupon_copies k where k.service_provider_id = m.service_provider_id and k.campaign_id = m.campaign_id and k.there <> 'NONE') as codes,
      (m.next_at is not null)::int + (select count(*)::int from coupon_copies k where k.service_provider_id = m.service_provider_id
        and k.campaign_id = m.campaign_id and k.next_at is not null) as waiting,
      (select count(*)::int from coupon_differences d where d.service_provider_id = m.service_provider_id and d.campaign_id = m.campaign_id
        and d.gone_at is null and d.checked_at is null) as differences
    from coupon_mirrors m join coupon_campaigns c on c.service_provider_id = m.service_provider_id and c.id = m.campaign_id
    where m.service_provider_id = ${service_provider_id} and m.campaign_id = ${campaign_id}`.execute(tx);
  return rows[0] ?? null;
}
