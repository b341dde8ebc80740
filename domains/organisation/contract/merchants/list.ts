import { read, viewsOf } from "@zhangfang/contract/endpoint.ts";
import { dateRange, day, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { payChannel } from "../../../channels/contract.ts";
import { z } from "zod";
import { nodeState } from "../nodes.ts";

/** Whether a merchant has a payment channel at all. */
export const channelOpened = labelled({ yes: "已开通", no: "未开通" });

/** One merchant in the list. Names of agent, team and salesman are there for whoever may see those. */
export const merchantRow = z.object({
  id,
  number: z.string(),
  name: z.string(),
  shortName: z.string(),
  trade: z.string().nullable(),
  province: z.string().nullable(),
  city: z.string().nullable(),
  serviceProviderId: id,
  serviceProviderName: z.string(),
  agentId: id.nullable(),
  agentName: z.string().nullable(),
  businessTeamId: id.nullable(),
  teamName: z.string().nullable(),
  salesmanId: id.nullable(),
  salesmanName: z.string().nullable(),
  /** Masked. */
  contactName: z.string().nullable(),
  contactPhone: z.string().nullable(),
  channels: z.array(oneOf(payChannel)),
  storeCount: z.int(),
  feeRate: z.int(),
  state: oneOf(nodeState),
  openedAt: instant,
  /** The root account that the caller may log in as. */
  loginUserId: id.nullable(),
});

/** The one filter that the list, its summary, its export and batch acts share. */
export const merchantFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
  salesmanId: id.optional(),
  /** A name or a part of it, its pinyin, initials or whole, the number, the end of the phone. */
  keyword: line(64).optional(),
  state: oneOf(nodeState).optional(),
  channel: oneOf(channelOpened).optional(),
  trade: line(64).optional(),
  province: line(64).optional(),
  ...dateRange,
  /** With a payment on these days that belonged to the caller as the merchant does now. */
  activeFrom: day.optional(),
  activeTo: day.optional(),
};

export const listMerchantRows = read({
  path: "/api/organisation/merchants",
  title: "商户",
  access: "/merchants/merchants",
  input: listInput(merchantFilter, ["-openedAt", "openedAt"]),
  output: listOutput(merchantRow),
});
export const merchantViews = viewsOf(listMerchantRows, {
  unpaid: ["启用，未开通通道", { state: "active", channel: "no" }],
  fresh: ["本月新开", {}, "month"],
  closed: ["已停用", { state: "disabled" }],
});
/** Counts over the whole filter; those of the tabs leave the state out. */
export const summariseMerchants = read({
  path: "/api/organisation/merchants/summary",
  title: "商户合计",
  access: "/merchants/merchants",
  input: z.object(merchantFilter),
  output: z.object({ count: z.int(), storeCount: z.int(), perState: z.array(z.object({ state: oneOf(nodeState), count: z.int() })) }),
});
