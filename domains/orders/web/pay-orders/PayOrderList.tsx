import type { ReactNode } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { part } from "@zhangfang/web/screen.ts";
import { listPayOrders, orderStatus, payOrderViews, refundOrder, summarisePayOrders } from "../../contract/index.ts";
import { countsOf } from "../counts-of.ts";
import { payOrderColumns } from "./pay-order-columns.tsx";
import { MorePayOrderFilters, PayOrderFilters } from "./PayOrderFilters.tsx";

const PayOrderDetail = part(() => import("./PayOrderDetail.tsx"), "PayOrderDetail");
const RefundDrawer = part(() => import("../refunds/form/RefundDrawer.tsx"), "RefundDrawer");
const PayOrderBatch = part(() => import("./acts/PayOrderBatch.tsx"), "PayOrderBatch");

/** 支付订单: every payment in sight, newest first. The sums are those of the whole filter and equal its export. */
export function PayOrderList(): ReactNode {
  const list = useList(listPayOrders, {
    defaults: { from: daysAgo(6), to: today(), dateOf: "created" },
    live_ms: 15_000,
    views: payOrderViews,
  });
  const sums = useSummary(summarisePayOrders, list.filters).data;
  const refund = usePanel("refund");
  const mayExport = useAct(["/dataCentre/payOrder/export"]);
  const mayRefund = useAct(refundOrder);
  const { level } = useUser();
  return (
    <ListScreen
      title="支付订单"
      unit="笔"
      list={list}
      tabs={{ of: list.field("status"), set: orderStatus, counts: countsOf(sums?.perStatus) }}
      filters={<PayOrderFilters list={list} />}
      moreFilters={<MorePayOrderFilters list={list} />}
      totals={
        sums && [
          ["订单金额", <Money cents={sums.grossCents} symbol />],
          ["实收", <Money cents={sums.paidCents} symbol />],
          [
            "退款",
            <>
              <Money cents={sums.refundedCents} symbol />
              <Hint
                of="退款"
                text="列出的这些订单一共退了多少，不论哪天退的。概览、支付统计和支付退款订单按退款到账的时间计，同一天的数可能不同。"
              />
            </>,
          ],
          ["优惠", <Money cents={sums.discountCents} symbol />],
          ["储值支付", <Money cents={sums.storedValueCents} symbol />],
          ["手续费", <Money cents={sums.feeCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "pay-orders" })}
      columns={payOrderColumns({ open: list.open, refund: refund.open, withMerchant: level !== "MCH" && level !== "AE" })}
      batch={(selection) => <PayOrderBatch list={list} selection={selection} />}
      rowKeys={mayRefund ? { r: { what: "退款", run: (row) => row.refundable && refund.open(row.id) } } : {}}
      empty={{ text: "近 7 天还没有订单", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      {list.openId && <PayOrderDetail list={list} onRefund={refund.open} />}
      {refund.id && <RefundDrawer key={refund.id} orderId={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}
