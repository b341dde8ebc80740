import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, line, listInput, listOutput, oneOf, rate, wholeNumber } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** 2, 4 or 6 digits: province, city, district; 9 for the towns of a city without districts. */
const divisionCode = z.string().regex(/^\d{2}(\d{2}(\d{2}(\d{3})?)?)?$/, "区划代码为 2、4、6 或 9 位数字");
export const divisionLevel = labelled({ 1: "省份", 2: "城市", 3: "区县" });
export const isEnabled = labelled({ true: ["启用", "good"], false: ["停用", "ended"] });

const divisionRow = z.object({
  /** Its code. */
  id: z.string(),
  code: z.string(),
  name: z.string(),
  shortName: z.string(),
  level: oneOf(divisionLevel),
  /** Of what it lies in; null for a province. */
  parentName: z.string().nullable(),
  enabled: z.boolean(),
  /** What it lies in is closed, so that nobody can choose it either. */
  hidden: z.boolean(),
  /** Divisions below it. */
  below: z.int(),
});
export const listDivisions = read({
  path: "/api/divisions",
  title: "行政区划列表",
  jumps: false,
  access: ["/admin/province", "/admin/city"],
  input: listInput(
    {
      level: wholeNumber(1, 3).default(1),
      provinceCode: divisionCode.optional(),
      keyword: line(32).optional(),
      enabled: flag.optional(),
    },
    ["code"],
  ),
  output: listOutput(divisionRow),
});
/** What closing a division would touch: addresses of merchants and stores, which stay as they are. */
export const countDivisionUses = read({
  path: "/api/divisions/uses",
  title: "行政区划使用情况",
  access: ["/admin/province", "/admin/city"],
  input: z.object({ code: divisionCode }),
  output: z.object({ merchants: z.int(), stores: z.int() }),
});
export const updateDivision = write({
  path: "/api/divisions/update",
  title: "修改行政区划",
  access: ["/admin/province", "/admin/city"],
  input: z.object({ code: divisionCode, shortName: line(32, 1, "请填写简称").optional(), enabled: z.boolean().optional() }),
  output: done,
});

/** A region that can be chosen and what lies in it, by their names: that is what an address keeps. A municipality's city has its code. */
const district = z.string();
const city = z.object({ code: z.string(), name: z.string(), districts: z.array(district) });
export const province = z.object({ code: z.string(), name: z.string(), cities: z.array(city) });
export type Province = z.output<typeof province>;
/** All that are open, for addresses. The four municipalities are a city of themselves. */
export const listRegions = read({
  path: "/api/divisions/regions",
  title: "地区选择",
  access: "signed-in",
  input: z.object({}),
  output: z.array(province),
});

const tradeRow = z.object({
  id,
  name: z.string(),
  parentId: id.nullable(),
  parentName: z.string().nullable(),
  /** Null: the provider's own rate holds. */
  feeRate: z.int().nullable(),
  certificates: z.array(z.string()),
  enabled: z.boolean(),
  /** Merchants that have it. */
  merchants: z.int(),
});
/** The whole tree as rows: each group before its trades. */
export const listTrades = read({
  path: "/api/trades",
  title: "行业列表",
  jumps: false,
  access: "/admin/trade",
  input: listInput({ keyword: line(32).optional(), enabled: flag.optional() }, ["sort"]),
  output: listOutput(tradeRow),
});
const tradeFields = {
  name: line(32, 1, "请填写行业名称"),
  feeRate: rate.nullable().optional(),
  certificates: z
    .array(line(32))
    .max(20, "最多 20 种证照")
    .transform((all) => all.filter((one) => one !== ""))
    .default([]),
};
export const addTrade = write({
  path: "/api/trades/add",
  title: "新增行业",
  access: "/admin/trade",
  idempotent: "requestId",
  input: z.object({ requestId: id, parentId: id.optional(), ...tradeFields }),
  output: z.object({ id }),
});
export const updateTrade = write({
  path: "/api/trades/update",
  title: "修改行业",
  access: "/admin/trade",
  input: z.object({ id, ...tradeFields }),
  output: done,
});
export const setTradeState = write({
  path: "/api/trades/state",
  title: "启用或停用行业",
  access: "/admin/trade",
  input: z.object({ id, enabled: z.boolean() }),
  output: done,
});
/** The trades that a merchant can have. */
export const listTradeChoices = read({
  path: "/api/trades/choices",
  title: "行业选择",
  access: "signed-in",
  input: z.object({}),
  output: z.array(z.object({ name: z.string(), group: z.string(), feeRate: z.int().nullable(), certificates: z.array(z.string()) })),
});

/** `public`: a page's pictures carry no token. It asks only WeChat's image hosts, and each address so often a minute. */
export const getWechatImage = read({
  path: "/wxImgfilter/:host/*",
  title: "微信图片",
  access: "public",
  envelope: "file",
  rate: "poll",
  input: z.object({ host: z.string().max(64) }),
  output: z.unknown(),
});
