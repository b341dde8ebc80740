import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag, Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { channelName, payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { orderEventKind, orderStatus, orderType, tradeType } from "../../contract/index.ts";
import { MoneyTrace } from "../trace/MoneyTrace.tsx";
import { ChannelCalls } from "./ChannelCalls.tsx";
import { LedgerTable } from "./LedgerTable.tsx";
import { OrderRefunds } from "./OrderRefunds.tsx";
import { offLines, PriceTable, WhyPrice } from "./PriceTable.tsx";
import type { PayOrderDetails } from "./pay-order-details.ts";
import { WhoseName } from "../WhoseName.tsx";

type Line = readonly [label: string, value: ReactNode];

/** Everything about an order: its amount, what happened, what it is, where its money went. */
export function PayOrderFacts({ order }: { order: PayOrderDetails }): ReactNode {
  const paid = order.paidAt !== null;
  const copied = (text: string | null): ReactNode => text && <Copy text={text} />;
  return (
    <>
      <HeroLine
        label={paid ? "实收金额" : "订单金额"}
        amount={paid ? order.paidCents : order.grossCents}
        status={
          <>
            <StatusTag of={orderStatus} code={order.status} />
            {order.refundingCents > 0 && <Tag tone="active">退款中</Tag>}
            {order.refundedCents > 0 && order.status === 2 && <Tag tone="warn">部分退款</Tag>}
          </>
        }
      />
      <Timeline
        items={order.events.map((event) => ({
          title: orderEventKind.label(event.kind),
          at: event.at,
          tone: orderEventKind.tone(event.kind),
          note: [event.note, event.byName].filter(Boolean).join(" · "),
        }))}
      />
      <OrderMoney order={order} />
      <WhyPrice why={order.why} />
      {order.price && <PriceTable price={order.price} />}
      <Group
        title="支付"
        pairs={[
          ["钱包", payWallet.label(walletOf(order.tool))],
          ["收款方式", payWay.label(wayOf(order.tool, order.payMethod))],
          ["通道", channelName(order.channel, walletOf(order.tool))],
          ["交易类型", tradeType.label(order.tradeType)],
          ["通道单号", copied(order.channelNo)],
          ["付款人", order.payer],
          ...(order.memberNo === null ? [] : ([["会员号", copied(order.memberNo)]] as const)),
          ["支付时间", <Time at={order.paidAt} />],
          order.closedAt ? ["关闭时间", <Time at={order.closedAt} />] : ["支付截止", <Time at={order.expiresAt} />],
        ]}
      />
      <Group
        title="订单"
        pairs={[
          ["订单号", copied(order.orderNo)],
          ["收银单号", copied(order.tillNo)],
          ["商品", order.subject],
          ["订单类型", orderType.label(order.orderType)],
          ["商户", <WhoseName kind="merchant" id={order.merchantId} name={order.merchantName} />],
          ["门店", <WhoseName kind="store" id={order.storeId} name={order.storeName} />],
          ["设备", order.deviceName],
          ["收银员", order.cashierName],
          ...(order.invoiceUrl === null ? [] : ([["开发票", <Copy text={order.invoiceUrl}>开票链接</Copy>]] as const)),
          ["下单时间", <Time at={order.createdAt} />],
        ]}
      />
      <MoneyTrace key={`${order.status} ${order.refundedCents} ${order.refundingCents} ${order.refunds.length}`} orderId={order.id} />
      {order.ledger.length > 0 && <LedgerTable entries={order.ledger} />}
      {order.refunds.length > 0 && <OrderRefunds refunds={order.refunds} />}
      {order.channelCalls.length > 0 && <ChannelCalls calls={order.channelCalls} />}
    </>
  );
}

/** From what it cost to what may still go back; discounts and refunds stand here only where there are any. */
function OrderMoney({ order }: { order: PayOrderDetails }): ReactNode {
  const some = (label: string, cents: Cents): Line[] => (cents === 0 ? [] : [[label, <Money cents={cents} />]]);
  return (
    <Group
      title="金额（元）"
      pairs={[
        ["订单金额", <Money cents={order.grossCents} />],
        ["实收", <Money cents={order.paidCents} />],
        ...(order.price ? offLines(order.price) : [...some("优惠券", order.couponCents), ...some("储值支付", order.storedValueCents)]),
        [
          "手续费",
          <>
            <Money cents={order.feeCents} /> <span className="note">费率 {(order.feeRate / 1000).toFixed(2)}%</span>
          </>,
        ],
        ...some("退款中", order.refundingCents),
        ...some("已退款", order.refundedCents),
        ["可退", <Money cents={order.refundableCents} />],
      ]}
    />
  );
}
