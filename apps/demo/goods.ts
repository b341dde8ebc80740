import { checkDigit } from "@zhangfang/domains/products/contract/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { poster } from "./ads/poster.ts";
import { openWire } from "./live.ts";
import { signIn, type DemoTree } from "./tree/tree.ts";

/** A product: name, category, unit, price and member price in yuan; more specs with their own prices behind. */
type Dish = readonly [
  name: string,
  category: string,
  unit: string,
  price: number,
  member: number | null,
  specs?: readonly (readonly [spec: string, price: number])[],
];
const DISHES: readonly Dish[] = [
  ...(
    [
      "麻婆豆腐:22",
      "回锅肉:38",
      "宫保鸡丁:36",
      "鱼香肉丝:32",
      "水煮牛肉:58",
      "夫妻肺片:42",
      "口水鸡:39",
      "辣子鸡:48",
      "干煸四季豆:24",
      "毛血旺:62",
    ] as const
  ).map(dish("川菜", "份", 0.9)),
  ...(["蒜泥白肉:36", "凉拌黄瓜:12", "红油耳丝:26", "皮蛋豆腐:16", "老醋花生:14", "川北凉粉:12"] as const).map(dish("凉菜", "份", 0.9)),
  ...(["担担面:14", "甜水面:13", "钟水饺:16", "龙抄手:16", "蛋炒饭:15", "红糖糍粑:22", "冰粉:9", "白米饭:2"] as const).map(
    dish("小吃主食", "份", null),
  ),
  ...(["番茄蛋汤:18", "酸菜豆花汤:22", "老鸭汤:58"] as const).map(dish("汤", "份", 0.95)),
  [
    "鸳鸯火锅",
    "火锅",
    "锅",
    68,
    58,
    [
      ["微辣", 68],
      ["中辣", 68],
      ["清汤", 58],
    ],
  ],
  [
    "手打柠檬茶",
    "饮品",
    "杯",
    15,
    13,
    [
      ["中杯", 15],
      ["大杯", 18],
    ],
  ],
  [
    "酸梅汤",
    "饮品",
    "扎",
    22,
    18,
    [
      ["小扎", 22],
      ["大扎", 32],
    ],
  ],
  ["川味香肠", "外带", "千克", 98, 88],
];
const SNACKS: readonly Dish[] = [
  ...(
    [
      "鲜肉小笼:18",
      "蟹粉小笼:38",
      "虾仁小笼:32",
      "灌汤包:20",
      "生煎包:16",
      "锅贴:15",
      "葱油拌面:14",
      "阳春面:12",
      "大排面:26",
      "素菜包:4",
    ] as const
  ).map(dish("点心", "份", 0.9)),
  ...(["小馄饨:14", "虾皮豆腐脑:8", "咸豆浆:6", "甜豆浆:5", "粢饭团:9", "油条:3", "鸡蛋饼:8", "糖藕:16", "桂花酒酿圆子:16"] as const).map(
    dish("早点小吃", "份", null),
  ),
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

type Login = "sp01" | "mch01" | "mch02" | "mch03";
type Ask = <T = { id: string }>(path: string, body: object) => Promise<T>;
/** A new product, or whatever else is asked for once. */
const fresh = (services: Services) => ({ requestId: services.ids.uuid(services.clock.now_ms()) });

/** 商品: a provider's library, what merchants make themselves and take of it, their tags, and what stands in their stores. */
export async function fillShelves(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const askerOf = async (login: Login): Promise<Ask> => {
    const headers = { authorization: `Bearer ${await signIn(services, login)}` };
    return async (path, body) => (await wire.post(`${api}/api/${path}?_t=1`, { ...fresh(services), ...body }, headers)) as never;
  };
  const headers = { authorization: `Bearer ${await signIn(services, "sp01")}` };
  const library = await fillLibrary(
    await askerOf("sp01"),
    async (id) => (await wire.get(`${api}/api/base-goods/${id}?_t=1`, headers)) as never,
  );
  const stores = (login: "mch01" | "mch02" | "mch03") => tree.merchants[login].stores.map(({ id }) => id);

  const mch01 = await askerOf("mch01");
  const dishes = await make(mch01, "SW", DISHES);
  const drinks = await adopt(mch01, library, [0, 1, 2, 3, 4, 6], 200);
  await tag(mch01, "SIGNATURE", "招牌菜", dishes.slice(0, 4));
  await tag(mch01, "COLD", "凉菜", dishes.slice(10, 16));
  await count(mch01, stores("mch01"), drinks);
  const [storeId] = stores("mch01");
  await mch01("product-stores/warning", { storeId, skuId: drinks[0], warnBelow: 10 });
  await mch01("products/price", { skuId: dishes[4], storeId, priceCents: 6200, memberCents: 5600 });
  const tomorrow = new Date(services.clock.now_ms() + 86_400_000).toISOString();
  await mch01("products/price", { skuId: dishes[1], priceCents: 4000, memberCents: 3600, from: tomorrow });
  await mch01("products/sale", { onSale: false, skuIds: dishes.slice(-1) });

  const mch02 = await askerOf("mch02");
  const snacks = await make(mch02, "XL", SNACKS);
  await tag(mch02, "BREAKFAST", "早餐", snacks.slice(10));
  await tag(mch02, "XIAOLONG", "小笼", snacks.slice(0, 3));
  await count(mch02, stores("mch02"), snacks.slice(0, 4));

  const mch03 = await askerOf("mch03");
  await count(mch03, stores("mch03"), await adopt(mch03, library, [...LIBRARY.keys()], 0));
}

interface Base {
  readonly id: string;
  readonly variantId: string;
}
async function fillLibrary(ask: Ask, read: (id: string) => Promise<{ variants: { id: string }[] }>): Promise<Base[]> {
  const made: Base[] = [];
  for (const [n, [name, brand, spec]] of LIBRARY.entries()) {
    const kind = { category: n < 7 ? "饮料" : "零食百货", unit: n === 9 ? "包" : "瓶", taxRate: 13000, attributes: ["规格"] };
    const { id } = await ask("base-goods/add", {
      name: `${brand}${name}`,
      brand,
      ...kind,
      variants: [{ spec: [spec], barcode: gtin(1_000 + n) }],
    });
    const { variants } = await read(id);
    made.push({ id, variantId: variants[0]!.id });
  }
  await ask("base-goods/offer", { ids: made.map(({ id }) => id) });
  return made;
}
async function make(ask: Ask, prefix: string, dishes: readonly Dish[]): Promise<string[]> {
  const pictures = new Map<string, string>();
  for (const category of new Set(dishes.map(([, of]) => of))) {
    const [r, g, b] = COLOURS[category] ?? [120, 120, 120];
    const base64 = poster(240, 240, [r, g, b], [r * 0.6, g * 0.6, b * 0.6]).toString("base64");
    pictures.set(category, (await ask<{ url: string }>("products/pictures", { base64 })).url);
  }
  const made: string[] = [];
  for (const [n, [name, category, unit, price, member, specs]] of dishes.entries()) {
    const weighed = category === "外带";
    const skus = (specs ?? [[null, price] as const]).map(([spec, own], at) => ({
      skuNo: `${prefix}${String(n + 1).padStart(3, "0")}${specs ? `-${at + 1}` : ""}`,
      spec: spec === null ? [] : [spec],
      priceCents: own * 100,
      memberCents: member === null ? null : Math.min(member, own) * 100,
      barcodes: weighed ? [{ barcode: "20001" }] : [],
    }));
    const given = {
      name,
      category,
      unit,
      taxRate: 6000,
      weighed,
      attributes: specs ? ["规格"] : [],
      picture: pictures.get(category),
      skus,
    };
    made.push((await ask("products/add", given)).id);
  }
  return made;
}
async function adopt(ask: Ask, library: readonly Base[], some: readonly number[], dearer: number): Promise<string[]> {
  const made: string[] = [];
  for (const n of some) {
    const { id, variantId } = library[n]!;
    made.push((await ask("base-goods/adopt", { id, skus: [{ variantId, priceCents: LIBRARY[n]![3] * 100 + dearer }] })).id);
  }
  return made;
}
async function tag(ask: Ask, code: string, name: string, skuIds: readonly string[]): Promise<void> {
  const { id } = await ask("product-tags/add", { code, name });
  await ask("product-tags/members", { tagId: id, on: true, skuIds });
}
async function count(ask: Ask, stores: readonly string[], skuIds: readonly string[]): Promise<void> {
  for (const [at, storeId] of stores.entries())
    for (const [n, skuId] of skuIds.entries())
      await ask("product-stores/stock", { storeId, skuId, act: "start", units: (n * 17 + at * 5) % 60 });
}
