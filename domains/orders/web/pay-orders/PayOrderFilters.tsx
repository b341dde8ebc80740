import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { FilterField, List } from "@zhangfang/web/list/use-list.ts";
import { payChannel, payMethod, payTool } from "../../../channels/contract.ts";
import { dateOf, type listPayOrders, orderType } from "../../contract/index.ts";

type PayOrders = List<typeof listPayOrders>;
const onlyRefunded = labelled({ true: "有退款" });

/** What the staff filter by all day. */
export function PayOrderFilters({ list }: { list: PayOrders }): ReactNode {
  return (
    <>
      <DateRange of={list.range("from", "to")} label={dateOf.label(list.filters["dateOf"] === "paid" ? "paid" : "created")} />
      <Keyword of={list.field("keyword")} label="单号" placeholder="订单/收银/渠道/退款单号" />
      <OrgFilter of={list} />
    </>
  );
}

/** The rest, folded. A cashier or a device comes by a link from another screen and can be taken away here. */
export function MorePayOrderFilters({ list }: { list: PayOrders }): ReactNode {
  return (
    <>
      <WhichMoment of={list.field("dateOf")} />
      <Choice of={list.field("tool")} label="支付工具" set={payTool} />
      <Choice of={list.field("channel")} label="支付渠道" set={payChannel} />
      <Choice of={list.field("payMethod")} label="支付方式" set={payMethod} />
      <Choice of={list.field("orderType")} label="订单类型" set={orderType} />
      <AmountRange of={list.range("minCents", "maxCents")} label="实收金额" />
      <Choice of={list.field("refunded")} label="退款" set={onlyRefunded} />
      <Linked of={list.field("cashierId")} label="收银员" />
      <Linked of={list.field("deviceId")} label="设备" />
    </>
  );
}

/** Which moment of an order the date range means. */
function WhichMoment({ of }: { of: FilterField }): ReactNode {
  const paid = of.value === "paid";
  return (
    <FilterPart
      label="日期按"
      names={{ [of.name]: of.value }}
      shown={dateOf.label(paid ? "paid" : "created")}
      clear={() => of.set("created")}
    >
      <span className="shortcuts" role="group" aria-label="日期按">
        {dateOf.options.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={(value === "paid") === paid} onClick={() => of.set(value)}>
            {label}
          </button>
        ))}
      </span>
    </FilterPart>
  );
}

/** A filter that only a link sets. */
function Linked({ of, label }: { of: FilterField; label: string }): ReactNode {
  if (of.value === undefined) return null;
  return (
    <FilterPart label={label} names={{ [of.name]: of.value }} shown="已指定" clear={() => of.set(undefined)}>
      <span>已指定</span>
    </FilterPart>
  );
}
