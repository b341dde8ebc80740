import { sql } from "kysely";
import { conflict, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** An order of a store, as far as its goods go. */
export interface ShelfOrder {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly id: string;
}
/** What it orders of goods, by the shop's own number of them. */
export interface Ordered {
  readonly place: number;
  readonly goods_no: string;
  readonly name: string;
  readonly units: number;
}
interface Counted {
  readonly sku_id: string;
  readonly sku_no: string;
  readonly free: number;
}

/**
 * 占用库存, in the transaction that places an order: of goods that the store counts as much as is ordered is set aside until it is paid or
 * closed. What is not counted is not looked at. Held in one order, so that two who order the same goods wait for each other and no more.
 * @throws 409 `stock.short` at the line of which too little is there
 */
export async function reserveStock(tx: Transaction, order: ShelfOrder, lines: readonly Ordered[]): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const { rows: counted } = await sql<Counted>`select k.id as sku_id, k.sku_no, x.stock - x.reserved as free from product_skus k
    join product_stores x on x.service_provider_id = k.service_provider_id and x.store_id = ${store_id} and x.sku_id = k.id and x.stock is not null
    where k.service_provider_id = ${service_provider_id} and k.merchant_id = ${merchant_id} and k.sku_no = any(${[...new Set(lines.map(({ goods_no }) => goods_no))]}::text[])
    order by k.id for update of x`.execute(tx);
  for (const { sku_id, sku_no, free } of counted) {
    const own = lines.filter(({ goods_no }) => goods_no === sku_no);
    const units = own.reduce((sum, line) => sum + line.units, 0);
    if (units > free) throw short(lines.indexOf(own[0]!), own[0]!.name, Math.max(0, free));
    const changed = await tx
      .updateTable("product_stores")
      .set((column) => ({ reserved: column("reserved", "+", units) }))
      .where("service_provider_id", "=", service_provider_id)
      .where("store_id", "=", store_id)
      .where("sku_id", "=", sku_id)
      .where((column) => column.eb(column("stock", "-", column.ref("reserved")), ">=", units))
      .executeTakeFirst();
    mustChange(changed, () => conflict("库存刚刚变了，请重新下单", "stock.short"));
    await tx
      .insertInto("stock_holds")
      .values(own.map((line) => ({ service_provider_id, merchant_id, store_id, order_id, sku_id, place: line.place, units: line.units })))
      .execute();
  }
}
function short(line: number, name: string, free: number): Refusal {
  const message = free === 0 ? `「${name}」已售完` : `「${name}」只剩 ${free} 件`;
  return new Refusal(409, "stock.short", message, { [`lines.${line}.quantity`]: message });
}

/** What an order has set aside, its rows held. @param status of the holds that are meant */
export async function heldBy(tx: Transaction, { service_provider_id, id }: ShelfOrder, status: readonly number[]) {
  const { rows } = await sql<{ place: number; sku_id: string; units: number; status: number; counted: boolean }>`
    select h.place, h.sku_id, h.units, h.status, x.stock is not null as counted from stock_holds h
    join product_stores x on x.service_provider_id = h.service_provider_id and x.store_id = h.store_id and x.sku_id = h.sku_id
    where h.service_provider_id = ${service_provider_id} and h.order_id = ${id} and h.status = any(${status}::smallint[])
    order by h.sku_id, h.place for update of x, h`.execute(tx);
  return rows;
}
/** Nothing of the order is set aside any more: it was paid (1) or closed (2). @returns what it had set aside or had let go before */
export async function endHolds(tx: Transaction, order: ShelfOrder, status: 1 | 2) {
  const held = await heldBy(tx, order, status === 1 ? [0, 2] : [0]);
  if (held.length === 0) return held;
  const { service_provider_id, store_id, id } = order;
  await sql`with freed as (select h.sku_id, sum(h.units)::int as units from stock_holds h
      where h.service_provider_id = ${service_provider_id} and h.order_id = ${id} and h.status = 0 group by 1)
    update product_stores x set reserved = x.reserved - f.units from freed f
    where x.service_provider_id = ${service_provider_id} and x.store_id = ${store_id} and x.sku_id = f.sku_id`.execute(tx);
  await sql`update stock_holds h set status = ${status} where h.service_provider_id = ${service_provider_id} and h.order_id = ${id}
    and h.status = any(${held.map((one) => one.status)}::smallint[])`.execute(tx);
  return held;
}

/**
 * Goods that were sold and never left: back on the shelf, once, as far as the store still counts them. Again changes nothing.
 * @param places of the order's lines; all of them where left out
 */
export async function backOnShelf(tx: Transaction, services: Services, order: ShelfOrder, places?: readonly number[]): Promise<void> {
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const sold = (await heldBy(tx, order, [1])).filter(({ place }) => places === undefined || places.includes(place));
  const now_ms = services.clock.now_ms();
  for (const { place, sku_id, units, counted } of sold) {
    await sql`update stock_holds h set status = 3 where h.service_provider_id = ${service_provider_id} and h.order_id = ${order_id} and h.place = ${place}`.execute(
      tx,
    );
    if (!counted) continue;
    const { rows } = await sql<{ stock: number }>`update product_stores x set stock = x.stock + ${units}
      where x.service_provider_id = ${service_provider_id} and x.store_id = ${store_id} and x.sku_id = ${sku_id} returning x.stock`.execute(
      tx,
    );
    await tx
      .insertInto("stock_moves")
      .values({
        service_provider_id,
        merchant_id,
        store_id,
        sku_id,
        order_id,
        id: services.ids.uuid(now_ms),
        cause: 7,
        cause_id: `${order_id}:${place}`,
        units,
        stock_after: rows[0]!.stock,
        by_name: "商城",
        created_at: new Date(now_ms).toISOString(),
      })
      .execute();
  }
}
