import { idsOf, levelFilters, levelTargets, listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { type Caller, sees } from "../../../../apps/server/testing/matrix/people.ts";
import {
  AE,
  amongBody,
  inBody,
  inPath,
  inQuery,
  MCH,
  model,
  own,
  type Policy,
  policy,
  slot,
  SP,
  type Target,
  withOwn,
} from "../../../../apps/server/testing/matrix/policy.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { type BaseFact, baseFacts, type ProductFact, productFacts } from "./plant.ts";

const SHOP = [...MCH, ...AE];
const LIBRARY = [...SP, ...MCH];
const goods = (world: HttpWorld) => world.of(productFacts);
const library = (world: HttpWorld) => world.of(baseFacts);
const targets = (world: HttpWorld): Target[] => goods(world).map((one) => ({ id: one.id, place: one }));
const requestId = ({ services }: HttpWorld) => services.ids.uuid(services.clock.now_ms());
/** A product is seen by all of its merchant's people. */
const withProduct =
  (more: (fact: ProductFact, world: HttpWorld, caller: Caller) => object): Policy["sample"] =>
  (world, caller) => {
    const fact = own(goods(world), caller);
    return fact && { body: more(fact, world, caller) };
  };
const idSlot = (name = "id") => slot(name, inBody(name), targets);
const sku = (world: HttpWorld) => ({ skuNo: `N${world.services.ids.digits(12)}`, priceCents: 500 });
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const products: readonly Policy[] = [
  policy("GET /api/products", SHOP, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: [
      slot("tagId", inQuery("tagId"), (world) => goods(world).map((one) => ({ id: one.tagId, place: one })), {
        unseen: 200,
        sees: () => true,
      }),
    ],
    model: listOf(goods),
  }),
  policy("GET /api/products/summary", SHOP, {
    model: model<ProductFact>({ facts: goods, shown: (body) => (body as { count: number }).count, expected: (all) => all.length }),
  }),
  policy("GET /api/products/:id", SHOP, {
    sample: withOwn(goods, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), targets)],
  }),
  policy("POST /api/products/add", MCH, {
    sample: (world) => ({ body: { requestId: requestId(world), name: "新商品", skus: [sku(world)] } }),
  }),
  policy("POST /api/products/update", MCH, {
    sample: withProduct(({ id }) => ({ id, revision: 1, name: "改名", skus: [{ id, spec: [] }] })),
    slots: [slot("id", (given, id) => ({ body: { ...(given.body as object), id, skus: [{ id, spec: [] }] } }), targets)],
  }),
  policy("POST /api/products/sale", MCH, {
    sample: withProduct(({ id }) => ({ onSale: false, skuIds: [id] })),
    slots: [slot("skuIds", amongBody("skuIds"), targets)],
  }),
  policy("POST /api/products/remove", MCH, { sample: withProduct(({ id }) => ({ id })), slots: [idSlot()] }),
  policy("POST /api/products/price", SHOP, {
    sample: withProduct(({ id, storeId }, world) => ({
      requestId: requestId(world),
      skuId: id,
      storeId,
      priceCents: 1200,
      memberCents: 800,
    })),
    slots: [
      idSlot("skuId"),
      slot("storeId", inBody("storeId"), levelTargets("storeId"), {
        // A store of the SKU's own merchant; no other.
        sees: (caller, { place }) => sees(caller, place) && ["mch01", "mch02", "mch03"].includes(place.merchant ?? ""),
      }),
    ],
  }),
  policy("POST /api/products/price/cancel", SHOP, {
    sample: (world, caller) => {
      const fact = own(goods(world), caller);
      return fact && MCH.includes(caller as "mch01") ? { body: { id: fact.priceId } } : undefined;
    },
    // Of the merchant: a store's people may not take it back.
    slots: [
      slot("id", inBody("id"), (world) => goods(world).map((one) => ({ id: one.priceId, place: one })), {
        sees: (caller, { place }) => sees(caller, place) && MCH.includes(caller as "mch01"),
      }),
    ],
  }),
  policy("POST /api/products/scale", MCH, { sample: () => ({ body: { pattern: "FFIIIIIWWWWWC" } }) }),
  policy("POST /api/products/pictures", LIBRARY, { sample: () => ({ body: { base64: PIXEL } }) }),
  policy("GET /api/product-pictures/:id", "public", {
    envelope: "file",
    ok: 404,
    sample: () => ({ params: { id: "01a1f71c-7600-7000-8000-0123456789ab" } }),
  }),
  policy("GET /api/till/catalog", "device", {
    sample: () => ({}),
    noModel: "goods of the till's own merchant: catalog.test.ts compares them with everything there is",
  }),
];

