import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What the takings are told apart by; of the spec's methods and tools 收款方式 and 钱包 are shown. */
export const dimension = labelled({
  day: "日",
  week: "周",
  month: "月",
  hour: "时段",
  weekday: "星期",
  provider: "服务商",
  agent: "代理商",
  team: "业务团队",
  merchant: "商户",
  store: "门店",
  cashier: "收银员",
  device: "设备",
  channel: "通道",
  method: "收款方式",
  tool: "钱包",
  trade: "交易类型",
  product: "商品",
});
export type Dimension = CodeOf<typeof dimension>;

/** What a dimension counts, where it is not plain. */
export const dimensionDefinition: Readonly<Partial<Record<Dimension, string>>> = {
  product:
    "只统计商城订单的商品行和运费：支付按支付时间、退款按退款到账时间计入该商品，不论订单是哪天支付。一单有几种商品，每种各计一笔；同种商品在一单里计一笔。手续费按金额分到各商品。没有商品行的收银订单、没有指明商品的退款不计入。",
};

/** Those that follow the calendar; a table of them begins with the newest, a chart with the oldest. */
export const isTime = (by: string): boolean => ["day", "week", "month", "hour", "weekday"].includes(by);

const NODES: Readonly<Record<string, readonly Dimension[]>> = {
  ADMIN: ["provider", "agent", "team", "merchant", "store"],
  SP: ["agent", "team", "merchant", "store"],
  GP: ["team", "merchant", "store"],
  AG: ["merchant", "store"],
  TM: ["merchant", "store"],
  SM: ["merchant", "store"],
  MCH: ["store"],
  AE: ["store"],
};
/** Those who have the mall's lists, in which the rows of goods stand. */
const GOODS: readonly string[] = ["ADMIN", "SP", "MCH", "AE"];
/** What a level may tell apart: the calendar, the nodes below itself, and how was paid. Nobody learns of nodes beside or above. */
export const dimensionsOf = (level: string): readonly Dimension[] =>
  dimension.values.filter((one) =>
    one === "product" ? GOODS.includes(level) : !NODES["ADMIN"]?.includes(one) || NODES[level]?.includes(one),
  );

/** What a figure is held against. */
export const against = labelled({ previous: "上一周期", week: "上周同日", year: "去年同期", chosen: "自选日期" });
export type AgainstSpan = CodeOf<typeof against>;
