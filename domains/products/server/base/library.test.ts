import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope } from "@zhangfang/server/database/scope.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import {
  addBaseGood,
  adoptBaseGood,
  getBaseGood,
  getBaseGoods,
  getProduct,
  getSaleGood,
  getSaleGoods,
  offerBaseGoods,
  setProductSale,
  takeBackBaseGoods,
  updateBaseGood,
  updateProduct,
} from "../../contract/index.ts";
import { products } from "../index.ts";
import { adopt } from "./offer-base.ts";
import { spreadBaseGood } from "./write-base.ts";

let world: World;
let [sp01, sp02, own, other] = ["", "", "", ""];
beforeAll(async () => {
  world = await openWorld(products.routes);
  [sp01, sp02, own, other] = [
    await world.signIn("sp01"),
    await world.signIn("sp02"),
    await world.signIn("mch01"),
    await world.signIn("mch03"),
  ];
});
afterAll(() => world.close());

let n = 0;
const given = (more: object = {}) =>
  ({ requestId: randomUUID(), name: `基础${++n}`, unit: "瓶", taxRate: 13000, variants: [{ barcode: `LIB-${n}` }], ...more }) as InputOf<
    typeof addBaseGood
  >;
const make = async (more: object = {}, token = sp01) => {
  const input = given(more);
  const { id } = await world.call(addBaseGood, token, input);
  return { id, name: input.name, variants: (await world.call(getBaseGood, token, { id })).variants };
};
const sell = (good: Awaited<ReturnType<typeof make>>, token = own, priceCents = 500) =>
  world.call(adoptBaseGood, token, {
    requestId: randomUUID(),
    id: good.id,
    skus: [{ variantId: good.variants[0]!.id, priceCents }],
  } as never);

test("what a provider keeps is seen by the merchants that it offers it to, and by nobody else", async () => {
  const good = await make();
  const seen = async (token: string) => (await world.call(getBaseGoods, token, { keyword: good.name })).items.length;
  expect([await seen(sp01), await seen(own), await seen(other), await seen(sp02)]).toEqual([1, 0, 0, 0]);
  await world.call(offerBaseGoods, sp01, { ids: [good.id], merchantId: world.tree.merchants.mch01.id });
  expect([await seen(own), await seen(other)]).toEqual([1, 0]);
  expect((await world.refused(offerBaseGoods, sp01, { ids: [good.id], merchantId: world.tree.merchants.mch02.id })).status).toBe(404);
  expect((await world.refused(offerBaseGoods, sp02, { ids: [good.id] })).status).toBe(404);
  expect((await world.refused(offerBaseGoods, own, { ids: [good.id] })).status).toBe(403);
  expect((await world.refused(updateBaseGood, own, { ...given(), id: good.id, revision: 1 } as never)).status).toBe(404);
  await world.call(offerBaseGoods, sp01, { ids: [good.id] });
  expect([await seen(other), await seen(sp02)]).toEqual([1, 0]);
  expect(
    (
      await world.refused(adoptBaseGood, other, {
        requestId: randomUUID(),
        id: (await make()).id,
        skus: [{ variantId: randomUUID(), priceCents: 1 }],
      } as never)
    ).status,
  ).toBe(404);
});

test("a merchant's own library is its own; a bar code stands once in a library", async () => {
  const mine = await make({}, own);
  expect((await world.call(getBaseGoods, other, { keyword: mine.name })).items).toEqual([]);
  expect((await world.call(getBaseGoods, sp01, { keyword: mine.name })).items).toMatchObject([
    { owner: "merchant", merchantName: expect.any(String) },
  ]);
  expect((await world.refused(addBaseGood, own, given({ variants: [{ barcode: mine.variants[0]!.barcode }] }))).fields).toMatchObject({
    "variants.0.barcode": expect.stringContaining(mine.name),
  });
  await make({ variants: [{ barcode: mine.variants[0]!.barcode }] }, other);
});

test("a product follows its base good but in what is its own, and may go back to it", async () => {
  const good = await make();
  await world.call(offerBaseGoods, sp01, { ids: [good.id] });
  const [{ id }, theirs] = [await sell(good), await sell(good, other, 700)];
  const shown = await world.call(getProduct, own, { id });
  expect(shown).toMatchObject({ name: good.name, unit: "瓶", taxRate: 13000, own: [], source: "base", barcode: good.variants[0]!.barcode });
  const form = (of: typeof shown, more: object) => ({
    id,
    revision: of.revision,
    name: of.name,
    unit: of.unit,
    taxCode: of.taxCode,
    taxRate: of.taxRate,
    policy: of.policy,
    skus: of.skus.map(({ id: sku, spec, barcodes }) => ({ id: sku, spec, barcodes })),
    ...more,
  });
  await world.call(updateProduct, own, form(shown, { name: "自己的叫法" }) as never);
  await world.call(updateBaseGood, sp01, {
    id: good.id,
    revision: 1,
    name: "新名称",
    unit: "听",
    taxRate: 9000,
    variants: good.variants,
  } as never);
  await spreadBaseGood.run(world.services, { provider: world.tree.providers.sp01, baseId: good.id });
  const now = await world.call(getProduct, own, { id });
  expect(now).toMatchObject({ name: "自己的叫法", unit: "听", taxRate: 9000, own: ["name"] });
  expect(await world.call(getProduct, other, { id: theirs.id })).toMatchObject({ name: "新名称", unit: "听" });
  await world.call(updateProduct, own, form(now, { inherit: ["name"] }) as never);
  expect(await world.call(getProduct, own, { id })).toMatchObject({ name: "新名称", own: [] });
  expect(
    (
      await world.refused(adoptBaseGood, own, {
        requestId: randomUUID(),
        id: good.id,
        skus: [{ variantId: good.variants[0]!.id, priceCents: 1 }],
      } as never)
    ).message,
  ).toBe("已经在销售这个基础商品");
  expect(
    (
      await world.refused(updateBaseGood, sp01, {
        id: good.id,
        revision: 2,
        name: "x",
        variants: [{ ...good.variants[0], barcode: "LIB-OTHER" }],
      } as never)
    ).fields,
  ).toEqual({ "variants.0.barcode": "有商户在销售，条码不能修改" });
});

