import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A SKU of a merchant: tagged, counted at its first store, with a price that has not begun. */
export interface ProductFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly tagId: string;
  readonly priceId: string;
  readonly storeId: string;
  /** An order of that store that sold it and was given back. */
  readonly orderNo: string;
}
/** Something of a library: a provider's, offered to all its merchants, or a merchant's own. */
export interface BaseFact {
  readonly id: string;
  readonly variantId: string;
  readonly provider: "sp01" | "sp02";
  readonly merchant?: MerchantKey;
  readonly merchantId: string | null;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const;

async function stockShops({ till, services, owner, send }: Soil): Promise<ProductFact[]> {
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const made: ProductFact[] = [];
  for (const merchant of MERCHANTS) {
    const ask = async (path: string, body: object) =>
      (await send(merchant, { verb: "POST", path: `/api/${path}`, body })).body as { id: string };
    const store = till.tree.merchants[merchant].stores[0]!;
    const sku = { skuNo: `SKU-${merchant}`, priceCents: 1000, memberCents: 900, barcodes: [{ barcode: `BOX-${merchant.toUpperCase()}` }] };
    const { id } = await ask("products/add", {
      requestId: requestId(),
      name: `矩阵商品 ${merchant}`,
      category: `分类 ${merchant}`,
      skus: [sku],
    });
    const { id: tagId } = await ask("product-tags/add", { requestId: requestId(), code: `TAG-${merchant}`, name: `标签 ${merchant}` });
    await ask("product-tags/members", { tagId, on: true, skuIds: [id] });
    await ask("products/price", {
      requestId: requestId(),
      skuId: id,
      priceCents: 1100,
      memberCents: 900,
      from: new Date(services.clock.now_ms() + 86_400_000).toISOString(),
    });
    await ask("product-stores/stock", { requestId: requestId(), storeId: store.id, skuId: id, act: "start", units: 10 });
    const price = await owner.query<{ id: string }>("select id from product_prices where sku_id = $1 and status < 2", [id]);
    const order = await owner.query<{ order_no: string }>(
      `with o as (select x.* from pay_orders x where x.store_id = $1 and x.status in (2, 3) order by x.refunded_cents desc, x.id limit 1),
        l as (insert into order_lines (service_provider_id, order_id, place, merchant_id, store_id, goods_no, name, units, unit_cents, net_cents)
          select service_provider_id, id, 1, merchant_id, store_id, $2, '商品', 1, 1, 1 from o)
       select order_no from o`,
      [store.id, sku.skuNo],
    );
    made.push({ id, merchant, tagId, priceId: price.rows[0]!.id, storeId: store.id, orderNo: order.rows[0]!.order_no });
  }
  return made;
}
export const productFacts = plant(stockShops);

async function fillLibraries({ till, services, owner, send }: Soil): Promise<BaseFact[]> {
  const made: BaseFact[] = [];
  for (const [login, place] of [
    ["sp01", { provider: "sp01" }],
    ["sp02", { provider: "sp02" }],
    ["mch01", { provider: "sp01", merchant: "mch01" }],
    ["mch02", { provider: "sp02", merchant: "mch02" }],
  ] as const) {
    const body = {
      requestId: services.ids.uuid(services.clock.now_ms()),
      name: `基础商品 ${login}`,
      category: `库 ${login}`,
      variants: [{ barcode: `LIB-${login.toUpperCase()}` }],
    };
    const { id } = (await send(login, { verb: "POST", path: "/api/base-goods/add", body })).body as { id: string };
    if (!("merchant" in place)) await send(login, { verb: "POST", path: "/api/base-goods/offer", body: { ids: [id] } });
    const variant = await owner.query<{ id: string }>("select id from base_skus where base_id = $1", [id]);
    made.push({
      id,
      variantId: variant.rows[0]!.id,
      ...place,
      merchantId: "merchant" in place ? till.tree.merchants[place.merchant].id : null,
    });
  }
  return made;
}
export const baseFacts = plant(fillLibraries);
