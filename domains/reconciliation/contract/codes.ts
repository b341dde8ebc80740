import { payChannel } from "../../channels/contract.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Whose bill it is. */
export const billSource = labelled({
  wechat: "微信支付",
  alipay: "支付宝",
  "acquirer-1": payChannel.label(1),
  "acquirer-2": payChannel.label(2),
  "acquirer-3": payChannel.label(3),
  "acquirer-4": payChannel.label(4),
  "acquirer-5": payChannel.label(5),
  "acquirer-6": payChannel.label(6),
  "acquirer-8": payChannel.label(8),
});
export type BillSource = CodeOf<typeof billSource>;
/** The acquirer whose bill it is, by its code among the channels; undefined for a direct channel's. Its bills are uploaded, never fetched. */
export const acquirerOf = (source: BillSource): 1 | 2 | 3 | 4 | 5 | 6 | 8 | undefined =>
  source === "wechat" || source === "alipay" ? undefined : (Number(source.slice(-1)) as 1);

export const billType = labelled({
  ALL: "全部交易账单",
  SUCCESS: "成功交易账单",
  REFUND: "退款账单",
  FUNDFLOW: "资金账单",
  TRADE: "业务明细账单",
});
export type BillTypeCode = CodeOf<typeof billType>;
/** The types that a channel writes. */
export const typesOf = (source: BillSource): readonly BillTypeCode[] =>
  source === "wechat" ? ["ALL", "SUCCESS", "REFUND", "FUNDFLOW"] : ["TRADE"];

export const billFileStatus = labelled({
  uploading: ["上传中", "active"],
  waiting: ["等待处理", "active"],
  fetching: ["获取中", "active"],
  loading: ["解析中", "active"],
  parsed: ["对账中", "active"],
  matched: ["已对账", "good"],
  same: ["与已有相同", "ended"],
  failed: ["失败", "bad"],
  replaced: ["已被替换", "ended"],
});
export type BillFileStatus = CodeOf<typeof billFileStatus>;
export const AT_WORK: readonly BillFileStatus[] = ["uploading", "waiting", "fetching", "loading", "parsed"];
export const billOrigin = labelled({ fetch: "自动获取", upload: "手工上传" });

/** What a day needs next. */
export const dayState = labelled({
  differing: ["有差异", "bad"],
  ready: ["待关账", "active"],
  partial: ["账单不全", "warn"],
  closed: ["已关账", "good"],
});
export type DayState = CodeOf<typeof dayState>;

/** What does not fit (channels.md 5.5). Rows that fit are counted and not kept. */
export const differenceClass = labelled({
  amount: ["金额不符", "bad"],
  fee: ["手续费不符", "warn"],
  status: ["状态不符", "warn"],
  "channel-only": ["渠道有本地无", "bad"],
  "ours-only": ["本地有渠道无", "bad"],
});
export type DifferenceClass = CodeOf<typeof differenceClass>;
export const differenceKind = labelled({ 1: "支付", 2: "退款" });
export const differenceStatus = labelled({ open: ["待处理", "warn"], proposed: ["待复核", "active"], resolved: ["已处理", "good"] });
export type DifferenceStatus = CodeOf<typeof differenceStatus>;
export const resolution = labelled({
  repaired: "按渠道结果更正",
  "written-off": "核销",
  linked: "关联另一笔",
  unknown: "登记为未知收款",
  vanished: "重新对账后一致",
});
export const differenceHint = labelled({
  unknown: "本地没有这个单号",
  unpaid: "本地有此订单，未支付",
  twice: "账单中出现多次",
  "other-day": "本地记在其他日期",
  midnight: "接近零点，可能在次日账单中",
});
/** The channel's own words in a bill. */
export const billState = labelled({
  SUCCESS: "成功",
  REFUND: "转入退款",
  REVOKED: "已撤销",
  PROCESSING: "退款处理中",
  FAIL: "退款失败",
  CHANGE: "退款异常",
});
