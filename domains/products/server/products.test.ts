import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import {
  addProduct,
  cancelPrice,
  changePrice,
  getProduct,
  getProducts,
  removeProduct,
  setProductSale,
  setScalePattern,
  summariseProducts,
  updateProduct,
} from "../contract/index.ts";
import { products } from "./index.ts";
import { knowGoods } from "./know-goods.ts";
import { turnPricesJob } from "./prices/turn-prices.ts";
import { verifyProducts } from "./verify-products.ts";

let world: World;
let [own, other, store] = ["", "", ""];
beforeAll(async () => {
  world = await openWorld(products.routes);
  [own, other, store] = [await world.signIn("mch01"), await world.signIn("mch02"), await world.signIn("emp01")];
});
afterAll(async () => {
  const { pool } = world.services;
  expect(await withScope(pool, platformScope("verify"), verifyProducts)).toEqual([]);
  await world.close();
});

let n = 0;
const sku = (more: object = {}) => ({ skuNo: `T${++n}`, priceCents: 1000, memberCents: 900, ...more });
const given = (more: Partial<InputOf<typeof addProduct>> = {}) =>
  ({ requestId: randomUUID(), name: `测试${++n}`, skus: [sku()], ...more }) as InputOf<typeof addProduct>;
const make = async (more: Partial<InputOf<typeof addProduct>> = {}) => {
  const input = given(more);
  return { ...input, ...(await world.call(addProduct, own, input)) };
};
const shown = async (id: string, token = own) => world.call(getProduct, token, { id });
const change = (skuId: string, more: object) =>
  ({ requestId: randomUUID(), skuId, priceCents: 1000, memberCents: 900, ...more }) as InputOf<typeof changePrice>;
const soon = (minutes: number) =>
  new Date(Math.floor(world.services.clock.now_ms() / 60_000) * 60_000 + minutes * 60_000).toISOString() as never;
const turn = () => turnPricesJob.run(world.services, {});

test("a product of three specs is three rows; another merchant sees none, and a store's people see but do not change them", async () => {
  const tea = await make({
    name: "茉莉奶绿",
    category: "奶茶",
    attributes: ["杯型", "温度"],
    skus: [
      sku({ spec: ["大杯", "热"], barcodes: [{ barcode: "6901234567892" }] }),
      sku({ spec: ["大杯", "冰"] }),
      sku({ spec: ["小杯", "冰"], priceCents: 800, memberCents: null }),
    ],
  });
  const rows = (await world.call(getProducts, own, { keyword: "茉莉奶绿" })).items;
  expect(rows.map(({ spec, priceCents }) => [spec, priceCents])).toEqual(
    expect.arrayContaining([
      ["大杯 / 热", 1000],
      ["大杯 / 冰", 1000],
      ["小杯 / 冰", 800],
    ]),
  );
  expect((await world.call(getProducts, own, { keyword: "6901234567892" })).items).toMatchObject([{ spec: "大杯 / 热", category: "奶茶" }]);
  expect((await world.call(getProducts, other, {})).items).toEqual([]);
  expect((await world.call(getProducts, store, { keyword: "茉莉奶绿" })).items).toHaveLength(3);
  expect((await world.refused(getProduct, other, { id: tea.id })).status).toBe(404);
  expect((await world.refused(addProduct, store, given())).status).toBe(403);
  expect((await world.refused(removeProduct, store, { id: tea.id })).status).toBe(403);
  expect((await world.refused(addProduct, await world.signIn("sp01"), given())).status).toBe(403);
  expect(await world.truth("select 1 from audit_log where target_kind = 'product' and target_id = $1", [tea.id])).toHaveLength(1);
});

