import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn, MemberLink } from "../../../members/web/index.ts";
import {
  extendTimesCard,
  getTimesCard,
  listTimesCards,
  refundTimesCard,
  sellTimesCard,
  summariseTimesCards,
  timesCardStatus,
  timesReason,
  timesUseState,
} from "../../contract/index.ts";
import { CardRefundDrawer, ExtendDrawer, SellCardDrawer } from "./TimesForms.tsx";

type Row = RowOf<typeof listTimesCards>;
const c = columns<Row>();
const giveable = (status: Row["status"]): boolean => status === 1 || status === 3;

/** 次卡订单: cards that were sold, what of them is used and owed, and what went back. */
export function TimesCards(): ReactNode {
  const list = useList(listTimesCards, { defaults: { from: daysAgo(89), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseTimesCards, list.filters).data;
  const [sell, refund, extend] = [usePanel("sell"), usePanel("refund"), usePanel("extend")];
  const mayExport = useAct(["/vip-member/timesOrders/export"]);
  const card = useDetail(getTimesCard, list.openId && { id: list.openId });
  const selling = (
    <Act of={sellTimesCard}>
      <Button tone="primary" onClick={() => sell.open()}>
        售次卡
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="次卡订单"
      unit="张"
      list={list}
      tabs={{ of: list.field("status"), set: timesCardStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["售出", <Money cents={sums.soldCents} symbol />],
          ["已用", <Money cents={sums.earnedCents} symbol />],
          ["未用（欠顾客）", <Money cents={sums.leftCents} symbol />],
          ["已退", <Money cents={sums.refundedCents} symbol />],
          ["退卡差额", <Money cents={sums.forfeitedCents} symbol />],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="下单时间" />
          <Keyword of={list.field("keyword")} label="单号" placeholder="次卡号 / 会员号 / 手机号" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      actions={selling}
      {...(mayExport && { exportSource: "times-cards" })}
      columns={columnsOf(list.open, extend.open, refund.open)}
      empty={{ text: "近 90 天没有售出次卡", action: selling }}
    >
      {list.openId && (
        <DetailDrawer title="次卡订单详情" of={card} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts card={one} />}
        </DetailDrawer>
      )}
      {sell.id && <SellCardDrawer onClose={sell.close} />}
      {refund.id && <CardRefundDrawer id={refund.id} onClose={refund.close} />}
      {extend.id && <ExtendDrawer id={extend.id} onClose={extend.close} />}
    </ListScreen>
  );
}

type Open = (id: string) => void;
const columnsOf = (open: Open, extend: Open, refund: Open) => [
  c.link("cardNo", "次卡号", (row) => open(row.id), { width: 144 }),
  memberColumn<Row>(),
  c.text("name", "次卡", { width: 144 }),
  c.text("memberNo", "会员号", { width: 112 }),
  c.text("storeName", "售出门店"),
  c.text("left", "剩余", (row) => `${row.leftTimes} / ${row.times + row.giftTimes} 次`, { width: 96, keep: true }),
  c.money("priceCents", "售价（元）", { width: 104 }),
  c.money("leftCents", "未用（元）", { width: 104 }),
  c.money("refundCents", "退款（元）", { hidden: true }),
  c.text("lastDay", "到期日", { width: 112 }),
  c.code("status", "状态", timesCardStatus, { width: 88 }),
  c.text("orderNo", "支付单号", { hidden: true, width: 240 }),
  c.time("createdAt", "下单时间", { sort: "createdAt", width: 168 }),
  c.actions(
    (row) =>
      giveable(row.status) && (
        <>
          <Act of={extendTimesCard}>
            <Button tone="link" onClick={() => extend(row.id)}>
              延期
            </Button>
          </Act>
          <Act of={refundTimesCard}>
            <Button tone="link" onClick={() => refund(row.id)}>
              退款
            </Button>
          </Act>
        </>
      ),
    { width: 104, of: [extendTimesCard, refundTimesCard] },
  ),
];

function Facts({ card }: { card: OutputOf<typeof getTimesCard> }): ReactNode {
  const u = columns<(typeof card)["uses"][number]>();
  return (
    <>
      <HeroLine
        label={card.name}
        value={`剩 ${card.leftTimes} / ${card.times + card.giftTimes} 次`}
        status={<StatusTag of={timesCardStatus} code={card.status} />}
      />
      <Group
        title="次卡"
        pairs={[
          ["次卡号", card.cardNo],
          ["会员", <MemberLink key="m" of={card} />],
          ["会员号", card.memberNo],
          ["售出门店", card.storeName],
          ["适用门店", card.storeNames],
          ["售价", <Money cents={card.priceCents} symbol />],
          ["单次价", <Money cents={card.singlePriceCents} symbol />],
          ["已用", <Money cents={card.earnedCents} symbol />],
          ["未用", <Money cents={card.leftCents} symbol />],
          ["到期", card.lastDay && `${card.lastDay} 24:00`],
          ["支付单号", card.orderNo],
          ["支付时间", card.paidAt && <Time at={card.paidAt} />],
        ]}
      />
      {card.refundReason !== null && (
        <Group
          title="退款"
          pairs={[
            ["原因", timesReason.label(card.refundReason)],
            ["金额", <Money cents={card.refundCents} symbol />],
            ["退款单号", card.refundNo],
          ]}
        />
      )}
      <Group title="核销记录">
        <DataTable
          label="核销记录"
          rows={card.uses}
          columns={[
            u.time("at", "时间", { width: 168 }),
            u.text("storeName", "门店"),
            u.number("times", "次数", { width: 72 }),
            u.money("valueCents", "价值（元）", { width: 104 }),
            u.text("by", "操作人", { width: 120 }),
            u.code("state", "状态", timesUseState, { width: 88 }),
          ]}
          blank="还没有核销"
        />
      </Group>
    </>
  );
}
