import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  getTakeawayOrder,
  listTakeawayOrders,
  takeawayDay,
  takeawayPart,
  takeawayPlatform,
  takeawaySource,
  takeawayStatus,
} from "../contract/index.ts";

type Row = RowOf<typeof listTakeawayOrders>;

/** 外卖订单: what a figure of 外卖汇总 is made of. */
export function TakeawayOrders(): ReactNode {
  const { level } = useUser();
  const navigate = useNavigate();
  const list = useList(listTakeawayOrders);
  const order = useDetail(getTakeawayOrder, list.openId && { id: list.openId });
  const mayExport = useAct(["/dataCentre/takeaway/export"]);
  return (
    <ListScreen
      title="外卖订单"
      unit="单"
      list={list}
      tabs={{ of: list.field("status"), set: takeawayStatus, counts: useCounts(list, "status", takeawayStatus) }}
      actions={<Button onClick={() => void navigate("/dataCentre/takeaway")}>回到汇总</Button>}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="订单号" placeholder="平台订单号；选了日期可填当日编号" />
          <Choice of={list.field("platform")} label="平台" set={takeawayPlatform} />
          <DateRange
            of={list.range("from", "to")}
            label={takeawayDay.label(list.filters["dayOf"] === "completed" ? "completed" : "placed")}
          />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("part")} label="哪些单" set={takeawayPart} />
          <Choice of={list.field("dayOf")} label="日期" set={takeawayDay} none="按下单日" />
        </>
      }
      {...(mayExport && { exportSource: "takeaway-orders" })}
      columns={columnsOf(list.open, level === "MCH" || level === "AE")}
      empty={{ text: "没有这样的外卖订单" }}
    >
      {list.openId && (
        <DetailDrawer title="外卖订单" of={order} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts of={one} />}
        </DetailDrawer>
      )}
    </ListScreen>
  );
}

function columnsOf(open: (id: string) => void, own: boolean) {
  const c = columns<Row>();
  return [
    c.link("platformOrderId", "平台订单号", (row) => open(row.id), { width: 208, note: (row) => row.dayNo && `当日 #${row.dayNo}` }),
    c.code("platform", "平台", takeawayPlatform, { width: 88 }),
    c.code("status", "状态", takeawayStatus, { width: 88 }),
    c.text("merchantName", "商户", { width: 136, hidden: own }),
    c.text("storeName", "门店", (row) => row.storeName ?? `未映射：${row.platformStoreName}`, { width: 160 }),
    c.money("originalCents", "原价（元）", { width: 104 }),
    c.money("paidCents", "用户实付（元）", { width: 120 }),
    c.money("feeCents", "服务费（元）", { width: 104 }),
    c.money("incomeCents", "预计收入（元）", { width: 120, main: true, note: (row) => row.odd && "收入不平" }),
    c.money("refundCents", "退款（元）", { width: 104 }),
    c.money("netCents", "净收入（元）", { width: 112 }),
    c.time("placedAt", "下单时间", { width: 168, sort: "-placedAt" }),
    c.time("completedAt", "完成时间", { width: 168, hidden: true }),
  ];
}

function Facts({ of: one }: { of: OutputOf<typeof getTakeawayOrder> }): ReactNode {
  const minus = (cents: number): string => (cents === 0 ? "0.00" : `−${yuan(cents)}`);
  return (
    <>
      <HeroLine
        label={`${takeawayPlatform.label(one.platform)}${one.dayNo && ` #${one.dayNo}`} · 预计收入`}
        value={<Money cents={one.incomeCents} symbol />}
        status={<StatusTag of={takeawayStatus} code={one.status} />}
      />
      {one.odd && one.partsCents !== null && (
        <p className="note">
          收入不平：各项算下来是 {yuan(one.partsCents)} 元，平台给的是 {yuan(one.incomeCents)} 元。汇总按平台给的算，请在平台的账单里核对。
        </p>
      )}
      <Group
        title="钱"
        pairs={[
          ["原价", yuan(one.originalCents)],
          ["其中餐盒", yuan(one.packageCents)],
          ["其中配送费", yuan(one.deliveryCents)],
          ["商家活动", minus(one.shopOffCents)],
          ["平台活动", minus(one.platformOffCents)],
          ["用户实付", yuan(one.paidCents)],
          ["服务费", minus(one.feeCents)],
          ["退款", minus(one.refundCents)],
          ["其中商家承担", minus(one.shopRefundCents)],
          ["净收入", yuan(one.netCents)],
        ]}
      />
      {one.lines.length > 0 && (
        <Group title="菜品" pairs={one.lines.map(({ name, count, cents }) => [`${name} × ${count}`, yuan(cents)] as const)} />
      )}
      <Group
        title="订单"
        pairs={[
          ["平台订单号", one.platformOrderId],
          ["门店", one.storeName ?? "未映射"],
          ["平台门店", one.platformStoreName],
          ["平台门店编号", one.platformStoreId],
          ["商户", one.merchantName],
          ["下单", <Time key="placed" at={one.placedAt} />],
          ["完成", one.completedAt && <Time at={one.completedAt} />],
          ["平台最近一次更新", <Time key="changed" at={one.changedAt} />],
          ["来自", takeawaySource.label(one.source)],
        ]}
      />
    </>
  );
}