test.each<[string, () => Partial<InputOf<typeof addProduct>>, string, string]>([
  [
    "a check digit that is wrong",
    () => ({ skus: [sku({ barcodes: [{ barcode: "6901234567890" }] })] as never }),
    "skus.0.barcodes.0.barcode",
    "第 13 位校验码应为 2",
  ],
  [
    "a scale code",
    () => ({ skus: [sku({ barcodes: [{ barcode: "2012345012348" }] })] as never }),
    "skus.0.barcodes.0.barcode",
    "20 至 29 开头的 13 位是秤码，请只填其中的商品段",
  ],
  ["a member price above the price", () => ({ skus: [sku({ memberCents: 1001 })] as never }), "skus.0.memberCents", "会员价不能高于售价"],
  [
    "nothing for what is no gift",
    () => ({ skus: [sku({ priceCents: 0, memberCents: null })] as never }),
    "skus.0.priceCents",
    "只有赠品可以是 0 元",
  ],
  [
    "two specs alike",
    () => ({ attributes: ["杯型"], skus: [sku({ spec: ["大"] }), sku({ spec: ["大"] })] as never }),
    "skus.1.spec",
    "规格重复",
  ],
  ["a spec without its name", () => ({ skus: [sku(), sku()] as never }), "attributes", "多个规格需要规格名"],
  ["a picture of nobody's", () => ({ picture: `/api/product-pictures/${randomUUID()}` }), "picture", "图片不存在，请重新上传"],
])("%s is refused at its field and nothing is made", async (_what, more, field, message) => {
  const input = given(more());
  expect((await world.refused(addProduct, own, input)).fields).toEqual({ [field]: message });
  expect((await world.call(getProducts, own, { keyword: input.name })).items).toEqual([]);
});

test("a bar code is one living SKU's of a merchant, free again once that is deleted; its number never is", async () => {
  const first = await make({ skus: [sku({ skuNo: "ONCE", barcodes: [{ barcode: "BOX-1", units: 24 }] })] as never });
  expect((await world.refused(addProduct, own, given({ skus: [sku({ barcodes: [{ barcode: "box-1" }] })] as never }))).fields).toEqual({
    "skus.0.barcodes.0.barcode": "条码 BOX-1 已属于商品 ONCE",
  });
  expect((await world.refused(addProduct, own, given({ skus: [sku({ skuNo: "ONCE" })] as never }))).fields).toMatchObject({
    "skus.0.skuNo": expect.stringContaining("已使用过"),
  });
  await world.call(addProduct, other, given({ skus: [sku({ skuNo: "ONCE", barcodes: [{ barcode: "BOX-1" }] })] as never }));
  await world.call(removeProduct, own, { id: first.id });
  await make({ skus: [sku({ barcodes: [{ barcode: "BOX-1" }] })] as never });
  expect((await world.refused(addProduct, own, given({ skus: [sku({ skuNo: "ONCE" })] as never }))).status).toBe(400);
});

test("the same request twice is one product, and a change by somebody else since is refused", async () => {
  const input = given();
  const once = await world.call(addProduct, own, input);
  expect(await world.call(addProduct, own, input)).toEqual(once);
  const { revision, skus, name } = await shown(once.id);
  const form = {
    id: once.id,
    revision,
    name: `${name}改`,
    attributes: ["口味"],
    skus: [
      { id: skus[0]!.id, spec: ["原味"] },
      { ...sku(), spec: ["抹茶"] },
    ],
  };
  await world.call(updateProduct, own, form as never);
  expect((await shown(once.id)).skus.map(({ spec }) => spec)).toEqual([["原味"], ["抹茶"]]);
  expect((await world.refused(updateProduct, own, form as never)).status).toBe(409);
  await world.call(updateProduct, own, { ...form, revision: revision + 1, attributes: [], skus: [{ id: skus[0]!.id }] } as never);
  expect((await shown(once.id)).skus).toHaveLength(1);
});

