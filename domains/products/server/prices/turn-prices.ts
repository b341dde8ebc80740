import { sql } from "kysely";
import { z } from "zod";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { AHEAD_MS } from "../../contract/index.ts";
import { nextRev, type Shop } from "../catalog/raise-rev.ts";

/** Carries out what has begun of a merchant's planned prices, and tells tills what begins soon; under the catalogue's lock. */
export async function turnPrices(tx: Transaction, { service_provider_id, merchant_id }: Shop, rev: number, now_ms: number): Promise<void> {
  const now = new Date(now_ms).toISOString();
  const soon = new Date(now_ms + AHEAD_MS).toISOString();
  const mine = sql`a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id}`;
  await sql`with due as (
      select distinct on (a.sku_id, a.kind) a.sku_id, a.kind, a.cents from product_prices a
      where ${mine} and a.status < 2 and a.from_at <= ${now}::timestamptz and a.store_id is null order by a.sku_id, a.kind, a.from_at desc),
    by_sku as (select sku_id, max(cents) filter (where kind = 'price') as price, max(cents) filter (where kind = 'member') as member,
      bool_or(kind = 'member') as has_member from due group by 1)
    update product_skus k set price_cents = coalesce(d.price, k.price_cents), member_cents = case when d.has_member then d.member else k.member_cents end
    from by_sku d where k.service_provider_id = ${service_provider_id} and k.id = d.sku_id`.execute(tx);
  await sql`with due as (
      select distinct on (a.sku_id, a.store_id, a.kind) a.sku_id, a.store_id, a.kind, a.cents from product_prices a
      where ${mine} and a.status < 2 and a.from_at <= ${now}::timestamptz and a.store_id is not null order by a.sku_id, a.store_id, a.kind, a.from_at desc),
    by_sku as (select sku_id, store_id, max(cents) filter (where kind = 'price') as price, max(cents) filter (where kind = 'member') as member,
      bool_or(kind = 'price') as has_price, bool_or(kind = 'member') as has_member from due group by 1, 2)
    insert into product_stores (service_provider_id, merchant_id, store_id, sku_id, price_cents, member_cents)
      select ${service_provider_id}::uuid, ${merchant_id}::uuid, d.store_id, d.sku_id,
        case when d.has_price then d.price else x.price_cents end, case when d.has_member then d.member else x.member_cents end
      from by_sku d left join product_stores x on x.service_provider_id = ${service_provider_id} and x.store_id = d.store_id and x.sku_id = d.sku_id
    on conflict (service_provider_id, store_id, sku_id) do update set price_cents = excluded.price_cents, member_cents = excluded.member_cents`.execute(
    tx,
  );
  await sql`with turned as (
      update product_prices a set status = case when a.from_at <= ${now}::timestamptz then 2 else 1 end
      where ${mine} and (a.status < 2 and a.from_at <= ${now}::timestamptz or a.status = 0 and a.from_at <= ${soon}::timestamptz) returning a.sku_id)
    update product_skus k set rev = ${rev} from (select distinct sku_id from turned) t
    where k.service_provider_id = ${service_provider_id} and k.id = t.sku_id`.execute(tx);
}

/** Every minute, each merchant that has something to turn, in a transaction of its own. */
export const turnPricesJob = job({
  name: "turn-prices",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: async ({ pool, clock }) => {
    const now_ms = clock.now_ms();
    const waiting = await withScope(pool, platformScope("find prices to turn"), (tx) =>
      sql<Shop>`select distinct a.service_provider_id, a.merchant_id from product_prices a
        where a.status < 2 and a.from_at <= ${new Date(now_ms).toISOString()}::timestamptz
          or a.status = 0 and a.from_at <= ${new Date(now_ms + AHEAD_MS).toISOString()}::timestamptz limit 1000`.execute(tx),
    );
    for (const shop of waiting.rows)
      await withScope(pool, platformScope("turn prices"), async (tx) => turnPrices(tx, shop, await nextRev(tx, shop), now_ms));
  },
});
