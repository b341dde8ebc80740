import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { ImportDrawer } from "../../imports/web/index.ts";
import { dateOf } from "../../orders/contract/index.ts";
import { PaidHowFilters, WhichMoment } from "../../orders/web/index.ts";
import { carrier, listMallOrders, mallStatus, refundMallLines, shipMallOrder, summariseMallOrders } from "../contract/index.ts";
import { ProductFilter } from "./ProductFilter.tsx";
import { MallOrderDetail } from "./MallOrderDetail.tsx";
import { MallRefundDrawer } from "./MallRefundDrawer.tsx";
import { ShipDrawer } from "./ShipDrawer.tsx";

type Row = RowOf<typeof listMallOrders>;

/** 商城支付订单: what was ordered online, where the goods are, and what of it was paid. */
export function MallOrderList(): ReactNode {
  const list = useList(listMallOrders, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseMallOrders, list.filters).data;
  const [ship, refund, sheet] = [usePanel("ship"), usePanel("refund"), usePanel("import")];
  const mayExport = useAct(["/reconciliation/pay/export"]);
  const { level } = useUser();
  return (
    <ListScreen
      title="商城支付订单"
      unit="单"
      list={list}
      tabs={{
        of: list.field("status"),
        set: mallStatus,
        counts: sums && Object.fromEntries(sums.perStatus.map(({ status, count }) => [String(status), count])),
      }}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label={dateOf.label(list.filters["dateOf"] === "paid" ? "paid" : "created")} />
          <Keyword of={list.field("keyword")} label="单号" placeholder="商城/支付/快递单号" />
          <OrgFilter of={list} />
        </>
      }
      moreFilters={
        <>
          <WhichMoment of={list.field("dateOf")} set={dateOf} />
          <Choice of={list.field("carrier")} label="快递" set={carrier} />
          <AmountRange of={list.range("minCents", "maxCents")} label="应付金额" />
          <ProductFilter of={list.field("product")} />
          <PaidHowFilters list={list} />
        </>
      }
      totals={
        sums && [
          ["实收", <Money cents={sums.paidCents} symbol />],
          ["其中运费", <Money cents={sums.deliveryCents} symbol />],
          ["优惠", <Money cents={sums.discountCents} symbol />],
          ...(sums.storedCents > 0 ? ([["储值支付", <Money cents={sums.storedCents} />]] as const) : []),
          ["退款", <Money cents={sums.refundedCents} symbol />],
          ...(sums.goods
            ? ([
                [`所选商品 ${sums.goods.count.toLocaleString("en-US")} 笔，实收`, <Money cents={sums.goods.paidCents} symbol />],
                ["商品原价", <Money cents={sums.goods.grossCents} symbol />],
                ["商品手续费", <Money cents={sums.goods.feeCents} symbol />],
                ["商品优惠", <Money cents={sums.goods.discountCents} symbol />],
              ] as const)
            : []),
        ]
      }
      actions={
        <Act of={shipMallOrder}>
          <Button onClick={() => sheet.open()}>批量发货</Button>
        </Act>
      }
      {...(mayExport && { exportSource: "mall-orders" })}
      columns={columnsOf(level === "MCH", list.open, ship.open, refund.open)}
      empty={{ text: "近 7 天没有商城订单", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      <MallOrderDetail list={list} onShip={ship.open} onRefund={refund.open} />
      {ship.id && <ShipDrawer id={ship.id} onClose={ship.close} />}
      {sheet.id && <ImportDrawer source="mall-shipments" panel={sheet} onMade={list.refresh} />}
      {refund.id && <MallRefundDrawer id={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}

function columnsOf(
  ofMerchant: boolean,
  open: (id: string) => void,
  ship: (id: string) => void,
  refund: (id: string) => void,
): Column<Row>[] {
  const c = columns<Row>();
  return [
    c.link("mallNo", "商城单号", (row) => open(row.id), { width: 190 }),
    c.text("merchantName", "商户", { hidden: ofMerchant }),
    c.text("storeName", "门店"),
    c.text("goods", "商品", { width: 180, note: (row) => `共 ${row.quantity} 件` }),
    c.money("goodsCents", "商品金额（元）", { hidden: true, width: 128 }),
    c.money("deliveryCents", "运费（元）", { hidden: true }),
    c.money("discountCents", "优惠（元）", { hidden: true }),
    c.money("storedCents", "储值支付（元）", (row) => (row.storedCents === 0 ? null : row.storedCents), { hidden: true, width: 128 }),
    c.money("paidCents", "实收（元）", (row) => (row.paidAt === null ? null : row.paidCents), { width: 110 }),
    c.money("refundedCents", "已退款（元）", (row) => (row.refundedCents === 0 ? null : row.refundedCents), { width: 110 }),
    c.code("status", "状态", mallStatus, { width: 88 }),
    c.text("receiverName", "收货人", { width: 124, note: (row) => row.receiverPhone }),
    c.text("receiverPhone", "收货电话", { hidden: true }),
    c.text("receiverArea", "收货地区", { hidden: true }),
    c.text("buyer", "下单人", { hidden: true }),
    c.code("carrier", "快递公司", carrier, { width: 96 }),
    c.text("trackingNo", "快递单号", { hidden: true }),
    c.text("orderNo", "支付单号", { hidden: true, width: 240 }),
    c.time("createdAt", "下单时间", { sort: "createdAt", width: 168 }),
    c.time("paidAt", "支付时间", { hidden: true }),
    c.time("shippedAt", "发货时间", { hidden: true }),
    c.time("completedAt", "完成时间", { hidden: true }),
    c.actions(
      (row) => (
        <>
          {row.shippable && row.status === 1 && (
            <Act of={shipMallOrder}>
              <Button tone="link" onClick={() => ship(row.id)}>
                发货
              </Button>
            </Act>
          )}
          {row.refundable && (
            <Act of={refundMallLines}>
              <Button tone="link" onClick={() => refund(row.id)}>
                退款
              </Button>
            </Act>
          )}
        </>
      ),
      { width: 104, of: [shipMallOrder, refundMallLines] },
    ),
  ];
}
