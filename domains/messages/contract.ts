import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

export const messageKind = labelled({
  refundFailed: ["退款失败", "bad"],
  sharingFailed: ["分账失败", "bad"],
  sharingWaiting: ["分账未决", "warn"],
  sharingDiffers: ["分账不一致", "bad"],
  fullIn: ["资料补全", "warn"],
  contract: ["合同到期", "warn"],
  abnormalStore: ["异常门店", "warn"],
  import: ["导入完成", "good"],
  billFailed: ["账单未导入", "bad"],
  withdrawal: ["提现", "active"],
  material: ["素材审核", "active"],
  unheard: ["后续处理未完成", "bad"],
  deviceOffline: ["设备离线", "bad"],
  stockLow: ["库存不足", "warn"],
  pointsEnd: ["积分清零", "warn"],
  invoice: ["电子发票", "warn"],
  voucherUnknown: ["团购券待核对", "warn"],
  pushOff: ["数据推送已停用", "bad"],
  dayChanged: ["关账后变动", "warn"],
  applyment: ["进件", "warn"],
  voucherGone: ["平台券被撤销", "warn"],
  export: ["视图订阅", "active"],
});
export type MessageKind = CodeOf<typeof messageKind>;
/** How long a message is kept. */
export const MESSAGES_KEPT_DAYS = 90;
export const unreadFilter = labelled({ unread: "未读" });

const message = z.object({
  id,
  kind: oneOf(messageKind),
  title: z.string(),
  body: z.string(),
  /** The list behind it, an address after the #. */
  href: z.string(),
  createdAt: instant,
  readAt: instant.nullable(),
});
export type Message = z.output<typeof message>;

/** The caller's own, newest first; those whose list the caller may not open are left out. */
export const listMessages = read({
  path: "/api/messages",
  title: "消息",
  access: "signed-in",
  rate: "poll",
  input: listInput({ only: oneOf(unreadFilter).optional() }, ["-createdAt"]),
  output: listOutput(message),
});
export const countUnread = read({
  path: "/api/messages/unread",
  title: "未读消息数",
  access: "signed-in",
  rate: "poll",
  input: z.object({}),
  output: z.object({ count: wholeNumber(0, 1000) }),
});
/** Marks some as read, or all of them. */
export const readMessages = write({
  path: "/api/messages/read",
  title: "消息设为已读",
  access: "signed-in",
  input: z.object({ ids: z.array(id).max(100).optional() }),
  output: z.object({ read: z.int() }),
});
