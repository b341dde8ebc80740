import type { ReactNode } from "react";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";
import { payChannel, payMethod, payTool } from "../../channels/contract.ts";
import { dayOfWeek, hourOfDay, lacking, tradeType } from "../contract/index.ts";
import type { paidHowWords } from "./paid-how-words.ts";

/** How was paid, when in a day or week, and what belongs to nobody; figures of the statistics lead to lists with them. */
export function PaidHowFilters({ list }: { list: { field(name: keyof typeof paidHowWords): FilterField } }): ReactNode {
  return (
    <>
      <Choice of={list.field("tool")} label="支付工具" set={payTool} />
      <Choice of={list.field("channel")} label="支付渠道" set={payChannel} />
      <Choice of={list.field("payMethod")} label="支付方式" set={payMethod} />
      <Choice of={list.field("tradeType")} label="交易类型" set={tradeType} />
      <Choice of={list.field("hour")} label="时段" set={hourOfDay} />
      <Choice of={list.field("weekday")} label="星期" set={dayOfWeek} />
      <Choice of={list.field("lacking")} label="归属" set={lacking} several />
    </>
  );
}