test("a price is changed now or at its minute, more than half only when confirmed, and may be called off before", async () => {
  const { id } = await make();
  expect(await world.refused(changePrice, own, change(id, { priceCents: 1501 }))).toMatchObject({
    status: 409,
    code: "price.far",
    message: "售价由 ¥10.00 改为 ¥15.01，变动超过 50%，请确认",
  });
  await world.call(changePrice, own, change(id, { priceCents: 1501, confirmed: true }));
  expect(await shown(id)).toMatchObject({ priceCents: 1501, memberCents: 900 });
  expect((await world.refused(changePrice, own, change(id, { priceCents: 800 }))).fields).toEqual({ memberCents: "会员价不能高于售价" });
  expect((await world.refused(changePrice, own, change(id, { from: soon(-1) }))).fields).toEqual({ from: "生效时间须晚于现在" });
  await world.call(changePrice, own, change(id, { priceCents: 1200, from: soon(10) }));
  await world.call(changePrice, own, change(id, { priceCents: 1300, from: soon(20) }));
  await turn();
  expect(await shown(id)).toMatchObject({ priceCents: 1501, nextAt: soon(10) });
  world.services.clock.advance(10 * 60_000);
  await turn();
  expect(await shown(id)).toMatchObject({ priceCents: 1200 });
  const planned = (await shown(id)).prices.find(({ status }) => status < 2)!;
  await world.call(cancelPrice, own, { id: planned.id });
  expect((await world.refused(cancelPrice, own, { id: planned.id })).status).toBe(409);
  expect((await world.refused(cancelPrice, other, { id: planned.id })).status).toBe(404);
  world.services.clock.advance(20 * 60_000);
  await turn();
  [own, other, store] = [await world.signIn("mch01"), await world.signIn("mch02"), await world.signIn("emp01")];
  expect(await shown(id)).toMatchObject({ priceCents: 1200, nextAt: null });
});

test("what is no gift any more costs nothing at no store, to no member and at no planned minute", async () => {
  const [first] = world.tree.merchants.mch01.stores;
  const gift = async (more: object = {}) => make({ gift: true, skus: [sku({ memberCents: 500, ...more })] });
  const sold = async ({ id }: { id: string }) => {
    const { revision, name, skus } = await shown(id);
    const kept = skus.map(({ id: sku_id, spec, barcodes }) => ({ id: sku_id, spec, barcodes }));
    return (await world.refused(updateProduct, own, { id, revision, name, gift: false, skus: kept } as never)).fields;
  };
  const words = { gift: "还有 0 元的规格，请先改价" };
  expect(await sold(await gift({ memberCents: 0 }))).toEqual(words);
  const atStore = await gift();
  await world.call(changePrice, own, change(atStore.id, { storeId: first!.id, priceCents: 0, memberCents: 0, confirmed: true }));
  expect(await sold(atStore)).toEqual(words);
  const planned = await gift();
  await world.call(changePrice, own, change(planned.id, { priceCents: 0, memberCents: 0, from: soon(10), confirmed: true }));
  expect(await sold(planned)).toEqual(words);
});

test("of two changes at once the one that is written last holds, and is the newest that has begun", async () => {
  const { id } = await make();
  const { clock, pool } = world.services;
  clock.advance(5_000);
  await world.call(changePrice, own, change(id, { priceCents: 1100 }));
  // It came before the other, and waited for it.
  clock.advance(-1_000);
  await world.call(changePrice, own, change(id, { priceCents: 1200 }));
  clock.advance(1_000);
  expect(await shown(id)).toMatchObject({ priceCents: 1200 });
  expect(await withScope(pool, platformScope("verify"), verifyProducts)).toEqual([]);
});

