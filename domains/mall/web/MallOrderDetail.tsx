import { type ReactNode, Suspense } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline, type TimelineItem } from "@zhangfang/web/show/figures/Timeline.tsx";
import { MoneyTrace } from "../../orders/web/index.ts";
import { orderEventKind, orderStatus, refundStatus } from "../../orders/contract/index.ts";
import { carrier, getMallOrder, type listMallOrders, mallStatus, refundMallLines, shipMallOrder } from "../contract/index.ts";
import { Receiver } from "./Receiver.tsx";

type Order = OutputOf<typeof getMallOrder>;
const settled = (order: Order): boolean => order.status !== 0 && order.refunds.every(({ status }) => status !== 1);

/** One mall order over its list: goods, where they are, to whom they go, and the money. */
export function MallOrderDetail({
  list,
  onShip,
  onRefund,
}: {
  list: List<typeof listMallOrders>;
  onShip: (id: string) => void;
  onRefund: (id: string) => void;
}): ReactNode {
  const order = useDetail(getMallOrder, list.openId && { id: list.openId }, { until: settled });
  if (list.openId === undefined) return null;
  const { data } = order;
  return (
    <DetailDrawer
      title={data ? `商城订单 ${data.mallNo}` : "商城订单"}
      of={order}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data &&
        (data.shippable || data.refundable) && (
          <>
            {data.refundable && (
              <Act of={refundMallLines}>
                <Button tone="danger" onClick={() => onRefund(data.id)}>
                  退款
                </Button>
              </Act>
            )}
            {data.shippable && (
              <Act of={shipMallOrder}>
                <Button tone={data.status === 1 ? "primary" : "plain"} onClick={() => onShip(data.id)}>
                  {data.status === 1 ? "发货" : "修改快递"}
                </Button>
              </Act>
            )}
          </>
        )
      }
    >
      {(details) => <Facts order={details} />}
    </DetailDrawer>
  );
}

function Facts({ order }: { order: Order }): ReactNode {
  const paid = order.paidAt !== null;
  return (
    <>
      <HeroLine
        label={paid ? "实收金额" : "待付款"}
        amount={
          paid
            ? order.paidCents
            : ((order.goodsCents + order.deliveryCents - order.discountCents - order.storedCents) as typeof order.paidCents)
        }
        status={<StatusTag of={mallStatus} code={order.status} />}
      />
      <Timeline items={stepsOf(order)} />
      <Goods order={order} />
      <Receiver key={order.id} order={order} />
      <Group
        title="发货"
        pairs={[
          ["快递公司", order.carrier && carrier.label(order.carrier)],
          ["快递单号", order.trackingNo && <Copy text={order.trackingNo} />],
          ["发货时间", <Time at={order.shippedAt} />],
          ["发货人", order.shippedBy],
        ]}
      />
      <Group
        title="支付"
        pairs={[
          [
            "支付单号",
            <Copy text={order.orderNo}>
              <Link to={`/dataCentre/payOrder?id=${order.orderId}`}>{order.orderNo}</Link>
            </Copy>,
          ],
          ["支付状态", orderStatus.label(order.payStatus)],
          ["优惠", <Money cents={order.discountCents} symbol />],
          ...(order.storedCents > 0 ? [["储值支付", <Money cents={order.storedCents} />] as const] : []),
          ["已退款", <Money cents={order.refundedCents} symbol />],
          ["下单人", order.buyer],
          ["门店", order.storeName],
          ["下单时间", <Time at={order.createdAt} />],
          paid ? ["支付时间", <Time at={order.paidAt} />] : ["支付截止", <Time at={order.expiresAt} />],
        ]}
      />
      <Suspense fallback={<Skeleton rows={4} />}>
        <MoneyTrace
          key={`${order.payStatus} ${order.refundedCents} ${order.refundingCents} ${order.refunds.length}`}
          orderId={order.orderId}
        />
      </Suspense>
      {order.refunds.length > 0 && <Refunds order={order} />}
    </>
  );
}

function Goods({ order }: { order: Order }): ReactNode {
  const c = columns<Order["lines"][number]>();
  return (
    <Group title="商品">
      <DataTable
        label="商品"
        density="compact"
        rows={order.lines}
        columns={[
          c.text("name", "商品", { note: (row) => row.goodsNo }),
          c.money("unitCents", "单价（元）", { width: 100 }),
          c.number("quantity", "数量", { width: 72 }),
          c.money("discountCents", "优惠（元）", { width: 100 }),
          c.money("amountCents", "小计（元）", { width: 108 }),
          c.money("takenCents", "已退（元）", (row) => (row.takenCents === 0 ? null : row.takenCents), { width: 100 }),
        ]}
      />
    </Group>
  );
}

function Refunds({ order }: { order: Order }): ReactNode {
  const c = columns<Order["refunds"][number]>();
  return (
    <Group title={`退款（${order.refunds.length} 笔）`}>
      <DataTable
        label="本单退款"
        density="compact"
        rows={order.refunds}
        columns={[
          c.link("refundNo", "退款单号", { to: (row) => `/reconciliation/refund?id=${row.id}` }, { width: 236 }),
          c.money("amountCents", "退款（元）", { width: 108 }),
          c.code("status", "状态", refundStatus, { width: 92 }),
          c.text("reason", "原因"),
          c.time("createdAt", "申请时间", { width: 168 }),
        ]}
      />
    </Group>
  );
}

/** What happened to the money and to the goods, in one line of time. The money's own order stays: the channel's moments have whole seconds only. */
function stepsOf(order: Order): TimelineItem[] {
  const steps: (TimelineItem & { at: string })[] = order.events.map((event) => ({
    title: orderEventKind.label(event.kind),
    at: event.at,
    tone: orderEventKind.tone(event.kind),
    note: [event.note, event.byName].filter(Boolean).join(" · "),
  }));
  const put = (at: string | null, step: TimelineItem): void => {
    if (at === null) return;
    const later = steps.findIndex((one, n) => one.at > at && steps.slice(n).every((rest) => rest.at >= one.at));
    steps.splice(later < 0 ? steps.length : later, 0, { ...step, at });
  };
  const sent = [order.carrier && carrier.label(order.carrier), order.trackingNo, order.shippedBy].filter(Boolean).join(" · ");
  put(order.shippedAt, { title: "已发货", tone: "active", note: sent });
  put(order.completedAt, { title: "已完成", tone: "good", note: "顾客已收货" });
  return order.status === 1 ? [...steps, { title: "等待发货", tone: "warn" }] : steps;
}
