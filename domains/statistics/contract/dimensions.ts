import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What the takings are told apart by. */
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
  channel: "支付渠道",
  method: "支付方式",
  tool: "支付工具",
  trade: "交易类型",
});
export type Dimension = CodeOf<typeof dimension>;

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
/** What a level may tell apart: the calendar, the nodes below itself, and how was paid. Nobody learns of nodes beside or above. */
export const dimensionsOf = (level: string): readonly Dimension[] =>
  dimension.values.filter((one) => !NODES["ADMIN"]?.includes(one) || NODES[level]?.includes(one));

/** What a figure is held against. */
export const against = labelled({ previous: "上一周期", week: "上周同日", year: "去年同期", chosen: "自选日期" });
export type AgainstSpan = CodeOf<typeof against>;
