import { checkDigit } from "@zhangfang/domains/products/contract/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { poster } from "./ads/poster.ts";
import { openWire } from "./live.ts";
import { signIn, type DemoTree } from "./tree/tree.ts";

/** A product: name, category, unit, price and member price in yuan; more specs with their own prices behind. */
type Dish = readonly [name: string, category: string, unit: string, price: number, member: number | null, specs?: readonly (readonly [spec: string, price: number])[]];
const DISHES: readonly Dish[] = [
  ...(["麻婆豆腐:22", "回锅肉:38", "宫保鸡丁:36", "鱼香肉丝:32", "水煮牛肉:58", "夫妻肺片:42", "口水鸡:39", "辣子鸡:48", "干煸四季豆:24", "毛血旺:62"] as const).map(dish("川菜", "份", 0.9)),
  ...(["蒜泥白肉:36", "凉拌黄瓜:12", "红油耳丝:26", "皮蛋豆腐:16", "老醋花生:14", "川北凉粉:12"] as const).map(dish("凉菜", "份", 0.9)),
  ...(["担担面:14", "甜水面:13", "钟水饺:16", "龙抄手:16", "蛋炒饭:15", "红糖糍粑:22", "冰粉:9", "白米饭:2"] as const).map(dish("小吃主食", "份", null)),
  ...(["番茄蛋汤:18", "酸菜豆花汤:22", "老鸭汤:58"] as const).map(dish("汤", "份", 0.95)),
  ["鸳鸯火锅", "火锅", "锅", 68, 58, [["微辣", 68], ["中辣", 68], ["清汤", 58]]],
  ["手打柠檬茶", "饮品", "杯", 15, 13, [["中杯", 15], ["大杯", 18]]],
  ["酸梅汤", "饮品", "扎", 22, 18, [["小扎", 22], ["大扎", 32]]],
  ["川味香肠", "外带", "千克", 98, 88],
];
const SNACKS: readonly Dish[] = [
  ...(["鲜肉小笼:18", "蟹粉小笼:38", "虾仁小笼:32", "灌汤包:20", "生煎包:16", "锅贴:15", "葱油拌面:14", "阳春面:12", "大排面:26", "素菜包:4"] as const).map(dish("点心", "份", 0.9)),
  ...(["小馄饨:14", "虾皮豆腐脑:8", "咸豆浆:6", "甜豆浆:5", "粢饭团:9", "油条:3", "鸡蛋饼:8", "糖藕:16", "桂花酒酿圆子:16"] as const).map(dish("早点小吃", "份", null)),
];
/** What a provider offers to all its merchants: name, brand, spec, price in yuan. */
const LIBRARY = [
  ["可乐", "岷江", "330 毫升", 3],
  ["雪梨汁", "岷江", "450 毫升", 5],
  ["苏打水", "岷江", "500 毫升", 4],
  ["矿泉水", "雪岭", "550 毫升", 2],
  ["乌龙茶", "雪岭", "500 毫升", 5],
  ["酸奶", "雪岭", "200 克", 6],
  ["啤酒", "锦城", "500 毫升", 8],
  ["薯片", "锦城", "70 克", 7],
  ["话梅", "锦城", "120 克", 12],
  ["纸巾", "白鹭", "3 层 120 抽", 4],
] as const;
function dish(category: string, unit: string, member: number | null) {
  return (text: string): Dish => {
    const [name = "", price = "0"] = text.split(":");
    return [name, category, unit, Number(price), member === null ? null : Math.round(Number(price) * member)];
  };
}
/** A bar code that nobody else has, with its right check digit. */
const gtin = (n: number): string => {
  const digits = `6909${String(n).padStart(8, "0")}`;
  return `${digits}${checkDigit(digits)}`;
};
const COLOURS: Readonly<Record<string, readonly [number, number, number]>> = {
  川菜: [188, 51, 32],
  凉菜: [44, 159, 103],
  小吃主食: [208, 154, 69],
  汤: [228, 177, 56],
  火锅: [204, 70, 61],
  饮品: [80, 159, 201],
  外带: [144, 98, 192],
  点心: [224, 160, 96],
  早点小吃: [216, 190, 120],
};