test("what is taken back is off sale at once and stays off until it is offered again", async () => {
  const good = await make();
  await world.call(offerBaseGoods, sp01, { ids: [good.id] });
  const { id } = await sell(good);
  expect(await world.call(takeBackBaseGoods, sp01, { ids: [good.id], merchantId: world.tree.merchants.mch01.id })).toEqual({ changed: 1 });
  expect(await world.call(getProduct, own, { id })).toMatchObject({ state: "off", withdrawn: true, name: good.name });
  expect(await world.call(setProductSale, own, { onSale: true, skuIds: [id] })).toEqual({ changed: 0, skipped: 1 });
  await world.call(offerBaseGoods, sp01, { ids: [good.id], merchantId: world.tree.merchants.mch01.id });
  expect(await world.call(setProductSale, own, { onSale: true, skuIds: [id] })).toEqual({ changed: 1, skipped: 0 });
});

test("who begins to sell while it is taken back, or while it is changed, is reached too", async () => {
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  const { pool } = world.services;
  const now_ms = world.services.clock.now_ms();
  const scope = merchantScope(world.tree.providers.sp01, world.tree.merchants.mch01.id);
  const principal = { kind: "user" as const, id: randomUUID(), name: "mch01", scope, holds: () => true };
  const author = { services: world.services, principal, scope, now_ms, now: new Date(now_ms).toISOString(), audit: async () => {} };
  const shop = { service_provider_id: world.tree.providers.sp01, merchant_id: world.tree.merchants.mch01.id };
  /** Somebody sells a good, and before that is written down something else begins. */
  const during = async (good: Awaited<ReturnType<typeof make>>, what: () => Promise<unknown>) => {
    const second = { ended: false };
    let going: Promise<unknown> | undefined;
    const made = await withScope(pool, scope, async (tx) => {
      const skus = [{ variantId: good.variants[0]!.id, skuNo: undefined, priceCents: 500 as never, memberCents: null }];
      const adopted = await adopt(author, tx, shop, { id: good.id, skus });
      going = what().finally(() => void (second.ended = true));
      while (!second.ended && (await world.truth(waits)).length === 0) await new Promise((then) => setTimeout(then, 20));
      return adopted;
    });
    await going;
    return made;
  };
  const one = await make();
  await world.call(offerBaseGoods, sp01, { ids: [one.id] });
  const sold = await during(one, () => world.call(takeBackBaseGoods, sp01, { ids: [one.id], merchantId: null } as never));
  expect(await world.call(getProduct, own, { id: sold.id })).toMatchObject({ state: "off", withdrawn: true });
  const two = await make();
  await world.call(offerBaseGoods, sp01, { ids: [two.id] });
  const named = await during(two, async () => {
    await world.call(updateBaseGood, sp01, { ...given({ name: "改名了", variants: two.variants }), id: two.id, revision: 1 } as never);
    await spreadBaseGood.run(world.services, { provider: world.tree.providers.sp01, baseId: two.id });
  });
  expect(await world.call(getProduct, own, { id: named.id })).toMatchObject({ name: "改名了" });
});

test("two variants may swap their specs and bar codes before anybody sells them", async () => {
  const good = await make({
    attributes: ["味"],
    variants: [
      { spec: ["甜"], barcode: "SWAP-1" },
      { spec: ["咸"], barcode: "SWAP-2" },
    ],
  });
  const [sweet, salty] = good.variants;
  const swapped = [
    { ...sweet, spec: ["咸"], barcode: "SWAP-2" },
    { ...salty, spec: ["甜"], barcode: "SWAP-1" },
  ];
  await world.call(updateBaseGood, sp01, { id: good.id, revision: 1, name: good.name, attributes: ["味"], variants: swapped } as never);
  const { variants } = await world.call(getBaseGood, sp01, { id: good.id });
  expect(variants.map(({ id, spec, barcode }) => [id, spec, barcode])).toEqual([
    [sweet!.id, ["咸"], "SWAP-2"],
    [salty!.id, ["甜"], "SWAP-1"],
  ]);
});

test("who sells a base SKU, between which prices: a provider sees all of its merchants, a merchant itself", async () => {
  const good = await make();
  await world.call(offerBaseGoods, sp01, { ids: [good.id] });
  await sell(good, own, 500);
  await sell(good, other, 700);
  const [row] = (await world.call(getSaleGoods, sp01, { keyword: good.name })).items;
  expect(row).toMatchObject({ merchants: 2, onSale: 2, lowCents: 500, highCents: 700 });
  expect((await world.call(getSaleGood, sp01, { id: row!.id })).sellers.map(({ priceCents }) => priceCents)).toEqual([500, 700]);
  expect((await world.call(getSaleGood, own, { id: row!.id })).sellers.map(({ priceCents }) => priceCents)).toEqual([500]);
  expect((await world.refused(getSaleGood, sp02, { id: row!.id })).status).toBe(404);
});
