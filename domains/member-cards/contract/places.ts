import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { bindingKind, cardRight, cardStatus, cardTone } from "./codes.ts";
import { cardFilters } from "./cards.ts";

const area = "/memberCard/area";
const areaFilters = { keyword: cardFilters.keyword, status: cardFilters.status };
const areaRow = z.object({
  id: z.string(),
  name: z.string(),
  tone: oneOf(cardTone),
  status: oneOf(cardStatus),
  everywhere: z.boolean(),
  areas: z.int(),
  stores: z.int(),
  placeNames: z.string(),
  revision: z.int(),
  /** What the caller may change on it. */
  may: z.array(oneOf(cardRight)),
  createdAt: instant,
});
/** 区域会员卡: where each card serves; for who runs an area what they may do there. */
export const listCardAreas = read({
  path: "/api/member-cards/areas",
  title: "区域会员卡",
  access: area,
  input: listInput(areaFilters, ["-createdAt"]),
  output: listOutput(areaRow),
});
export const summariseCardAreas = read({
  path: "/api/member-cards/areas/summary",
  title: "区域会员卡汇总",
  access: area,
  input: z.object(areaFilters),
  output: z.object({ count: z.int(), narrowed: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
const named = z.object({ id: z.string(), name: z.string() });
export const getCardPlaces = read({
  path: "/api/member-cards/areas/:id",
  title: "会员卡适用范围",
  access: area,
  input: z.object({ id }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    everywhere: z.boolean(),
    areaIds: z.array(z.string()),
    storeIds: z.array(z.string()),
    revision: z.int(),
    /** The merchant's areas, and the stores that the caller may take in and out. */
    areas: z.array(named.extend({ stores: z.int() })),
    stores: z.array(named),
    /** Own stores alone: what else it serves stays. */
    narrowed: z.boolean(),
    may: z.array(oneOf(cardRight)),
  }),
});
export const setCardPlaces = write({
  path: "/api/member-cards/areas/set",
  title: "设置适用范围",
  access: "/memberCard/area/edit",
  input: z.object({
    id,
    revision: z.int(),
    everywhere: flag,
    areaIds: z.array(id).max(100, "最多选择 100 个区域").default([]),
    storeIds: z.array(id).max(500, "最多选择 500 家门店").default([]),
  }),
  output: done,
});

const binding = "/memberCard/binding";
export const bindingFilters = { keyword: line(32).optional(), kind: oneOf(bindingKind).optional(), cardId: id.optional() };
const bindingRow = z.object({
  id: z.string(),
  kind: oneOf(bindingKind),
  target: z.string(),
  targetName: z.string(),
  cardId: z.string(),
  cardName: z.string(),
  cardStatus: oneOf(cardStatus),
  by: z.string(),
  createdAt: instant,
});
export const listBindings = read({
  path: "/api/member-cards/bindings",
  title: "会员卡绑定",
  access: binding,
  input: listInput(bindingFilters, ["-createdAt"]),
  output: listOutput(bindingRow),
});
export const getBinding = read({
  path: "/api/member-cards/bindings/:id",
  title: "会员卡绑定详情",
  access: binding,
  input: z.object({ id }),
  output: bindingRow,
});
export const summariseBindings = read({
  path: "/api/member-cards/bindings/summary",
  title: "会员卡绑定汇总",
  access: binding,
  input: z.object(bindingFilters),
  output: z.object({ count: z.int(), byKind: z.record(z.string(), z.int()), cards: z.array(named), devices: z.array(named) }),
});
export const addBinding = write({
  path: "/api/member-cards/bindings/add",
  title: "绑定会员卡",
  access: "/memberCard/binding/edit",
  input: z
    .object({
      cardId: id,
      kind: oneOf(bindingKind),
      storeId: id.optional(),
      deviceId: id.optional(),
      appId: z
        .string()
        .trim()
        .regex(/^wx[0-9a-f]{16}$/, "AppID 以 wx 开头，共 18 位")
        .optional(),
      title: line(32).default(""),
    })
    .superRefine(({ kind, storeId, deviceId, appId, title }, ctx) => {
      const lacks = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
      if (kind === "store" && storeId === undefined) lacks("storeId", "请选择门店");
      if (kind === "device" && deviceId === undefined) lacks("deviceId", "请选择设备");
      if (kind === "mini-program" && appId === undefined) lacks("appId", "请填写小程序 AppID");
      if (kind === "mini-program" && title === "") lacks("title", "请填写小程序名称");
    }),
  output: done,
});
export const removeBinding = write({
  path: "/api/member-cards/bindings/remove",
  title: "解绑会员卡",
  access: "/memberCard/binding/edit",
  input: z.object({ id }),
  output: done,
});

const auth = "/memberCard/setAuth";
const grantRow = z.object({
  id: z.string(),
  name: z.string(),
  tone: oneOf(cardTone),
  status: oneOf(cardStatus),
  merchantId: z.string(),
  merchantName: z.string(),
  /** What the caller has, and what they give to the level below. */
  has: z.array(oneOf(cardRight)),
  gives: z.array(oneOf(cardRight)),
  by: z.string(),
  updatedAt: instant.nullable(),
  createdAt: instant,
});
/** 会员卡授权: a provider gives to merchants, a merchant to its areas and stores. */
export const listGrants = read({
  path: "/api/member-cards/grants",
  title: "会员卡授权",
  access: auth,
  input: listInput(cardFilters, ["-createdAt"]),
  output: listOutput(grantRow),
});
export const getGrant = read({
  path: "/api/member-cards/grants/:id",
  title: "会员卡授权详情",
  access: auth,
  input: z.object({ id }),
  output: grantRow,
});
export const summariseGrants = read({
  path: "/api/member-cards/grants/summary",
  title: "会员卡授权汇总",
  access: auth,
  input: z.object(cardFilters),
  output: z.object({ count: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
export const setGrant = write({
  path: "/api/member-cards/grants/set",
  title: "修改会员卡授权",
  access: "/memberCard/setAuth/edit",
  input: z.object({ id, seen: z.array(oneOf(cardRight)), rights: z.array(oneOf(cardRight)).max(5) }),
  output: done,
});
