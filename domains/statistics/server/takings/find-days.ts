import { yuan } from "@zhangfang/contract/money.ts";
import type { Finder } from "../../../find/server/index.ts";
import { payDrill } from "../drills.ts";
import { added, figuresOf } from "./figures.ts";
import { readDays } from "./read-takings.ts";

/** 收款 of the days that somebody names: the figure, and the payments behind it. */
export const dayFinder: Finder = {
  kind: "days",
  title: "收款",
  promise: "日期",
  access: "/dataCentre/payOrder",
  match: ({ days }) => days !== undefined,
  find: async ({ tx, scope }, { days }) => {
    const { payCount, paidCents, refundCents, netCents } = figuresOf(added(await readDays(tx, scope, days!)));
    const { path, query } = payDrill(days!);
    const money = (cents: number) => `¥${yuan(cents)}`;
    return [
      {
        title: `${days!.words} 实收 ${money(paidCents)}`,
        hint: `${payCount.toLocaleString("en-US")} 笔 · 退款 ${money(refundCents)} · 净收 ${money(netCents)}`,
        to: `${path}?${new URLSearchParams(query).toString()}`,
      },
    ];
  },
};
