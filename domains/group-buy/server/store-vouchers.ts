import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type VoucherPlatform, voucherPlatform } from "../contract/index.ts";

/** Amounts in cents; of tickets uses less reversals, as 团购券汇总 has them. */
export interface StoreVouchers {
  readonly storeId: string;
  readonly day: string;
  readonly platform: VoucherPlatform;
  readonly used: number;
  readonly reversed: number;
  /** 用户实付 of uses and of reversals apart. */
  readonly usedPayCents: number;
  readonly reversedPayCents: number;
  readonly merchantTicketCents: number;
  readonly platformTicketCents: number;
  /** Commission and income: of uses that stand in a bill what it says, of the rest what is expected. */
  readonly feeCents: number;
  readonly incomeCents: number;
  /** Of the income what bills pay, how many uses that is, and how many facts still wait for a bill or were taken back on another day. */
  readonly settledCents: number;
  readonly billed: number;
  readonly waiting: number;
  /** Uses whose lines do not add up by themselves. */
  readonly uneven: number;
}
/**
 * The vouchers of stores on days, by platform. Counts, payments and tickets are what 团购券汇总 says of the same store, day and platform; what
 * bills pay is looked for use by use, under whatever day and store its lines stand. The caller has made sure that the level sees platforms' facts.
 */
export async function storeVouchers(
  tx: Transaction,
  scope: Scope,
  of: { readonly storeIds: readonly string[]; readonly from: string; readonly to: string },
): Promise<StoreVouchers[]> {
  const { rows } = await sql<StoreVouchers>`
    select v.store_id as "storeId", v.day, v.platform, v.used, v.reversed, v.used_pay_cents as "usedPayCents", v.reversed_pay_cents as "reversedPayCents",
      v.merchant_ticket_cents as "merchantTicketCents", v.platform_ticket_cents as "platformTicketCents", v.fee_cents as "feeCents",
      v.income_cents as "incomeCents", v.settled_cents as "settledCents", v.billed, v.waiting, v.uneven
    from (select s.service_provider_id, s.merchant_id, array_agg(s.id) as ids from stores s
        where ${inScope(scope, "s")} and s.id = any(${`{${of.storeIds.join(",")}}`}::uuid[]) group by 1, 2) m
      cross join lateral app.vouchers_of(m.service_provider_id, m.merchant_id, m.ids, daterange(${of.from}::date, ${of.to}::date, '[]'),
        ${`{${voucherPlatform.values.join(",")}}`}::text[]) v
    order by v.platform`.execute(tx);
  return rows;
}
