import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OWNERS, SELLERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { dateOf, type listPayOrders, orderType, orderPurpose, tradeType } from "../../contract/index.ts";
import { PaymentFilters } from "../PaidHowFilters.tsx";
import { StaffFilters, TimeFilters } from "../StaffFilters.tsx";
import { WhichMoment } from "../WhichMoment.tsx";

type PayOrders = List<typeof listPayOrders>;
const onlyRefunded = labelled({ true: "有退款" });

/** What the staff filter by all day. */
export function PayOrderFilters({ list }: { list: PayOrders }): ReactNode {
  return (
    <>
      <DateRange of={list.range("from", "to")} label={dateOf.label(list.filters["dateOf"] === "paid" ? "paid" : "created")} />
      <Keyword of={list.field("keyword")} label="单号" placeholder="订单/收银/通道/退款单号" />
      <OrgFilter of={list} levels={OWNERS} />
    </>
  );
}

/** The rest, folded. */
export function MorePayOrderFilters({ list }: { list: PayOrders }): ReactNode {
  return (
    <>
      <WhichMoment of={list.field("dateOf")} set={dateOf} />
      <OrgFilter of={list} levels={SELLERS} />
      <StaffFilters list={list} />
      <PaymentFilters list={list} />
      <Choice of={list.field("orderType")} label="订单类型" set={orderType} />
      <Choice of={list.field("purpose")} label="用途" set={orderPurpose} />
      <Choice of={list.field("tradeType")} label="交易类型" set={tradeType} />
      <TimeFilters list={list} />
      <AmountRange of={list.range("minCents", "maxCents")} label="实收金额" />
      <Choice of={list.field("refunded")} label="退款" set={onlyRefunded} />
    </>
  );
}
