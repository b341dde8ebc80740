import { directChannel, payChannel } from "../../channels/contract.ts";
import { platform } from "../../platforms/contract/codes.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Whose bill it is: a channel's, or a platform's that holds money of the merchant's. */
export const billSource = labelled({
  wechat: directChannel.label("wechat"),
  alipay: directChannel.label("alipay"),
  "acquirer-1": payChannel.label(1),
  "acquirer-2": payChannel.label(2),
  "acquirer-3": payChannel.label(3),
  "acquirer-4": payChannel.label(4),
  "acquirer-5": payChannel.label(5),
  "acquirer-6": payChannel.label(6),
  "acquirer-8": payChannel.label(8),
  dy: platform.label("dy"),
  ks: platform.label("ks"),
  meituan: platform.label("meituan"),
  koubei: platform.label("koubei"),
  // The channel has the same name.
  "alipay-gb": "支付宝团购",
  channels: platform.label("channels"),
  ele: platform.label("ele"),
  "meituan-wm": platform.label("meituan-wm"),
});
export type BillSource = CodeOf<typeof billSource>;
/** What kind of a source it is: a channel with bill files, or a platform whose bills are facts of `platforms` and `takeaway`. */
export const sourceGroup = labelled({ channel: "通道", "group-buy": "团购", takeaway: "外卖" });
export type SourceGroup = CodeOf<typeof sourceGroup>;
export const GROUP_BUY = ["dy", "ks", "meituan", "koubei", "alipay-gb", "channels"] as const;
export const TAKEAWAY = ["ele", "meituan-wm"] as const;
export type GroupBuySource = (typeof GROUP_BUY)[number];
export type TakeawaySource = (typeof TAKEAWAY)[number];
export type PlatformSource = GroupBuySource | TakeawaySource;
export const isGroupBuy = (source: string): source is GroupBuySource => (GROUP_BUY as readonly string[]).includes(source);
export const isTakeaway = (source: string): source is TakeawaySource => (TAKEAWAY as readonly string[]).includes(source);
export const isPlatform = (source: string): source is PlatformSource => isGroupBuy(source) || isTakeaway(source);
export const groupOf = (source: string): SourceGroup => (isGroupBuy(source) ? "group-buy" : isTakeaway(source) ? "takeaway" : "channel");
/** The sources of a group; without one all of them. */
export const sourcesOf = (group: SourceGroup | undefined) =>
  labelled(
    Object.fromEntries(
      billSource.options.flatMap(({ value, label }) => (group === undefined || groupOf(value) === group ? [[value, label]] : [])),
    ) as Record<BillSource, string>,
  );
/** Sources whose uses the platform itself has on record here: a day of theirs can be taken anew. */
export const isAsked = (source: string): boolean => source === "dy";
/** The acquirer whose bill it is, by its code among the channels; undefined for others'. Its bills are uploaded, never fetched. */
export const acquirerOf = (source: BillSource): 1 | 2 | 3 | 4 | 5 | 6 | 8 | undefined =>
  source.startsWith("acquirer-") ? (Number(source.slice(-1)) as 1) : undefined;

export const billType = labelled({
  ALL: "全部交易账单",
  SUCCESS: "成功交易账单",
  REFUND: "退款账单",
  FUNDFLOW: "资金账单",
  TRADE: "业务明细账单",
});
export type BillTypeCode = CodeOf<typeof billType>;
/** The two bills of a platform's day, which are facts and no files: whether it happened, and what it pays. */
export const platformBill = labelled({ VERIFY: "核销账单", LEDGER: "结算账单" });
/** The types of files that a channel writes; a platform writes none. */
export const typesOf = (source: BillSource): readonly BillTypeCode[] =>
  isPlatform(source) ? [] : source === "wechat" ? ["ALL", "SUCCESS", "REFUND", "FUNDFLOW"] : ["TRADE"];

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
  "channel-only": ["通道有本地无", "bad"],
  "ours-only": ["本地有通道无", "bad"],
  uneven: ["账单内不平", "warn"],
});
export type DifferenceClass = CodeOf<typeof differenceClass>;
/** The same of platforms' days, in their words. */
export const platformClass = labelled({
  amount: ["用户实付不符", "bad"],
  fee: ["佣金不符", "warn"],
  status: ["状态不符", "warn"],
  "channel-only": ["平台有本店无", "bad"],
  "ours-only": ["本店有平台无", "bad"],
  uneven: ["账单内不平", "warn"],
});
export const differenceKind = labelled({ 1: "支付", 2: "退款", 3: "核销", 4: "撤销", 5: "结算", 6: "外卖单" });
export const differenceStatus = labelled({ open: ["待处理", "warn"], proposed: ["待复核", "active"], resolved: ["已处理", "good"] });
export type DifferenceStatus = CodeOf<typeof differenceStatus>;
export const resolution = labelled({
  repaired: "按通道结果更正",
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
  unmapped: "平台门店没有映射到本店",
  unfetched: "平台通知过，订单没有取到",
  unsettled: "核销满 8 天，账单还没有结算",
  "still-paid": "已撤销，账单仍然结算",
  running: "下单满 3 天，还没有完成",
  unreadable: "平台给的记录读不懂，满 8 天不再等",
});
/** What these say is known here, or waits for its store or for being fetched: it is no payment of nobody knows whom. */
export const KNOWN_HINTS: readonly (string | null)[] = ["twice", "other-day", "unmapped", "unfetched", "unreadable"];
/** Of a platform's use or order, what we have: a difference's `ours.status`. */
export const platformState = labelled({ 1: "已核销", 2: "已撤销", 3: "进行中", 4: "已完成" });
/** The channel's own words in a bill; of platforms what they say in ours. */
export const billState = labelled({
  SUCCESS: "成功",
  REFUND: "转入退款",
  REVOKED: "已撤销",
  PROCESSING: "退款处理中",
  FAIL: "退款失败",
  CHANGE: "退款异常",
  USED: "已核销",
  UNREAD: "读不懂",
  REVERSED: "已撤销",
  SETTLED: "已结算",
  RUNNING: "进行中",
  DONE: "已完成",
  UNFETCHED: "没有取到",
});
