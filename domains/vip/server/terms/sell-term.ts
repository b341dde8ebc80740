import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { storeOf } from "../../../orders/server/index.ts";
import { getTillOffers, getVipOffers, sellTerm, sellTermAtTill } from "../../contract/index.ts";
import type { Level } from "../levels/level-rules.ts";
import { ladderOf, type Merchant } from "../levels/read-rules.ts";
import { type Prepaid, sellAtOffice, sellAtTill } from "../sell.ts";
import { onSaleAt } from "../times/write-products.ts";

interface Bought extends Level {
  readonly price_cents: number;
  readonly months: number;
}
const bought = (levels: readonly Level[]): Bought[] =>
  levels.flatMap((level) =>
    level.price_cents === null || level.months === null ? [] : [{ ...level, price_cents: level.price_cents, months: level.months }],
  );
const offerOf = ({ rank, name, price_cents, months }: Bought) => ({ rank, name, priceCents: price_cents as never, months });

/** The level as it is sold now. @throws 400 at `rank` where it is not for sale */
async function termOf(tx: Transaction, services: Services, merchant: Merchant, rank: number): Promise<Prepaid> {
  const ladder = await ladderOf(tx, merchant);
  const level = bought(ladder.levels).find((one) => one.rank === rank);
  if (!level) throw invalid("rank", "这个等级不出售");
  const { name, price_cents, months } = level;
  return {
    purpose: 2,
    subject: `${name} ${months} 个月`,
    price_cents,
    asked: { rank },
    write: async (own, order) => {
      if ((await ladderOf(own, merchant)).version !== ladder.version) throw conflict("等级价格刚有变化，请重新下单", "price.changed");
      const { service_provider_id, merchant_id, store_id, id: order_id, member_id, created_at } = order;
      await own
        .insertInto("vip_terms")
        .values({
          service_provider_id,
          merchant_id,
          store_id,
          order_id,
          member_id,
          id: services.ids.uuid(Date.parse(created_at)),
          rank,
          version: ladder.version,
          name,
          price_cents,
          months,
          created_at,
        })
        .execute();
    },
  };
}

/** 收银开通VIP. */
export const sellTermAtTillRoute = implement(sellTermAtTill, async (ctx, { rank, ...paying }) => {
  const store = storeOf(ctx.scope);
  return sellAtTill(ctx, paying, await ctx.transaction((tx) => termOf(tx, ctx.services, store, rank), { readOnly: true }));
});
/** 开通VIP from the office. */
export const sellTermRoute = implement(sellTerm, async (ctx, { rank, ...asked }) => {
  const sold = await sellAtOffice(ctx, asked, (merchant) =>
    ctx.transaction((tx) => termOf(tx, ctx.services, merchant, rank), { readOnly: true }),
  );
  return { ...sold, id: await ctx.transaction((tx) => idOf(tx, "vip_terms", sold.orderNo), { readOnly: true }) };
});
/** The thing that an order sold. */
export async function idOf(tx: Transaction, table: "vip_terms" | "times_cards", order_no: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select x.id from ${sql.table(table)} x
    join pay_orders o on o.service_provider_id = x.service_provider_id and o.id = x.order_id where o.order_no = ${order_no}`.execute(tx);
  if (!rows[0]) throw notFound("订单");
  return rows[0].id;
}
export const getVipOffersRoute = implement(getVipOffers, async (ctx) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw notFound("商户");
  const ladder = await ladderOf(ctx.tx, { service_provider_id: provider, merchant_id: merchant });
  return { levels: bought(ladder.levels).map(offerOf) };
});
/** 收银可售会员商品. */
export const getTillOffersRoute = implement(getTillOffers, async (ctx) => {
  const store = storeOf(ctx.scope);
  const products = await onSaleAt(ctx.tx, store, store.store_id);
  return {
    levels: bought((await ladderOf(ctx.tx, store)).levels).map(offerOf),
    timesProducts: products.map(({ id, name, times, gift_times, price_cents, days }) => ({
      id,
      name,
      times,
      giftTimes: gift_times,
      priceCents: price_cents as never,
      days,
    })),
  };
});
