import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import { directChannel, payChannel, payTool, walletOf } from "../../channels/contract.ts";
import { voucherPlatform } from "../../group-buy/contract/codes.ts";
import { platform } from "../../platforms/contract/codes.ts";
import { takeawayPlatform } from "../../takeaway/contract/codes.ts";

export const storeDayStatus = labelled({ open: ["未关账", "warn"], proposed: ["待确认", "active"], closed: ["已关账", "good"] });
export type StoreDayStatus = CodeOf<typeof storeDayStatus>;

/** What a store's day is made of: its own takings, vouchers of platforms, takeaway of platforms. */
export const storeDayBand = labelled({ own: "自收", voucher: "团购", takeaway: "外卖" });
export type StoreDayBand = CodeOf<typeof storeDayBand>;

/** The columns that all bands have; amounts in cents. 归门店 = 顾客付 + 平台补贴 − 手续费/佣金 − 退款, where nothing is to be explained. */
export const storeDayColumn = labelled({
  count: "笔数",
  paidCents: "顾客付",
  shopOffCents: "商家优惠",
  subsidyCents: "平台补贴",
  feeCents: "手续费/佣金",
  backCount: "退款笔数",
  backCents: "退款",
  incomeCents: "归门店",
});
export type StoreDayColumn = CodeOf<typeof storeDayColumn>;

/** What hinders 关账; `blocks` of those that could still change the day's figures, the others are written down with it. */
export const hindrance = labelled({
  payment: ["收款没有结果", "bad"],
  attempt: ["核销没有结果", "bad"],
  refund: ["退款还在退", "bad"],
  difference: ["差异没有处理", "bad"],
  unmapped: ["平台门店没映射", "bad"],
  unfetched: ["外卖订单没取到", "bad"],
  bill: ["等结算单", "warn"],
  paused: ["平台账号停用", "warn"],
  running: ["外卖还没完成", "warn"],
  stray: ["差异没分到门店", "warn"],
  invoice: ["发票开不出", "warn"],
  red: ["红冲没做成", "warn"],
  today: ["今天还没过完", "warn"],
});
export type HindranceKind = CodeOf<typeof hindrance>;
export const BLOCKING: readonly HindranceKind[] = ["payment", "attempt", "refund", "difference", "unmapped", "unfetched"];

export interface Hindrance {
  readonly kind: HindranceKind;
  readonly blocks: boolean;
  /** Whose bill or attempts it is about; empty where no source is. */
  readonly source: string;
  readonly count: number;
}
export type StoreDayAmounts = Readonly<Record<StoreDayColumn, number>>;
export interface StoreDayLine extends StoreDayAmounts {
  readonly band: StoreDayBand;
  /** `channel-tool` of own takings, else the platform. */
  readonly key: string;
  /** All of 归门店 is there or in a bill. */
  readonly settled: boolean;
  /** What of 归门店 is there or in a bill; the rest is expected. */
  readonly settledCents: number;
  /** Orders or lines of a bill that do not add up by themselves. */
  readonly odd: number;
}
export interface StoreDayFigures {
  readonly lines: readonly StoreDayLine[];
  /** 储值消费 less what came back: principal was taken long ago, the gift is the shop's own. */
  readonly stored: { readonly principalCents: number; readonly giftCents: number };
  /** Of own takings, what paid for recharges, less what of it went back. */
  readonly rechargeCents: number;
  readonly invoices: { readonly count: number; readonly cents: number; readonly redCount: number; readonly redCents: number };
}

/** A source of bills, with the platforms' among them. */
export const sourceName = (source: string): string =>
  source === "wechat" || source === "alipay"
    ? directChannel.label(source)
    : source.startsWith("acquirer-")
      ? payChannel.label(Number(source.slice(9)) as 1)
      : source === "alipay-gb"
        ? "支付宝团购"
        : platform.label(source as "dy");
export const lineName = ({ band, key }: Pick<StoreDayLine, "band" | "key">): string => {
  if (band === "voucher") return voucherPlatform.label(key as "dy");
  if (band === "takeaway") return takeawayPlatform.label(key as "ele");
  const [channel, tool] = key.split("-").map(Number);
  return `${payTool.label(tool as 1)}${channel === 0 ? "" : `（${payChannel.label(channel as 1)}）`}`;
};
/** Whose bill a line waits for; undefined where none ever comes. */
export function sourceOf({ band, key }: Pick<StoreDayLine, "band" | "key">): string | undefined {
  if (band !== "own") return band === "voucher" || key === "ele" || key === "meituan-wm" ? key : undefined;
  const [channel = 0, tool = 0] = key.split("-").map(Number);
  if (channel !== 0) return `acquirer-${channel}`;
  return directChannel.values.find((one) => one === walletOf(tool));
}
/** The day on which a bill usually comes: channels' the next day, platforms' within eight days. */
export const billDue = (source: string, day: string): string =>
  addDays(day, source === "wechat" || source === "alipay" || source.startsWith("acquirer-") ? 1 : 3);

const NONE: StoreDayAmounts = {
  count: 0,
  paidCents: 0,
  shopOffCents: 0,
  subsidyCents: 0,
  feeCents: 0,
  backCount: 0,
  backCents: 0,
  incomeCents: 0,
};
/** The sum of some lines. */
export const summed = (lines: readonly StoreDayAmounts[]): StoreDayAmounts =>
  lines.reduce<StoreDayAmounts>(
    (sum, line) => Object.fromEntries(storeDayColumn.values.map((name) => [name, sum[name] + line[name]])) as unknown as StoreDayAmounts,
    NONE,
  );
