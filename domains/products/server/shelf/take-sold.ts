import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import type { Settlement } from "../../../orders/server/index.ts";
import { endHolds } from "./hold-stock.ts";

interface Sold {
  readonly sku_id: string;
  readonly place: number;
  readonly units: number;
}
interface Left {
  readonly name: string;
  readonly sku_no: string;
  readonly stock: number;
  readonly had: number;
  readonly warn_below: number | null;
}

/**
 * What an order sold of goods that its store counts is off the shelf when it is paid, once for each line; what it had set aside first. A till
 * may go below zero, and so may who paid after the close. A refund puts nothing back: goods that come back are taken in by somebody who has
 * them in hand (退货入库).
 */
export async function takeSold(tx: Transaction, services: Services, { kind, order }: Settlement): Promise<void> {
  if (kind === "closed" && order.goods) await endHolds(tx, order, 2);
  if (kind !== "payment") return;
  const held = order.goods ? await endHolds(tx, order, 1) : [];
  if (held.length > 0)
    await takeOff(
      tx,
      services,
      order,
      held.filter(({ counted }) => counted),
      "商城",
    );
  else if (order.priced) await takeOff(tx, services, order, await soldByLines(tx, order), "收银");
}

/** What an order's lines sold; nothing of an order that had set aside what it sells. */
async function soldByLines(tx: Transaction, { service_provider_id, store_id, id: order_id }: Settlement["order"]): Promise<Sold[]> {
  const store = sql`x.service_provider_id = ${service_provider_id} and x.store_id = ${store_id}`;
  // Held in one order, so that two tills that sell the same goods wait for each other and no more.
  const { rows: sold } = await sql<Sold>`select x.sku_id, l.place, l.units from order_lines l
    join product_skus k on k.service_provider_id = l.service_provider_id and k.merchant_id = l.merchant_id and k.sku_no = l.goods_no
    join product_stores x on ${store} and x.sku_id = k.id and x.stock is not null
    where l.service_provider_id = ${service_provider_id} and l.order_id = ${order_id}
      and not exists (select from stock_holds h where h.service_provider_id = l.service_provider_id and h.order_id = l.order_id)
    order by x.sku_id, l.place for update of x`.execute(tx);
  return sold;
}

/** Off the shelf, whose rows are held. */
async function takeOff(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id, id: order_id }: Settlement["order"],
  sold: readonly Sold[],
  by_name: string,
): Promise<void> {
  if (sold.length === 0) return;
  const store = sql`x.service_provider_id = ${service_provider_id} and x.store_id = ${store_id}`;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const moves = sold.map(({ place, sku_id, units }) => ({
    sku_id,
    units,
    id: services.ids.uuid(now_ms),
    cause_id: `${order_id}:${place}`,
  }));
  const { rows: left } = await sql<Left>`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as g(id uuid, sku_id uuid, cause_id text, units int)),
    moved as (insert into stock_moves (service_provider_id, id, merchant_id, store_id, sku_id, cause, cause_id, units, stock_after, order_id, by_name, created_at)
      select ${service_provider_id}, g.id, ${merchant_id}, ${store_id}, g.sku_id, 4, g.cause_id, -g.units,
        x.stock - sum(g.units) over (partition by g.sku_id order by g.id), ${order_id}, ${by_name}, ${now}
      from given g join product_stores x on ${store} and x.sku_id = g.sku_id
      on conflict (service_provider_id, cause, cause_id, sku_id, store_id) do nothing returning sku_id, units),
    total as (select sku_id, sum(units)::int as units from moved group by 1),
    taken as (update product_stores x set stock = x.stock + t.units from total t where ${store} and x.sku_id = t.sku_id
      returning x.sku_id, x.stock, x.stock - t.units as had, x.warn_below)
    select p.name, k.sku_no, t.stock, t.had, t.warn_below from taken t join product_skus k on k.service_provider_id = ${service_provider_id} and k.id = t.sku_id
    join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id`.execute(tx);
  for (const one of left) await warn(tx, { service_provider_id, merchant_id, store_id, now }, one);
}

/** Told when it goes below zero, or to the mark, by this sale. */
async function warn(
  tx: Transaction,
  at: { service_provider_id: string; merchant_id: string; store_id: string; now: string },
  { name, sku_no, stock, had, warn_below }: Left,
): Promise<void> {
  const below = stock < 0 && had >= 0;
  if (!below && !(warn_below !== null && stock <= warn_below && had > warn_below)) return;
  await tell(
    tx,
    { level: "store", provider: at.service_provider_id, merchant: at.merchant_id, store: at.store_id },
    {
      kind: "stockLow",
      title: below ? `「${name}」负库存：${stock} 件` : `「${name}」库存剩 ${stock} 件`,
      body: below ? "卖出的比记录的多，请盘点" : `已到预警线 ${warn_below} 件，请补货`,
      href: `/product/store?storeId=${at.store_id}&keyword=${sku_no}`,
      item: "/product/store",
      at: at.now,
    },
  );
}