test("a store has a price of its own, which its people may set and nobody else's; nothing goes back to the merchant's", async () => {
  const { id, skus } = await make();
  const [first, second] = world.tree.merchants.mch01.stores;
  const know = async (at: string, storeId: string) =>
    withScope(world.services.pool, platformScope("know"), (tx) =>
      knowGoods.know(
        tx,
        world.services,
        { service_provider_id: world.tree.providers.sp01, merchant_id: world.tree.merchants.mch01.id, store_id: storeId, at },
        [
          { place: 1, name: "收银机上的名字", goods_no: skus[0]!.skuNo!, units: 1, unit_cents: 1000, no_discount: true },
          { place: 2, name: "别的", goods_no: "NOBODY", units: 1, unit_cents: 5 },
        ],
      ),
    );
  const now = () => new Date(world.services.clock.now_ms()).toISOString();
  await world.call(changePrice, store, change(id, { storeId: first!.id, memberCents: 700 }));
  expect((await world.refused(changePrice, store, change(id, { storeId: second!.id, memberCents: 700 }))).status).toBe(404);
  expect((await world.refused(changePrice, store, change(id, { memberCents: 700 }))).fields).toEqual({ storeId: "请选择门店" });
  expect(await know(now(), first!.id)).toEqual([
    {
      place: 1,
      name: "收银机上的名字",
      goods_no: skus[0]!.skuNo,
      units: 1,
      unit_cents: 1000,
      sku_id: id,
      tags: [],
      no_discount: false,
      member_cents: 700,
    },
    { place: 2, name: "别的", goods_no: "NOBODY", units: 1, unit_cents: 5 },
  ]);
  expect((await know(now(), second!.id))[0]).toMatchObject({ member_cents: 900 });
  // What begins at a minute is known from that minute on, whether anybody has turned the prices or not.
  await world.call(changePrice, own, change(id, { memberCents: 800, from: soon(5) }));
  expect((await know(new Date(Date.parse(soon(5)) - 1).toISOString(), second!.id))[0]).toMatchObject({ member_cents: 900 });
  expect((await know(soon(5), second!.id))[0]).toMatchObject({ member_cents: 800 });
  await world.call(changePrice, store, change(id, { storeId: first!.id, priceCents: null, memberCents: null }));
  expect((await know(now(), first!.id))[0]).toMatchObject({ member_cents: 900 });
});

test("a batch is what was seen: another count now is refused, and what is named must all be there", async () => {
  const name = `批量${++n}`;
  const made = [await make({ name }), await make({ name })];
  const filter = { keyword: name };
  expect(await world.refused(setProductSale, own, { onSale: false, filter, count: 1 })).toMatchObject({
    status: 409,
    message: "筛选结果已由 1 个变为 2 个，请重新确认",
  });
  expect(await world.call(setProductSale, own, { onSale: false, filter, count: 2 })).toEqual({ changed: 2, skipped: 0 });
  expect((await world.call(summariseProducts, own, filter)).byState).toEqual({ off: 2 });
  expect(await world.call(setProductSale, own, { onSale: true, skuIds: [made[0]!.id] })).toEqual({ changed: 1, skipped: 0 });
  expect((await world.refused(setProductSale, own, { onSale: true, skuIds: [made[0]!.id, randomUUID()] })).status).toBe(404);
  expect((await world.refused(setProductSale, other, { onSale: false, skuIds: [made[0]!.id] })).status).toBe(404);
  expect((await world.refused(setProductSale, store, { onSale: false, filter, count: 2 })).status).toBe(403);
});

test("what a scale printed finds the goods of its item number", async () => {
  const { name } = await make({ weighed: true, skus: [sku({ barcodes: [{ barcode: "12345" }] })] as never });
  expect((await world.call(getProducts, own, { keyword: "2012345012509" })).items).toMatchObject([{ name }]);
  expect((await world.refused(setScalePattern, own, { pattern: "FFIIIIIIIIIIC" })).fields).toMatchObject({
    pattern: expect.stringContaining("价格（P）或重量（W）"),
  });
  await world.call(setScalePattern, own, { pattern: "FFWWWWWIIIIIC" });
  expect((await world.call(getProducts, own, { keyword: "2000250123458" })).items).toMatchObject([{ name }]);
});
