import type { ReactNode } from "react";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";
import { payChannel, payMethod, payTool, payWallet, payWay } from "../../channels/contract.ts";
import { dayOfWeek, hourOfDay, lacking, tradeType } from "../contract/index.ts";
import type { paidHowWords } from "./paid-how-words.ts";

/** How was paid, when in a day or week, and what belongs to nobody; figures of the statistics lead to lists with them. */
export function PaidHowFilters({ list }: { list: { field(name: keyof typeof paidHowWords): FilterField } }): ReactNode {
  return (
    <>
      <PaymentFilters list={list} />
      <Choice of={list.field("tradeType")} label="交易类型" set={tradeType} />
      <Choice of={list.field("hour")} label="时段" set={hourOfDay} />
      <Choice of={list.field("weekday")} label="星期" set={dayOfWeek} />
      <Choice of={list.field("lacking")} label="归属" set={lacking} several />
    </>
  );
}

/**
 * The three words of a payment. The spec's tool and method show where an address names them, so that no list is narrowed by what
 * nobody sees.
 */
export function PaymentFilters({
  list,
}: {
  list: { field(name: "wallet" | "way" | "channel" | "tool" | "payMethod"): FilterField };
}): ReactNode {
  const [tool, method] = [list.field("tool"), list.field("payMethod")];
  return (
    <>
      <Choice of={list.field("wallet")} label="钱包" set={payWallet} />
      <Choice of={list.field("way")} label="收款方式" set={payWay} />
      <Choice of={list.field("channel")} label="通道" set={payChannel} />
      {tool.value !== undefined && <Choice of={tool} label="钱包和收款方式（旧链接）" set={payTool} />}
      {method.value !== undefined && <Choice of={method} label="收款方式（旧链接）" set={payMethod} />}
    </>
  );
}