/** 商品: a provider's library, what two merchants make themselves and take of it, their tags, and what stands in their first stores. */
export async function fillShelves(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const askerOf = async (login: "sp01" | "mch01" | "mch02" | "mch03") => {
    const headers = { authorization: `Bearer ${await signIn(services, login)}` };
    return <T = { id: string }>(path: string, body: object) => wire.post(`${api}/api/${path}?_t=1`, body, headers) as unknown as Promise<T>;
  };
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  type Ask = Awaited<ReturnType<typeof askerOf>>;
  const sp01 = await askerOf("sp01");
  const library: string[] = [];
  const variants: string[] = [];
  for (const [n, [name, brand, spec]] of LIBRARY.entries()) {
    const given = { name: `${brand}${name}`, brand, category: n < 7 ? "饮料" : "零食百货", unit: n === 9 ? "包" : "瓶", taxRate: 13000, attributes: ["规格"], variants: [{ spec: [spec], barcode: gtin(1_000 + n) }] };
    const { id } = await sp01("base-goods/add", { requestId: requestId(), ...given });
    library.push(id);
    const shown = (await wire.get(`${api}/api/base-goods/${id}?_t=1`, { authorization: `Bearer ${await signIn(services, "sp01")}` })) as unknown as { variants: { id: string }[] };
    variants.push(shown.variants[0]!.id);
  }
  await sp01("base-goods/offer", { ids: library });

  const make = async (ask: Ask, merchant: "mch01" | "mch02", dishes: readonly Dish[]): Promise<string[]> => {
    const pictures = new Map<string, string>();
    for (const category of new Set(dishes.map(([, of]) => of))) {
      const [r, g, b] = COLOURS[category] ?? [120, 120, 120];
      const { url } = await ask<{ url: string }>("products/pictures", { base64: poster(240, 240, [r, g, b], [r * 0.6, g * 0.6, b * 0.6]).toString("base64") });
      pictures.set(category, url);
    }
    const made: string[] = [];
    for (const [n, [name, category, unit, price, member, specs]] of dishes.entries()) {
      const skus = (specs ?? [[null, price]]).map(([spec, own], at) => ({
        skuNo: `${merchant === "mch01" ? "SW" : "XL"}${String(n + 1).padStart(3, "0")}${specs ? `-${at + 1}` : ""}`,
        spec: spec === null ? [] : [spec],
        priceCents: own * 100,
        memberCents: member === null ? null : Math.min(member, own) * 100,
        barcodes: category === "外带" ? [{ barcode: "20001" }] : [],
      }));
      const given = { name, category, unit, taxRate: 6000, weighed: category === "外带", attributes: specs ? ["规格"] : [], picture: pictures.get(category) ?? null, skus };
      made.push((await ask("products/add", { requestId: requestId(), ...given })).id);
    }
    return made;
  };
  const adopt = async (ask: Ask, some: readonly number[], dearer: number): Promise<string[]> => {
    const made: string[] = [];
    for (const n of some) made.push((await ask("base-goods/adopt", { requestId: requestId(), id: library[n], skus: [{ variantId: variants[n], priceCents: LIBRARY[n]![3] * 100 + dearer }] })).id);
    return made;
  };
  const tag = async (ask: Ask, code: string, name: string, skuIds: readonly string[]): Promise<void> => {
    const { id } = await ask("product-tags/add", { requestId: requestId(), code, name });
    await ask("product-tags/members", { tagId: id, on: true, skuIds });
  };
  const count = async (ask: Ask, merchant: "mch01" | "mch02" | "mch03", skuIds: readonly string[]): Promise<void> => {
    for (const [at, { id: storeId }] of tree.merchants[merchant].stores.slice(0, 2).entries())
      for (const [n, skuId] of skuIds.entries()) await ask("product-stores/stock", { requestId: requestId(), storeId, skuId, act: "start", units: (n * 17 + at * 5) % 60 });
  };

  const mch01 = await askerOf("mch01");
  const dishes = await make(mch01, "mch01", DISHES);
  const drinks = await adopt(mch01, [0, 1, 2, 3, 4, 6], 200);
  await tag(mch01, "SIGNATURE", "招牌菜", dishes.slice(0, 4));
  await tag(mch01, "COLD", "凉菜", dishes.slice(10, 16));
  await count(mch01, "mch01", drinks);
  const store = tree.merchants.mch01.stores[0]!.id;
  await mch01("product-stores/warning", { storeId: store, skuId: drinks[0], warnBelow: 10 });
  await mch01("products/price", { requestId: requestId(), skuId: dishes[4], storeId: store, priceCents: 6200, memberCents: 5600 });
  await mch01("products/price", { requestId: requestId(), skuId: dishes[1], priceCents: 4000, memberCents: 3600, from: new Date(services.clock.now_ms() + 86_400_000).toISOString() });
  await mch01("products/sale", { onSale: false, skuIds: dishes.slice(-1) });

  const mch02 = await askerOf("mch02");
  const snacks = await make(mch02, "mch02", SNACKS);
  await tag(mch02, "BREAKFAST", "早餐", snacks.slice(10));
  await tag(mch02, "XIAOLONG", "小笼", snacks.slice(0, 3));
  await count(mch02, "mch02", snacks.slice(0, 4));

  const mch03 = await askerOf("mch03");
  await count(mch03, "mch03", await adopt(mch03, LIBRARY.map((_good, n) => n), 0));
}
