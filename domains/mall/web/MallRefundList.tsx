import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Coded, Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { codeWords } from "../../channels/contract.ts";
import { cancelRefundRequest, refundDateOf, refundStatus, refundType, retryRefund } from "../../orders/contract/index.ts";
import { PaidHowFilters, RefundActs, refundWords, WhichMoment } from "../../orders/web/index.ts";
import { refundReads } from "./mall-reads.ts";
import { ProductFilter } from "./ProductFilter.tsx";
import { getMallRefund, listMallRefunds, summariseMallRefunds } from "../contract/index.ts";

const c = columns<RowOf<typeof listMallRefunds>>();

/** 商城退款订单: what of which mall order went back; a press shows which goods. */
export function MallRefundList(): ReactNode {
  const list = useList(listMallRefunds, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseMallRefunds, list.filters).data;
  const refund = useDetail(getMallRefund, list.openId && { id: list.openId }, { until: ({ status }) => status !== 1 });
  const mayExport = useAct(["/reconciliation/refund/export"]);
  const { level } = useUser();
  return (
    <ListScreen
      title="商城退款订单"
      unit="笔"
      list={list}
      tabs={{
        of: list.field("status"),
        set: refundStatus,
        counts: sums && Object.fromEntries(sums.perStatus.map(({ status, count }) => [String(status), count])),
      }}
      filters={
        <>
          <DateRange
            of={list.range("from", "to")}
            label={refundDateOf.label(list.filters["dateOf"] === "finished" ? "finished" : "created")}
          />
          <Keyword of={list.field("keyword")} label="单号" placeholder="退款/商城/支付单号" />
          <OrgFilter of={list} />
        </>
      }
      moreFilters={
        <>
          <WhichMoment of={list.field("dateOf")} set={refundDateOf} />
          <ProductFilter of={list.field("product")} />
          <PaidHowFilters list={list} />
        </>
      }
      totals={
        sums && [
          ["申请", <Money cents={sums.amountCents} symbol />],
          [`已退 ${sums.doneCount.toLocaleString("en-US")} 笔`, <Money cents={sums.doneCents} symbol />],
          ...(sums.goods
            ? ([
                [`所选商品 ${sums.goods.count.toLocaleString("en-US")} 笔`, <Money cents={sums.goods.doneCents} symbol />],
                ["退回手续费", <Money cents={sums.goods.doneFeeCents} symbol />],
              ] as const)
            : []),
        ]
      }
      {...(mayExport && { exportSource: "mall-refunds" })}
      columns={columnsOf(level === "MCH", list.open)}
      empty={{ text: "近 7 天没有商城退款", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      {list.openId && (
        <DetailDrawer
          title={refund.data ? `退款 ${refund.data.refundNo}` : "商城退款"}
          of={refund}
          onClose={list.close}
          extra={<Neighbours of={list} />}
          footer={
            refund.data &&
            (refund.data.retryable || refund.data.cancellable) && <RefundActs refund={refund.data} tone="danger" refreshes={refundReads} />
          }
        >
          {(details) => <Facts refund={details} />}
        </DetailDrawer>
      )}
    </ListScreen>
  );
}

function columnsOf(ofMerchant: boolean, open: (id: string) => void): Column<RowOf<typeof listMallRefunds>>[] {
  return [
    c.link("refundNo", "退款单号", (row) => open(row.id), { width: 240 }),
    c.link("mallNo", "商城单号", { to: (row) => `/reconciliation/pay?id=${row.mallId}` }, { width: 172 }),
    c.text("merchantName", "商户", { hidden: ofMerchant }),
    c.text("storeName", "门店", { width: 92 }),
    c.text("goods", "商品", { width: 104 }),
    c.money("amountCents", "退款（元）", { width: 110 }),
    c.code("refundType", "类型", refundType, { hidden: true }),
    c.code("status", "状态", refundStatus, { width: 92 }),
    c.text("reason", "原因", { width: 100 }),
    c.text("requestedByName", "申请人", { hidden: true }),
    c.text("orderNo", "支付单号", { hidden: true, width: 240 }),
    c.time("createdAt", "申请时间", { sort: "createdAt", width: 168 }),
    c.time("finishedAt", "完成时间", { hidden: true }),
    c.actions((row) => <RefundActs refund={row} tone="link" refreshes={refundReads} />, {
      width: 64,
      of: [retryRefund, cancelRefundRequest],
    }),
  ];
}

function Facts({ refund }: { refund: OutputOf<typeof getMallRefund> }): ReactNode {
  const of = columns<(typeof refund.lines)[number]>();
  return (
    <>
      <HeroLine label="退款金额" amount={refund.amountCents} status={<StatusTag of={refundStatus} code={refund.status} />} />
      <p className="refund-words">{refundWords(refund)}</p>
      <Group title="退款商品">
        {refund.lines.length === 0 ? (
          <p className="note">在支付订单里整单退款，没有指定商品</p>
        ) : (
          <DataTable
            label="退款商品"
            density="compact"
            rows={refund.lines.map((line) => ({ ...line, id: line.lineId }))}
            columns={[of.text("name", "商品", { note: (row) => row.goodsNo }), of.money("amountCents", "退款（元）", { width: 120 })]}
          />
        )}
      </Group>
      <Group
        title="退款"
        pairs={[
          ["退款单号", <Copy text={refund.refundNo} />],
          [
            "商城单号",
            <Copy text={refund.mallNo}>
              <Link to={`/reconciliation/pay?id=${refund.mallId}`}>{refund.mallNo}</Link>
            </Copy>,
          ],
          ["支付单号", <Copy text={refund.orderNo} />],
          ["退款原因", refund.reason],
          ["申请人", refund.requestedByName],
          ["退回手续费", <Money cents={refund.feeCents} symbol />],
          ["申请时间", <Time at={refund.createdAt} />],
          ["完成时间", <Time at={refund.finishedAt} />],
          ["审批", [refund.decidedByName, refund.decisionNote].filter(Boolean).join(" · ")],
          ["通道退款号", refund.channelRefundNo && <Copy text={refund.channelRefundNo} />],
          ["通道结果", refund.channelStatus && <Coded words={codeWords(refund.channelStatus)} code={refund.channelStatus} />],
        ]}
      />
    </>
  );
}
