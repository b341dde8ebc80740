import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** The invariants of platforms.md 8 that a reading of the tables can break: 16, 17, 18. @returns what does not hold, a hundred of each at most */
export async function verifyProducts(tx: Transaction): Promise<readonly unknown[]> {
  const asks = [
    // 16: the price now is the newest that has begun.
    sql`select 'price' as rule, k.id, null::uuid as store_id from product_skus k where k.retired_at is null and (k.price_cents, k.member_cents) is distinct from (
        (select a.cents from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.store_id is null and a.kind = 'price' and a.status = 2
          order by a.from_at desc, a.rev desc limit 1),
        (select a.cents from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.store_id is null and a.kind = 'member' and a.status = 2
          order by a.from_at desc, a.rev desc limit 1)) limit 100`,
    sql`select 'store price' as rule, x.sku_id as id, x.store_id from product_stores x join product_skus k on k.service_provider_id = x.service_provider_id and k.id = x.sku_id
      where k.retired_at is null and (x.price_cents, x.member_cents) is distinct from (
        (select a.cents from product_prices a where a.service_provider_id = x.service_provider_id and a.sku_id = x.sku_id and a.store_id = x.store_id and a.kind = 'price' and a.status = 2
          order by a.from_at desc, a.rev desc limit 1),
        (select a.cents from product_prices a where a.service_provider_id = x.service_provider_id and a.sku_id = x.sku_id and a.store_id = x.store_id and a.kind = 'member' and a.status = 2
          order by a.from_at desc, a.rev desc limit 1)) limit 100`,
    // 17: a stock is the sum of its moves.
    sql`select 'stock' as rule, x.sku_id as id, x.store_id from product_stores x left join lateral (select coalesce(sum(m.units), 0) as units from stock_moves m
        where m.service_provider_id = x.service_provider_id and m.store_id = x.store_id and m.sku_id = x.sku_id) m on true
      where coalesce(x.stock, 0) <> m.units limit 100`,
    // What is set aside is what open orders hold.
    sql`select 'reserved' as rule, x.sku_id as id, x.store_id from product_stores x left join lateral (select coalesce(sum(h.units), 0) as units from stock_holds h
        where h.service_provider_id = x.service_provider_id and h.store_id = x.store_id and h.sku_id = x.sku_id and h.status = 0) h on true
      where x.reserved <> h.units limit 100`,
    sql`select 'hold' as rule, h.sku_id as id, h.store_id from stock_holds h join pay_orders o on o.service_provider_id = h.service_provider_id and o.id = h.order_id
      where h.status = 0 and o.status <> 0 limit 100`,
    // 18: a living bar code once in a merchant, and of a living SKU.
    sql`select 'barcode' as rule, b.sku_id as id, null::uuid as store_id from sku_barcodes b join product_skus k on k.service_provider_id = b.service_provider_id and k.id = b.sku_id
      where b.retired_at is null and k.retired_at is not null limit 100`,
  ];
  const found: unknown[] = [];
  for (const ask of asks) found.push(...(await ask.execute(tx)).rows);
  return found;
}
