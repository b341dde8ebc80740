import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";

export interface PageMerchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly merchantName: string;
  readonly brandName: string;
  readonly phone: string;
  readonly closed: string | null;
}
/** The merchant of a page. @throws 404 */
export async function findMerchant(tx: Transaction, merchant: string): Promise<PageMerchant> {
  const { rows } = await sql<PageMerchant>`select m.service_provider_id, m.id as merchant_id, m.short_name as "merchantName",
      coalesce(p.brand_title, p.short_name) as "brandName", coalesce(m.service_phone, '') as phone,
      case when p.state <> 'active' or m.state <> 'active' then '商户已停止会员服务'
        when not exists (select from stores s where s.service_provider_id = m.service_provider_id and s.merchant_id = m.id and s.state = 'active')
        then '商户还没有营业的门店' end as closed
    from merchants m join service_providers p on p.id = m.service_provider_id where m.id = ${merchant}`.execute(tx);
  if (!rows[0]) throw notFound("会员页");
  return rows[0];
}

export interface PageStore {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly storeName: string;
}
/**
 * The store where something that is done at the page stands: the one that the address names, the member's own, else the merchant's oldest;
 * open ones alone.
 */
export async function storeOfPage(
  tx: Transaction,
  { service_provider_id, merchant_id }: Pick<PageMerchant, "service_provider_id" | "merchant_id">,
  { store, member }: { readonly store?: string | undefined; readonly member?: string | undefined } = {},
): Promise<PageStore> {
  const { rows } =
    await sql<PageStore>`select s.service_provider_id, s.merchant_id, s.id as store_id, s.short_name as "storeName" from stores s
    left join member_stores h on h.service_provider_id = s.service_provider_id and h.store_id = s.id and h.home and h.member_id = ${member ?? null}::uuid
    where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.state = 'active'
    order by (s.id = ${store ?? null}::uuid) is not true, h.home is not true, s.created_at, s.number limit 1`.execute(tx);
  if (!rows[0]) throw notFound("门店");
  return rows[0];
}
