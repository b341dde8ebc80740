import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { returnGoods } from "../../contract/index.ts";
import { shopOf } from "../prices/change-price.ts";
import { type At, holdStock, writeMove } from "./move-stock.ts";
import { type SoldLine, unitsGivenBack } from "./return-rules.ts";

/** 退货入库: goods of an order that was refunded are on the shelf again; no more than it sold and gave back, over all returns. */
export const returnGoodsRoute = implement(returnGoods, async (ctx, { requestId, storeId, skuId, orderNo, units }) => {
  const shop = await shopOf(ctx, skuId, storeId);
  const at = { ...shop, store_id: storeId, sku_id: skuId };
  // Held first, so that two returns of one order count each other.
  const { stock } = await holdStock(ctx.tx, at);
  if (stock === null) throw conflict("这个商品还没有开始计数");
  const order = await readOrder(ctx.tx, at, orderNo);
  if (!order) throw invalid("orderNo", "本店没有这笔订单，或订单里没有这个商品");
  const most = unitsGivenBack(order.lines, order) - order.returned;
  if (units > most) throw invalid("units", most > 0 ? `这笔订单最多还可退货 ${most} 件` : "这笔订单没有可以退货的件数，请先退款");
  const left = await writeMove(ctx, at, { cause: 5, cause_id: requestId, units, after: stock + units, order_id: order.id });
  ctx.note({
    targetKind: "product",
    targetId: skuId,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { storeId, orderNo, units },
  });
  return { stock: left };
});

interface Order {
  readonly id: string;
  readonly full: boolean;
  /** What was given back without a word of its lines, stored value too. */
  readonly loose_cents: number;
  readonly returned: number;
  readonly lines: readonly SoldLine[];
}
/** An order of the store that sold the SKU, with what was given back of it. */
async function readOrder(tx: Transaction, { service_provider_id, store_id, sku_id }: At, orderNo: string): Promise<Order | undefined> {
  const { rows } = await sql<Order>`
    select o.id, o.status = 3 as full,
      (select coalesce(sum(r.value_cents), 0)::bigint from refunds r where r.service_provider_id = o.service_provider_id and r.order_id = o.id and r.status = 2
        and not exists (select 1 from price_backs b where b.service_provider_id = r.service_provider_id and b.refund_id = r.id and b.source = 'line')) as loose_cents,
      (select coalesce(sum(m.units), 0)::int from stock_moves m where m.service_provider_id = o.service_provider_id and m.order_id = o.id and m.sku_id = ${sku_id} and m.cause in (5, 7)) as returned,
      (select jsonb_agg(jsonb_build_object('units', l.units, 'net_cents', l.net_cents, 'back_units', (select coalesce(sum(b.units), 0) from price_backs b
          join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id and r.status = 2
          where b.service_provider_id = l.service_provider_id and b.order_id = l.order_id and b.source = 'line' and b.ref = l.place::text)) order by l.place)
        from order_lines l join product_skus k on k.service_provider_id = l.service_provider_id and k.merchant_id = l.merchant_id and k.sku_no = l.goods_no
        where l.service_provider_id = o.service_provider_id and l.order_id = o.id and k.id = ${sku_id}) as lines
    from pay_orders o where o.service_provider_id = ${service_provider_id} and o.store_id = ${store_id} and o.order_no = ${orderNo} and o.status in (2, 3)`.execute(
    tx,
  );
  return rows[0]?.lines ? rows[0] : undefined;
}
