import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { storeOf } from "../../../orders/server/index.ts";
import { sellTimesCard, sellTimesCardAtTill } from "../../contract/index.ts";
import type { Merchant } from "../levels/read-rules.ts";
import { type Prepaid, sellAtOffice, sellAtTill } from "../sell.ts";
import { idOf } from "../terms/sell-term.ts";
import { onSaleAt } from "./write-products.ts";

const NO_DIGITS = 12;
/** A times card as it is sold at a store now. @throws 400 at `productId` where it is not */
async function cardOf(
  tx: Transaction,
  services: Services,
  store: Merchant & { readonly store_id: string },
  product_id: string,
): Promise<Prepaid> {
  const product = (await onSaleAt(tx, store, store.store_id)).find(({ id }) => id === product_id);
  if (!product) throw invalid("productId", "这种次卡不在本店出售");
  const { name, times, gift_times, price_cents, single_price_cents, days, store_ids, revision } = product;
  return {
    purpose: 3,
    subject: `${name} ${times + gift_times} 次`,
    price_cents,
    asked: { productId: product_id },
    write: async (own, order) => {
      const now = await own
        .selectFrom("times_products")
        .select("revision")
        .where("service_provider_id", "=", order.service_provider_id)
        .where("id", "=", product_id)
        .executeTakeFirst();
      if (now?.revision !== revision) throw conflict("次卡刚有变化，请重新下单", "price.changed");
      const { service_provider_id, merchant_id, store_id, id: order_id, member_id, created_at } = order;
      await own
        .insertInto("times_cards")
        .values({
          service_provider_id,
          merchant_id,
          store_id,
          order_id,
          member_id,
          product_id,
          id: services.ids.uuid(Date.parse(created_at)),
          card_no: services.ids.digits(NO_DIGITS),
          name,
          times,
          gift_times,
          left_times: times + gift_times,
          price_cents,
          single_price_cents,
          days,
          store_ids,
          created_at,
        })
        .execute();
    },
  };
}

/** 收银售次卡. */
export const sellTimesCardAtTillRoute = implement(sellTimesCardAtTill, async (ctx, { productId, ...paying }) => {
  const store = storeOf(ctx.scope);
  return sellAtTill(ctx, paying, await ctx.transaction((tx) => cardOf(tx, ctx.services, store, productId), { readOnly: true }));
});
/** 售次卡 from the office. */
export const sellTimesCardRoute = implement(sellTimesCard, async (ctx, { productId, ...asked }) => {
  const sold = await sellAtOffice(ctx, asked, (store) =>
    ctx.transaction((tx) => cardOf(tx, ctx.services, store, productId), { readOnly: true }),
  );
  return { ...sold, id: await ctx.transaction((tx) => idOf(tx, "times_cards", sold.orderNo), { readOnly: true }) };
});