/** The stores where the facts stand, and of AE's people only their own. */
const shelf = withProduct(({ id, storeId }, world) => ({ requestId: requestId(world), skuId: id, storeId }));
const withMore =
  (more: object): Policy["sample"] =>
  (world, caller) => {
    const given = shelf(world, caller);
    return given && { body: { ...(given.body as object), ...more } };
  };
const storeSlot = (unseen = 404) =>
  slot(
    "storeId",
    inBody("storeId"),
    (world) => goods(world).map((one) => ({ id: one.storeId, place: { merchant: one.merchant, store: 0 } })),
    { unseen },
  );
/** Every SKU of a merchant stands at each of its stores. */
const onShelves = (world: HttpWorld) =>
  goods(world).flatMap(({ id, merchant }) =>
    world.till.tree.merchants[merchant].stores.map((store, n) => ({ id, merchant, store: n, storeId: store.id })),
  );
type OnShelf = ReturnType<typeof onShelves>[number];
const shown = (all: readonly OnShelf[]): string[] => [...new Set(all.map(({ id }) => id))].toSorted();
const shelves: readonly Policy[] = [
  policy("GET /api/product-stores", SHOP, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["storeId"]),
    model: model<OnShelf>({ facts: onShelves, shown: idsOf, expected: shown }),
  }),
  policy("GET /api/product-stores/summary", SHOP, {
    slots: levelFilters(["storeId"]),
    model: model<OnShelf>({ facts: onShelves, shown: (body) => (body as { count: number }).count, expected: (all) => shown(all).length }),
  }),
  policy("GET /api/product-stores/:id", SHOP, {
    sample: withOwn(goods, ({ id, storeId }) => ({ params: { id }, query: { storeId } })),
    // A foreign SKU at its own store.
    slots: [
      slot(
        "id",
        (given, id, world) => ({ ...given, params: { id }, query: { storeId: goods(world).find((one) => one.id === id)?.storeId ?? id } }),
        targets,
      ),
    ],
  }),
  policy("POST /api/product-stores/sale", SHOP, {
    sample: withProduct(({ id, storeId }) => ({ storeId, onSale: false, skuIds: [id] })),
    slots: [slot("skuIds", amongBody("skuIds"), targets), storeSlot()],
  }),
  policy("POST /api/product-stores/stock", SHOP, { sample: withMore({ act: "in", units: 3 }), slots: [idSlot("skuId"), storeSlot()] }),
  policy("POST /api/product-stores/warning", SHOP, {
    sample: withProduct(({ id, storeId }) => ({ skuId: id, storeId, warnBelow: 2 })),
    slots: [idSlot("skuId"), storeSlot()],
  }),
  policy("POST /api/product-stores/return", SHOP, {
    sample: withProduct(({ id, storeId, orderNo }, world) => ({ requestId: requestId(world), skuId: id, storeId, orderNo, units: 1 })),
    slots: [idSlot("skuId"), storeSlot()],
  }),
];

const tagTargets = (world: HttpWorld): Target[] => goods(world).map((one) => ({ id: one.tagId, place: one }));
const tags: readonly Policy[] = [
  policy("GET /api/product-tags", MCH, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => goods(world).map((one) => ({ id: one.tagId, merchant: one.merchant }))),
  }),
  policy("GET /api/product-tags/:id", MCH, {
    sample: (world, caller) => {
      const one = own(goods(world), caller);
      return one && { params: { id: one.tagId } };
    },
    slots: [slot("id", inPath("id"), tagTargets)],
  }),
  policy("POST /api/product-tags/add", MCH, {
    sample: (world) => ({ body: { requestId: requestId(world), code: world.services.ids.digits(12), name: "新标签" } }),
  }),
  policy("POST /api/product-tags/update", MCH, {
    sample: withProduct(({ tagId }) => ({ id: tagId, name: "改名" })),
    slots: [slot("id", inBody("id"), tagTargets)],
  }),
  policy("POST /api/product-tags/remove", MCH, {
    sample: withProduct(({ tagId }) => ({ id: tagId })),
    slots: [slot("id", inBody("id"), tagTargets)],
  }),
  policy("POST /api/product-tags/members", MCH, {
    sample: withProduct(({ id, tagId }) => ({ tagId, on: false, skuIds: [id] })),
    slots: [slot("tagId", inBody("tagId"), tagTargets), slot("skuIds", amongBody("skuIds"), targets)],
  }),
];

