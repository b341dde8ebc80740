import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, day, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { activation, cardRight, cardStatus, cardTone, formFlag, holdingWay } from "./codes.ts";

const cards = "/memberCard/card";
/** The merchant's button, and what its stores hold of it where they are given leave. */
export const CHANGES = ["/memberCard/card/edit", "/memberCard/area/edit"] as const;
const STATES = ["/memberCard/card/state", "/memberCard/area/edit"] as const;

export const cardPictureUrl = z.string().regex(/^\/api\/card-pictures\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "图片无效");
const phone = z
  .string()
  .trim()
  .regex(/^$|^[0-9+][0-9-]{4,19}$/, "电话格式不正确，如 028-86668888");
/** What the customer sees. */
export const cardFace = {
  name: line(10, 1, "请填写卡名"),
  tone: oneOf(cardTone),
  logo: cardPictureUrl.nullable().default(null),
  background: cardPictureUrl.nullable().default(null),
  notice: line(32).default(""),
  phone: phone.default(""),
  rights: z.string().trim().max(500, "不能超过 500 个字").default(""),
  activation: oneOf(activation).default("auto"),
  /** The last day on which it is worth something; null for ever. */
  endsOn: day.nullable().default(null),
};
const flagged = oneOf(formFlag);
export const cardForm = z.object({
  mobile: flagged.refine((given) => given === 2, "会员由手机号认，手机号须必填"),
  name: flagged,
  birthday: flagged,
  idcard: flagged,
  income: flagged,
  industry: flagged,
  habit: flagged,
  email: flagged,
  location: flagged,
  sex: flagged,
  education: flagged,
});

export const cardFilters = {
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
  keyword: line(32).optional(),
  status: oneOf(cardStatus).optional(),
};
const ownFilters = { keyword: cardFilters.keyword, status: cardFilters.status };
const cardRow = z.object({
  id: z.string(),
  name: z.string(),
  tone: oneOf(cardTone),
  logo: z.string().nullable(),
  status: oneOf(cardStatus),
  everywhere: z.boolean(),
  endsOn: day.nullable(),
  holders: z.int(),
  /** Whether this is the one that joining members get where nothing is bound. */
  given: z.boolean(),
  revision: z.int(),
  createdAt: instant,
});
export const listCards = read({
  path: "/api/member-cards",
  title: "会员卡",
  access: cards,
  input: listInput(ownFilters, ["-createdAt"]),
  output: listOutput(cardRow),
});
export const summariseCards = read({
  path: "/api/member-cards/summary",
  title: "会员卡汇总",
  access: cards,
  input: z.object(ownFilters),
  output: z.object({ count: z.int(), holders: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
/** One card with all that is on it; for whoever may change some of it, too. */
export const getCard = read({
  path: "/api/member-cards/:id",
  title: "会员卡详情",
  access: [cards, "/memberCard/area"],
  input: z.object({ id }),
  output: cardRow.extend({
    background: z.string().nullable(),
    notice: z.string(),
    phone: z.string(),
    rights: z.string(),
    activation: oneOf(activation),
    form: cardForm,
    placeNames: z.string(),
    merchantName: z.string(),
    /** What the caller may change on it. */
    may: z.array(oneOf(cardRight)),
  }),
});
export const addCard = write({
  path: "/api/member-cards/add",
  title: "新建会员卡",
  access: "/memberCard/card/edit",
  input: z.object(cardFace),
  output: done.extend({ id: z.string() }),
});
export const setCardFace = write({
  path: "/api/member-cards/face",
  title: "修改卡面",
  access: CHANGES,
  input: z.object({ id, revision: z.int(), ...cardFace }),
  output: done,
});
export const setCardForm = write({
  path: "/api/member-cards/form",
  title: "修改开卡表单",
  access: CHANGES,
  input: z.object({ id, revision: z.int(), form: cardForm }),
  output: done,
});
/** 确认, 启用, 暂停, 重启; a level below may pause and go on, no more. */
export const moveCard = write({
  path: "/api/member-cards/move",
  title: "会员卡状态",
  access: STATES,
  input: z.object({ id, from: oneOf(cardStatus), to: oneOf(cardStatus) }),
  output: done,
});

export const CARD_PICTURE_MOST = { width: 2_000, height: 2_000, bytes: 700_000 } as const;
export const addCardPicture = write({
  path: "/api/member-cards/pictures",
  title: "上传卡面图片",
  access: CHANGES,
  input: z.object({ base64: z.base64().max(1_000_000, "图片过大") }),
  output: z.object({ url: z.string() }),
});
/** For whoever has its number: a customer's phone, WeChat. */
export const getCardPicture = read({
  path: "/api/card-pictures/:id",
  title: "卡面图片",
  access: "public",
  envelope: "file",
  input: z.object({ id }),
  output: z.unknown(),
});

export const holderFilters = { ...dateRange, keyword: line(32).optional(), storeId: id.optional(), cardId: id.optional() };
const holderRow = z.object({
  id: z.string(),
  code: z.string(),
  cardId: z.string(),
  cardName: z.string(),
  memberNo: z.string(),
  storeId: z.string(),
  storeName: z.string(),
  way: oneOf(holdingWay),
  by: z.string(),
  createdAt: instant,
});
const holders = "/memberCard/card";
export const listHolders = read({
  path: "/api/member-cards/holders",
  title: "持卡会员",
  access: holders,
  input: listInput(holderFilters, ["-createdAt"]),
  output: listOutput(holderRow),
});
export const summariseHolders = read({
  path: "/api/member-cards/holders/summary",
  title: "持卡会员汇总",
  access: holders,
  input: z.object(holderFilters),
  output: z.object({ count: z.int() }),
});
/** 开卡: for a member at the office. Once more gives no second one. */
export const openCard = write({
  path: "/api/member-cards/open",
  title: "给会员开卡",
  access: "/memberCard/card/open",
  input: z.object({ cardId: id, memberNo: z.string().regex(/^\d{10}$/, "会员号为 10 位数字"), storeId: id }),
  output: done.extend({ code: z.string(), made: flag, gift: z.string() }),
});
