import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** How far a store is at WeChat Pay; `unsure` is a submission that nobody heard the end of. */
export const wxStoreStatus = labelled({
  none: ["未关联", "ended"],
  creating: ["提交中", "active"],
  unsure: ["待确认", "warn"],
  failed: ["提交失败", "bad"],
  auditing: ["审核中", "active"],
  passed: ["已生效", "good"],
  rejected: ["已退回", "bad"],
});
const wxStoreId = z
  .string()
  .trim()
  .regex(/^\d{1,16}$/, "微信门店 ID 为数字");

const wxStoreRow = z.object({
  id,
  number: z.string(),
  name: z.string(),
  city: z.string().nullable(),
  address: z.string().nullable(),
  wxStoreId: z.string().nullable(),
  status: oneOf(wxStoreStatus),
  /** In the channel's own words. */
  message: z.string().nullable(),
  syncedAt: instant.nullable(),
  createdAt: instant,
});
export const listWxStores = read({
  path: "/api/stores/wx",
  title: "微信门店",
  access: "/store/wx",
  input: listInput({ keyword: line(64).optional(), status: oneOf(wxStoreStatus).optional() }, ["-createdAt"]),
  output: listOutput(wxStoreRow),
});
/** One of them, wherever it stands in the list. */
export const getWxStore = read({
  path: "/api/stores/wx/:id",
  title: "微信门店详情",
  access: "/store/wx",
  input: z.object({ id }),
  output: wxStoreRow,
});
const settled = z.object({ status: oneOf(wxStoreStatus), message: z.string().nullable() });
/** Tells the channel of a store. It is not safe to repeat: after no answer somebody looks at the channel's own pages first. */
export const submitWxStore = write({
  path: "/api/stores/wx/submit",
  title: "提交微信门店",
  access: "/store/wx/edit",
  outside: true,
  deadline_ms: 20_000,
  input: z.object({ id }),
  output: settled,
});
/** Takes a store that is at the channel already, after asking for it. */
export const linkWxStore = write({
  path: "/api/stores/wx/link",
  title: "关联微信门店",
  access: "/store/wx/edit",
  outside: true,
  deadline_ms: 20_000,
  input: z.object({ id, wxStoreId }),
  output: settled,
});
/** Asks how the audit stands. */
export const syncWxStore = write({
  path: "/api/stores/wx/sync",
  title: "同步微信门店",
  access: "/store/wx/edit",
  outside: true,
  deadline_ms: 20_000,
  input: z.object({ id }),
  output: settled,
});
