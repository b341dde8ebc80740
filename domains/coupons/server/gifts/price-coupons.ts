import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type CouponTerms, worthWords } from "../../contract/index.ts";

/** A coupon as something that gives it sees it. */
export interface Priced {
  readonly worth: string;
  /** The most that one takes off. */
  readonly value_cents: number;
  readonly state: string;
  readonly ends_at: string;
}
interface Owner {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** Those of a merchant's campaigns among these, by id. */
export async function priceCoupons(
  tx: Transaction,
  { service_provider_id, merchant_id }: Owner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Priced>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Omit<Priced, "worth"> & { id: string; terms: CouponTerms }>`
    select c.id, c.state, c.ends_at, t.terms, t.value_cents from coupon_campaigns c
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
    where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.id = any(${[...ids]}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map(({ id, terms, ...row }) => [id, { ...row, worth: worthWords(terms) }]));
}
