import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { checkLines, getImport, listImportRows, runImport, startImport } from "../../../imports/contract.ts";
import { importsOver } from "../../../imports/server/index.ts";
import { addBaseGood, addProduct, adoptBaseGood, getBaseGood, getProduct, getProducts } from "../../contract/index.ts";
import { products } from "../index.ts";

const imports = importsOver(products.imports);
let world: World;
let own: string;
beforeAll(async () => void (world = await openWorld([...products.routes, ...imports.routes])));
afterAll(() => world.close());
beforeEach(async () => void (own = await world.signIn("mch01")));

type Cells = Record<string, string>;
async function upload(source: string, lines: readonly Cells[]) {
  const { id } = await world.call(startImport, own, { requestId: randomUUID(), source, fileName: "商品.xlsx" });
  await world.call(checkLines, own, { id, lines: lines.map((cells, at) => ({ line: at + 2, cells: JSON.stringify(cells) })) });
  const wrong = (await world.call(listImportRows, own, { importId: id, status: 0, pageSize: 100 })).items;
  return { id, wrong: Object.fromEntries(wrong.map(({ line, errors }) => [line, errors])) };
}
async function run(id: string) {
  await world.call(runImport, own, { id });
  await world.services.runJobs();
  return (await world.call(getImport, own, { id })).counts;
}
const found = async (skuNo: string) => {
  const [row] = (await world.call(getProducts, own, { keyword: skuNo })).items;
  return row && world.call(getProduct, own, { id: row.id });
};

test("new goods come from a sheet: wrong lines say where and why, the others are made once", async () => {
  const sheet: Cells[] = [
    { name: "豆浆", skuNo: "IMP-1", barcode: "6901234567892", price: "3.50", member: "3", taxRate: "9%", category: "早餐" },
    { name: "油条", skuNo: "IMP-2", price: "2", barcode: "6901234567890" },
    { name: "包子", skuNo: "IMP-3", price: "abc" },
    { name: "米饭", skuNo: "IMP-4", price: "2", member: "3" },
    { name: "面条", skuNo: "IMP-1", price: "2" },
    { name: "粥", skuNo: "IMP-5", price: "0" },
  ];
  const { id, wrong } = await upload("products-new", sheet);
  expect(wrong).toEqual({
    3: { barcode: "第 13 位校验码应为 2" },
    4: { price: "金额写成 12.00" },
    5: { member: "会员价不能高于售价" },
    6: { skuNo: "商品编码与第 2 行重复" },
    7: { price: "只有赠品可以是 0 元" },
  });
  expect((await run(id)).made).toBe(1);
  expect(await found("IMP-1")).toMatchObject({
    name: "豆浆",
    priceCents: 350,
    memberCents: 300,
    taxRate: 9000,
    category: "早餐",
    barcode: "6901234567892",
  });
  const again = await upload("products-new", [sheet[0]!]);
  expect((await world.call(getImport, own, { id: again.id })).counts).toMatchObject({ there: 1, ready: 0 });
});

test("an update changes what a line says: an empty cell stays, a dash clears, by number or bar code", async () => {
  const { id, wrong } = await upload("products-update", [
    { key: "6901234567892", category: "-", unit: "碗", onSale: "否" },
    { key: "NOBODY", name: "没有" },
    { key: "IMP-1", taxRate: "8%" },
  ]);
  expect(wrong).toEqual({ 3: { key: "没有商品「NOBODY」" }, 4: { taxRate: expect.stringContaining("只能填 0%") } });
  await run(id);
  expect(await found("IMP-1")).toMatchObject({ name: "豆浆", category: null, unit: "碗", taxRate: 9000, state: "off" });
});

test("prices alone, now or at a minute; more than half needs its yes in the sheet", async () => {
  const { id, wrong } = await upload("products-price", [{ key: "IMP-1", price: "9", member: "-" }]);
  expect(wrong).toEqual({ 2: { confirmed: "由 ¥3.50 改为 ¥9.00，变动超过 50%，确认请填 是" } });
  await world.call(checkLines, own, {
    id,
    lines: [{ line: 2, cells: JSON.stringify({ key: "IMP-1", price: "9", member: "-", confirmed: "是" }) }],
  });
  await run(id);
  expect(await found("IMP-1")).toMatchObject({ priceCents: 900, memberCents: null });
  const later = await upload("products-price", [{ key: "IMP-1", price: "10", from: "2026-12-24 09:00" }]);
  await run(later.id);
  const now = await found("IMP-1");
  expect(now).toMatchObject({ priceCents: 900, nextAt: "2026-12-24T01:00:00.000Z" });
  expect(now!.prices[0]).toMatchObject({ cents: 1000, status: 0, imported: true });
});

test("a price for a later minute is measured by what holds then, not by today's", async () => {
  const back = await upload("products-price", [{ key: "IMP-1", price: "9", from: "2027-01-05 09:00" }]);
  expect((await run(back.id)).made).toBe(1);
  expect((await found("IMP-1"))!.prices[0]).toMatchObject({ cents: 900, fromAt: "2027-01-05T01:00:00.000Z" });
  const same = await upload("products-price", [{ key: "IMP-1", price: "10", from: "2026-12-30 09:00" }]);
  expect((await world.call(getImport, own, { id: same.id })).counts).toMatchObject({ there: 1, ready: 0 });
  // Of 10.00, which holds then, 4.90 is less than half; of today's 9.00 it is not.
  const far = await upload("products-price", [{ key: "IMP-1", price: "4.90", from: "2026-12-30 09:00" }]);
  expect(far.wrong).toEqual({ 2: { confirmed: "由 ¥10.00 改为 ¥4.90，变动超过 50%，确认请填 是" } });
});

test("a line that says what there is already leaves a product with what it inherits", async () => {
  const base = { name: "矿泉水", unit: "瓶", taxRate: 13000, variants: [{ barcode: "LIB-WATER" }] };
  const { id } = await world.call(addBaseGood, own, { requestId: randomUUID(), ...base } as never);
  const { variants } = await world.call(getBaseGood, own, { id });
  const skus = [{ variantId: variants[0]!.id, skuNo: "IMP-WATER", priceCents: 200 }];
  const made = await world.call(adoptBaseGood, own, { requestId: randomUUID(), id, skus } as never);
  const say = async (cells: Cells) => run((await upload("products-update", [{ key: "IMP-WATER", ...cells }])).id);
  await say({ name: "矿泉水", unit: "瓶", taxRate: "13%", category: "饮料" });
  expect(await world.call(getProduct, own, { id: made.id })).toMatchObject({ category: "饮料", own: [] });
  await say({ name: "山泉水", unit: "瓶", taxRate: "13%" });
  expect(await world.call(getProduct, own, { id: made.id })).toMatchObject({ name: "山泉水", own: ["name"] });
});

test("a bar code in small letters is the one in capitals", async () => {
  const skus = [{ skuNo: "IMP-SMALL", priceCents: 1000, barcodes: [{ barcode: "AB-77" }] }];
  await world.call(addProduct, own, { requestId: randomUUID(), name: "小写", skus } as never);
  const renamed = await upload("products-update", [{ key: "ab-77", name: "改过" }]);
  const priced = await upload("products-price", [{ key: "ab-77", price: "11" }]);
  expect([renamed.wrong, priced.wrong]).toEqual([{}, {}]);
  await run(renamed.id);
  await run(priced.id);
  expect(await found("IMP-SMALL")).toMatchObject({ name: "改过", priceCents: 1100 });
});
