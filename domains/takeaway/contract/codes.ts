import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";

/** Where takeaway is ordered. 饿了么 and 美团外卖 are asked by their interfaces, any of them by sheet. */
export const takeawayPlatform = labelled({
  ele: "饿了么",
  "meituan-wm": "美团外卖",
  "tb-flash": "淘宝闪购",
  "jd-flash": "京东秒送",
  other: "其他外卖",
});
export type TakeawayPlatform = CodeOf<typeof takeawayPlatform>;
/** Those that we speak with. */
export const ASKED = ["ele", "meituan-wm"] as const;
export type AskedPlatform = (typeof ASKED)[number];

/** In the order in which news counts: cancelled over completed over running. */
export const takeawayStatus = labelled({ 1: ["进行中", "active"], 2: ["已完成", "good"], 3: ["已取消", "ended"] });
export type TakeawayStatus = CodeOf<typeof takeawayStatus>;
export const takeawaySource = labelled({ platform: "平台接口", sheet: "表格导入" });

/** Which of an order's days a figure counts it on. */
export const takeawayDay = labelled({ placed: "按下单日", completed: "按完成日" });
export const takeawayBy = labelled({ platform: "按平台", store: "按门店", day: "按日" });
export type TakeawayBy = CodeOf<typeof takeawayBy>;
/** Which orders a figure is made of. */
export const takeawayPart = labelled({ counted: "计入汇总", cancelled: "已取消", refunded: "有退款", odd: "收入不平" });
/** How the asking for an order ended. */
export const fetchOutcome = labelled({ ok: "取到", none: "平台没有这一单", refused: "平台不给", unknown: "没有应答" });