const inLibrary = (world: HttpWorld): Target[] => library(world).map((one) => ({ id: one.id, place: one }));
/** Whose own it is: a provider changes its own library and no merchant's, a merchant its own. */
const isMine = (caller: Caller, { merchant, provider }: BaseFact): boolean => caller === (merchant ?? provider);
const mine = (world: HttpWorld, caller: Caller): BaseFact | undefined => library(world).find((one) => isMine(caller, one));
const ownSlot = slot("id", inBody("id"), inLibrary, { sees: (caller, { place }) => isMine(caller, place as BaseFact) });
const reach = (name: string): Policy =>
  policy(`POST /api/base-goods/${name}`, SP, {
    sample: (world, caller) => {
      const found = mine(world, caller);
      return found && { body: { ids: [found.id] } };
    },
    slots: [
      slot("ids", amongBody("ids"), inLibrary, { sees: (caller, { place }) => isMine(caller, place as BaseFact) }),
      slot("merchantId", inBody("merchantId"), levelTargets("merchantId")),
    ],
  });
const base: readonly Policy[] = [
  policy("GET /api/base-goods", LIBRARY, {
    sample: () => ({ query: { pageSize: "100" } }),
    slots: levelFilters(["merchantId"]),
    model: listOf(library),
  }),
  policy("GET /api/base-goods/summary", LIBRARY, {
    slots: levelFilters(["merchantId"]),
    model: model<BaseFact>({ facts: library, shown: (body) => (body as { count: number }).count, expected: (all) => all.length }),
  }),
  policy("GET /api/base-goods/:id", LIBRARY, {
    sample: withOwn(library, ({ id }) => ({ params: { id } })),
    slots: [slot("id", inPath("id"), inLibrary)],
  }),
  policy("POST /api/base-goods/add", LIBRARY, {
    sample: (world) => ({ body: { requestId: requestId(world), name: "新基础商品", variants: [{}] } }),
  }),
  policy("POST /api/base-goods/update", LIBRARY, {
    sample: (world, caller) => {
      const found = mine(world, caller);
      return found && { body: { id: found.id, revision: 1, name: "改名", variants: [{}] } };
    },
    slots: [ownSlot],
  }),
  reach("offer"),
  reach("take-back"),
  policy("POST /api/base-goods/adopt", MCH, {
    sample: (world, caller) => {
      const found = library(world).find((one) => sees(caller, one));
      return found && { body: { requestId: requestId(world), id: found.id, skus: [{ variantId: found.variantId, priceCents: 500 }] } };
    },
    slots: [
      slot(
        "id",
        (given, id, world) => ({
          body: {
            ...(given.body as object),
            id,
            skus: [{ variantId: library(world).find((one) => one.id === id)?.variantId ?? id, priceCents: 500 }],
          },
        }),
        inLibrary,
      ),
    ],
  }),
  policy("GET /api/sale-goods", LIBRARY, {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => library(world).map((one) => ({ ...one, id: one.variantId }))),
  }),
  policy("GET /api/sale-goods/summary", LIBRARY, {
    model: model<BaseFact>({ facts: library, shown: (body) => (body as { count: number }).count, expected: (all) => all.length }),
  }),
  policy("GET /api/sale-goods/:id", LIBRARY, {
    sample: withOwn(library, ({ variantId }) => ({ params: { id: variantId } })),
    slots: [slot("id", inPath("id"), (world) => library(world).map((one) => ({ id: one.variantId, place: one })))],
  }),
];
export const productPolicies: readonly Policy[] = [...products, ...shelves, ...tags, ...base];
