import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { fanChannelKind, fanChannelStatus } from "./codes.ts";

const access = "/wxCRM/fans";
const edit = "/wxCRM/fans/channel";
/** So many are made at once. */
export const CHANNELS_AT_ONCE = 100;
export const channelFilters = {
  keyword: line(30).optional(),
  kind: oneOf(fanChannelKind).optional(),
  status: oneOf(fanChannelStatus).optional(),
  appRow: id.optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
};
const row = z.object({
  id,
  kind: oneOf(fanChannelKind),
  name: z.string(),
  appName: z.string(),
  merchantName: z.string(),
  storeName: z.string().nullable(),
  status: oneOf(fanChannelStatus),
  /** Why WeChat gave none. */
  why: z.string(),
  /** What the code says; null until WeChat gave it. */
  url: z.string().nullable(),
  /** For how many days it was asked for; null: for good. */
  days: z.int().nullable(),
  endsAt: instant.nullable(),
  /** It was good for some days, and they are over. */
  over: z.boolean(),
  /** Who came by it first, and who follows now and scanned it last. */
  brought: z.int(),
  fans: z.int(),
  byName: z.string(),
  createdAt: instant,
});
/** 渠道码: codes of the accounts in sight, each with a scene of its own. */
export const listFanChannels = read({
  path: "/api/wx-fans/channels",
  title: "渠道码",
  access,
  input: listInput(channelFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const getFanChannel = read({
  path: "/api/wx-fans/channels/:id",
  title: "渠道码详情",
  access,
  input: z.object({ id }),
  output: row,
});
/** 做渠道码: one for each store, or for each name of a store's employees or tables, or of campaigns. WeChat gives them a moment later. */
export const addFanChannels = write({
  path: "/api/wx-fans/channels/add",
  title: "做渠道码",
  access: edit,
  idempotent: "requestId",
  input: z
    .object({
      requestId: id,
      appRow: id,
      kind: oneOf(fanChannelKind),
      storeIds: z.array(id).max(CHANNELS_AT_ONCE, `一次最多 ${CHANNELS_AT_ONCE} 家门店`).default([]),
      /** Empty ones are left out: somebody types a name a line. */
      names: z
        .array(line(30))
        .max(CHANNELS_AT_ONCE, `一次最多 ${CHANNELS_AT_ONCE} 个`)
        .default([])
        .transform((names) => names.filter((name) => name !== "")),
      /** 1 to 30 days; missing: for good. */
      days: wholeNumber(1, 30).optional(),
    })
    .refine(
      ({ kind, storeIds }) =>
        kind === "campaign" ? storeIds.length === 0 : kind === "store" ? storeIds.length > 0 : storeIds.length === 1,
      {
        path: ["storeIds"],
        message: "请选择门店",
      },
    )
    .refine(({ kind, names }) => (kind === "store" ? names.length === 0 : names.length > 0), { path: ["names"], message: "请填写名称" })
    .refine(({ names }) => new Set(names).size === names.length, { path: ["names"], message: "名称有重复" }),
  output: z.object({ ids: z.array(id) }),
});
/** 重做: WeChat is asked again, for the same scene; what was printed of one that is over stays void. @throws 409 where the code is good */
export const makeFanChannel = write({
  path: "/api/wx-fans/channels/make",
  title: "重做渠道码",
  access: edit,
  input: z.object({ id }),
  output: done,
});
