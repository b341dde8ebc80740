import { yuan } from "@zhangfang/contract/money.ts";
import type { Finder } from "../../../find/server/index.ts";
import { TAKINGS_ITEMS } from "../../contract/index.ts";
import { payDrill } from "../drills.ts";
import { added, figuresOf } from "./figures.ts";
import { readDays } from "./read-takings.ts";

const ORDERS = "/dataCentre/payOrder";
/** 收款 of the days that somebody names, and the payments behind it. Who may see orders alone is told what their sums tell: what was paid, and how often. */
export const dayFinder: Finder = {
  kind: "days",
  title: "收款",
  promise: "日期",
  access: [ORDERS, ...TAKINGS_ITEMS],
  match: ({ days }) => days !== undefined,
  find: async ({ tx, scope, principal }, { days }) => {
    const { payCount, paidCents, refundCents, netCents } = figuresOf(added(await readDays(tx, scope, days!)));
    const { path: orders, query } = payDrill(days!);
    const path = principal.holds([ORDERS]) ? orders : TAKINGS_ITEMS.find((item) => principal.holds([item]))!;
    const money = (cents: number) => `¥${yuan(cents)}`;
    return [
      {
        title: `${days!.words} 实收 ${money(paidCents)}`,
        hint: [
          `${payCount.toLocaleString("en-US")} 笔`,
          ...(principal.holds(TAKINGS_ITEMS) ? [`退款 ${money(refundCents)}`, `净收 ${money(netCents)}`] : []),
        ].join(" · "),
        to: `${path}?${new URLSearchParams(path === ORDERS ? query : { from: days!.from, to: days!.to }).toString()}`,
      },
    ];
  },
};
