import type { ReactNode } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OWNERS, SELLERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import {
  failedRefunds,
  listRefunds,
  orderPurpose,
  refundDateOf,
  refundStatus,
  refundType,
  refundViews,
  summariseRefunds,
  tradeType,
} from "../../contract/index.ts";
import { countsOf } from "../counts-of.ts";
import { PaymentFilters } from "../PaidHowFilters.tsx";
import { StaffFilters, TimeFilters } from "../StaffFilters.tsx";
import { WhichMoment } from "../WhichMoment.tsx";
import { refundColumns } from "./refund-columns.tsx";
import { RefundDetail } from "./RefundDetail.tsx";
import { RefundActs } from "./RefundActs.tsx";

/** 支付退款订单: every refund in sight, newest first; a failed one is sent again from here. */
export function RefundList(): ReactNode {
  const list = useList(listRefunds, {
    defaults: { from: daysAgo(6), to: today(), dateOf: "created" },
    live_ms: 15_000,
    views: refundViews,
  });
  const sums = useSummary(summariseRefunds, list.filters).data;
  const mayExport = useAct(["/dataCentre/payRefund/export"]);
  const { level } = useUser();
  const arrived = byArrival(list);
  return (
    <ListScreen
      title="支付退款订单"
      unit="笔"
      list={list}
      tabs={{ of: list.field("status"), set: refundStatus, counts: countsOf(sums?.perStatus) }}
      filters={<Filters list={list} />}
      moreFilters={<MoreFilters list={list} />}
      totals={
        sums && [
          ["申请", <Money cents={sums.amountCents} symbol />],
          [
            `已退 ${sums.doneCount.toLocaleString("en-US")} 笔`,
            <>
              <Money cents={sums.doneCents} symbol />
              <Hint
                of="已退"
                text={`${arrived ? "这些天到账的退款，和概览、支付统计的退款一致" : "这些天申请的退款里已经到账的"}，不论订单是哪天支付。支付订单里的退款是列出的那些订单退了多少，同一天的数可能不同。`}
              />
            </>,
          ],
          ["退回手续费", <Money cents={sums.doneFeeCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "refunds" })}
      columns={refundColumns({
        open: list.open,
        withMerchant: level !== "MCH" && level !== "AE",
        arrived,
        acts: (row) => <RefundActs refund={row} tone="link" />,
      })}
      empty={{ text: "近 7 天没有退款", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      <RefundDetail
        list={list}
        acts={(refund) => (refund.retryable || refund.cancellable) && <RefundActs refund={refund} tone="danger" />}
      />
    </ListScreen>
  );
}

const byArrival = (list: List<typeof listRefunds>): boolean => list.filters["dateOf"] === "finished";

function Filters({ list }: { list: List<typeof listRefunds> }): ReactNode {
  return (
    <>
      <DateRange of={list.range("from", "to")} label={refundDateOf.label(byArrival(list) ? "finished" : "created")} />
      <Keyword of={list.field("keyword")} label="单号" placeholder="退款/订单/通道单号" />
      <OrgFilter of={list} levels={OWNERS} />
    </>
  );
}

function MoreFilters({ list }: { list: List<typeof listRefunds> }): ReactNode {
  return (
    <>
      <WhichMoment of={list.field("dateOf")} set={refundDateOf} />
      <OrgFilter of={list} levels={SELLERS} />
      <StaffFilters list={list} />
      <Choice of={list.field("failed")} label="失败退款" set={failedRefunds} />
      <Choice of={list.field("refundType")} label="退款类型" set={refundType} />
      <Choice of={list.field("purpose")} label="用途" set={orderPurpose} />
      <PaymentFilters list={list} />
      <Choice of={list.field("tradeType")} label="交易类型" set={tradeType} />
      <TimeFilters list={list} />
      <AmountRange of={list.range("minCents", "maxCents")} label="退款金额" />
    </>
  );
}
