import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";

export interface FoundCode {
  readonly id: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly storeName: string;
  readonly merchantName: string;
  readonly brandName: string;
  /** The cashier whose own code it is, and the most that one takes at once. */
  readonly cashierCode: string | null;
  readonly cashierMostCents: number | null;
  /** Why nothing can be paid there now. */
  readonly closed: string | null;
}

/** The store of a code that is good. A code that was revoked and one that never was are one answer. @throws 404 */
export async function findCode(ctx: Ctx, code: string): Promise<FoundCode> {
  const found = await ctx.platform("whose pay code is it", (tx) =>
    sql<FoundCode>`
    select c.id, c.service_provider_id, c.merchant_id, c.store_id, s.short_name as "storeName", m.short_name as "merchantName",
      coalesce(p.brand_title, p.short_name) as "brandName",
      w.code as "cashierCode", w.pay_most_cents as "cashierMostCents",
      case when p.state <> 'active' or m.state <> 'active' then '商户已停止收款' when s.state <> 'active' then '门店已停业'
        when w.state <> 'active' then '收银员已停用，请换一个收款码'
        when not exists (select 1 from channel_settings x where x.service_provider_id = c.service_provider_id and x.merchant_id = c.merchant_id
          and x.channel = 0 and x.state = 'active') and not exists (select 1 from channel_accounts x where x.service_provider_id = c.service_provider_id
          and x.merchant_id = c.merchant_id and x.state = 'active') then '商户尚未开通支付通道' end as closed
    from pay_codes c
    join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
    join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    join service_providers p on p.id = c.service_provider_id
    left join cashiers w on w.service_provider_id = c.service_provider_id and w.id = c.cashier_id
    where c.code = ${code} and c.state = 'active'`.execute(tx),
  );
  const row = found.rows[0];
  if (!row) throw new Refusal(404, "pay-code.void", "收款码已失效，请向店员索取新的收款码");
  return row;
}