/** What the day's total is made of: money that is there, what bills of platforms say they pay, what platforms still owe. */
export function madeOf({ lines }: Pick<StoreDayFigures, "lines">): {
  readonly ownCents: number;
  readonly settledCents: number;
  readonly owedCents: number;
} {
  const theirs = lines.filter(({ band }) => band !== "own");
  const settledCents = theirs.reduce((sum, line) => sum + line.settledCents, 0);
  return {
    ownCents: summed(lines.filter(({ band }) => band === "own")).incomeCents,
    settledCents,
    owedCents: summed(theirs).incomeCents - settledCents,
  };
}
/** By how much 归门店 is not what the columns before it make. */
export const unexplained = ({ paidCents, subsidyCents, feeCents, backCents, incomeCents }: StoreDayAmounts): number =>
  incomeCents - (paidCents + subsidyCents - feeCents - backCents);
/** Nothing happened: 今天没开门？ */
export const isEmpty = ({ lines, stored }: StoreDayFigures): boolean =>
  lines.length === 0 && stored.principalCents === 0 && stored.giftCents === 0;

/** Every figure that two people agree on, by name: what travels with 提交 and 确认. @example { "own/0-2/paidCents": 348050 } */
export function namedFigures({ lines, stored, rechargeCents, invoices }: StoreDayFigures): Record<string, number> {
  const named = lines.flatMap((line) => {
    // Own takings are there: nothing else can become of them.
    const more = line.band === "own" ? {} : { settled: Number(line.settled), settledCents: line.settledCents, odd: line.odd };
    const columns = storeDayColumn.values.map((name) => [name, line[name]] as const);
    return [...columns, ...Object.entries(more)].map(([name, value]) => [`${line.band}/${line.key}/${name}`, value] as const);
  });
  const { cents: madeCents, ...written } = invoices;
  const beside = [
    ...Object.entries({ ...stored, rechargeCents }).map(([name, value]) => [`stored//${name}`, value] as const),
    ...Object.entries({ ...written, madeCents }).map(([name, value]) => [`invoices//${name}`, value] as const),
  ];
  const all = [...named, ...beside];
  return Object.fromEntries(all.filter(([, value]) => value !== 0));
}
export interface FigureChange {
  readonly name: string;
  readonly line: { readonly band: StoreDayBand; readonly key: string; readonly column: StoreDayColumn } | null;
  readonly money: boolean;
  readonly before: number;
  readonly now: number;
}
const BESIDE: Readonly<Record<string, string>> = {
  principalCents: "储值消费本金",
  giftCents: "赠送抵扣",
  rechargeCents: "充值收款",
  count: "已开票张数",
  madeCents: "已开票",
  redCount: "红冲张数",
  redCents: "红冲",
};
const OF_BILLS: Readonly<Record<string, string>> = { settled: "全部出结算单", settledCents: "结算单金额", odd: "与分项不符" };
const nameOf = (figure: string): string => {
  const [band = "", key = "", column = ""] = figure.split("/");
  if (band === "stored" || band === "invoices") return BESIDE[column] ?? column;
  return `${lineName({ band: band as StoreDayBand, key })} ${OF_BILLS[column] ?? storeDayColumn.label(column as "count")}`;
};
const lineOf = (figure: string): FigureChange["line"] => {
  const [band, key = "", column] = figure.split("/");
  const [known, named] = [storeDayBand.values.find((one) => one === band), storeDayColumn.values.find((one) => one === column)];
  return known && named ? { band: known, key, column: named } : null;
};
/** What is another figure now, each with both. */
export function changedFigures(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>): FigureChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((figure) => {
    const [was, is] = [before[figure] ?? 0, now[figure] ?? 0];
    return was === is ? [] : [{ name: nameOf(figure), line: lineOf(figure), money: figure.endsWith("Cents"), before: was, now: is }];
  });
}
/** @example "微信扫码枪 归门店 3,347.28 变为 3,327.28" */
export const changeWords = ({ name, money, before, now }: Omit<FigureChange, "line">): string => {
  const shown = (value: number): string => (money ? yuan(value) : String(value));
  return `${name} ${shown(before)} 变为 ${shown(now)}`;
};
/** @example "微信支付 2 条差异没有处理" */
export function hindranceWords({ kind, source, count }: Pick<Hindrance, "kind" | "source" | "count">, day: string): string {
  const of = source === "" ? "" : `${sourceName(source)} `;
  switch (kind) {
    case "payment":
      return `${count} 笔收款还没有结果`;
    case "attempt":
      return `${of}${count} 次核销还没有结果`;
    case "refund":
      return `${count} 笔退款还在退`;
    case "difference":
      return `${of}${count} 条差异没有处理`;
    case "unmapped":
      return `${of}${count} 笔的平台门店没映射，映射后十分钟内算进来`;
    case "unfetched":
      return `${of}${count} 单平台通知了，没取到`;
    case "running":
      return `${of}${count} 单外卖还没完成`;
    case "bill":
      return `${of}等结算单，通常 ${billDue(source, day).slice(5)} 到`;
    case "paused":
      return `${of}账号已停用，这天的核销记录和结算单取不到，启用后在对账里重新取`;
    case "stray":
      return `${of}${count} 条差异没分到门店`;
    case "invoice":
      return `${count} 张发票开不出`;
    case "red":
      return `${count} 张发票红冲没做成`;
    case "today":
      return "今天还没过完，之后的收款算关账后变动";
  }
}
