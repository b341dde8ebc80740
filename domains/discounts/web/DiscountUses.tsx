import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { discountKind, listDiscountUses, summariseDiscountUses, takenState } from "../contract/index.ts";

const c = columns<RowOf<typeof listDiscountUses>>();

/** 优惠记录: each time something came off by itself, with its order. */
export function DiscountUses(): ReactNode {
  const list = useList(listDiscountUses);
  const sums = useSummary(summariseDiscountUses, list.filters).data;
  const mayExport = useAct(["/ticket/discountRecord/export"]);
  return (
    <ListScreen
      title="优惠记录"
      unit="笔"
      list={list}
      totals={
        sums && [
          ["优惠", `${yuan(sums.offCents)} 元`],
          ["订单金额", `${yuan(sums.grossCents)} 元`],
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="订单号" placeholder="完整订单号" />
          <Choice of={list.field("kind")} label="类型" set={discountKind} />
          <Choice of={list.field("state")} label="状态" set={takenState} />
          <DateRange of={list.range("from", "to")} label="时间" />
        </>
      }
      {...(mayExport && { exportSource: "discount-uses" })}
      onOpen={false}
      columns={[
        c.time("at", "时间"),
        c.link("orderNo", "订单号", { to: (row) => `/dataCentre/payOrder?id=${row.orderId}` }, { width: 208 }),
        c.text("ruleName", "优惠规则", { width: 144 }),
        c.code("kind", "类型", discountKind, { width: 96 }),
        c.money("offCents", "优惠（元）", { width: 104 }),
        c.money("grossCents", "订单金额（元）", { width: 120 }),
        c.money("refundedCents", "订单已退（元）", { width: 120 }),
        c.code("state", "状态", takenState, { width: 96 }),
        c.text("storeName", "门店", { width: 144 }),
        c.text("memberNo", "会员号", (row) => row.memberNo ?? "—", { width: 120 }),
      ]}
      empty={{ text: "还没有自动优惠过；启用一条优惠规则，收银台就会自动减" }}
    />
  );
}
