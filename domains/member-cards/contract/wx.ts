import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { cardStatus, cardTone, wxApi, wxCardState, wxHolderState, wxSync } from "./codes.ts";

/** A merchant makes its cards there; its provider looks and has things sent once more. */
const looks = ["/memberCard/wx", "/memberCard/wxCard"] as const;
const syncs = ["/memberCard/wx/edit", "/memberCard/wxCard/sync"] as const;
export const wxFilters = {
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
  keyword: line(32).optional(),
  state: oneOf(wxCardState).optional(),
};
const wxRow = z.object({
  id: z.string(),
  name: z.string(),
  tone: oneOf(cardTone),
  status: oneOf(cardStatus),
  merchantId: z.string(),
  merchantName: z.string(),
  state: oneOf(wxCardState),
  api: oneOf(wxApi).nullable(),
  wxCardId: z.string().nullable(),
  sync: oneOf(wxSync).nullable(),
  why: z.string().nullable(),
  holders: z.int(),
  /** Holders that WeChat does not know of as they are. */
  waiting: z.int(),
  syncedAt: instant.nullable(),
  createdAt: instant,
});
export const listWxCards = read({
  path: "/api/member-cards/wx",
  title: "微信会员卡",
  access: looks,
  input: listInput(wxFilters, ["-createdAt"]),
  output: listOutput(wxRow),
});
export const summariseWxCards = read({
  path: "/api/member-cards/wx/summary",
  title: "微信会员卡汇总",
  access: looks,
  input: z.object(wxFilters),
  output: z.object({ count: z.int(), holders: z.int(), waiting: z.int(), byState: z.record(z.string(), z.int()) }),
});
export const getWxCard = read({
  path: "/api/member-cards/wx/:id",
  title: "微信会员卡详情",
  access: looks,
  input: z.object({ id }),
  output: wxRow.extend({
    notice: z.string(),
    rights: z.string(),
    phone: z.string(),
    logo: z.string().nullable(),
    byState: z.array(z.object({ state: oneOf(wxHolderState), count: z.int() })),
    /** The last that WeChat refused, or that nobody knows of. */
    problems: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        memberNo: z.string(),
        state: oneOf(wxHolderState),
        sync: oneOf(wxSync),
        why: z.string().nullable(),
        sentAt: instant.nullable(),
      }),
    ),
  }),
});
export const createWxCard = write({
  path: "/api/member-cards/wx/create",
  title: "创建微信会员卡",
  access: "/memberCard/wx/edit",
  input: z.object({ id, api: oneOf(wxApi) }),
  output: done,
});
/** Sends what waits now, and once more what was refused. */
export const syncWxCard = write({
  path: "/api/member-cards/wx/sync",
  title: "同步微信会员卡",
  access: syncs,
  input: z.object({ id }),
  output: done,
});
export const deleteWxCard = write({
  path: "/api/member-cards/wx/delete",
  title: "删除微信会员卡",
  access: "/memberCard/wx/edit",
  input: z.object({ id }),
  output: done,
});
