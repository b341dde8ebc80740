import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn, MemberLink } from "../../members/web/index.ts";
import { getTerm, levelCause, listTerms, refundTerm, sellTerm, summariseTerms, termEnding, termStatus } from "../contract/index.ts";
import { SellTermDrawer, TermRefundDrawer } from "./TermForms.tsx";

const c = columns<RowOf<typeof listTerms>>();

/** VIP订单: levels that were bought, how long they run, and what went back. */
export function TermList(): ReactNode {
  const list = useList(listTerms, { defaults: { from: daysAgo(89), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseTerms, list.filters).data;
  const [sell, refund] = [usePanel("sell"), usePanel("refund")];
  const mayExport = useAct(["/vip-member/orders/export"]);
  const term = useDetail(getTerm, list.openId && { id: list.openId });
  const selling = (
    <Act of={sellTerm}>
      <Button tone="primary" onClick={() => sell.open()}>
        开通VIP
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="VIP订单"
      unit="单"
      list={list}
      tabs={{ of: list.field("status"), set: termStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["售出", <Money cents={sums.paidCents} symbol />],
          ["已退款", <Money cents={sums.refundedCents} symbol />],
          ["有效", sums.running],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="下单时间" />
          <Keyword of={list.field("keyword")} label="单号" placeholder="支付单号 / 会员号 / 手机号" />
          <Choice of={list.field("ending")} label="到期" set={termEnding} />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      actions={selling}
      {...(mayExport && { exportSource: "vip-orders" })}
      columns={columnsOf(list.open, refund.open)}
      empty={{ text: "近 90 天没有人开通付费等级", action: selling }}
    >
      {list.openId && (
        <DetailDrawer title="VIP订单详情" of={term} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts term={one} />}
        </DetailDrawer>
      )}
      {sell.id && <SellTermDrawer onClose={sell.close} />}
      {refund.id && <TermRefundDrawer id={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}

const columnsOf = (open: (id: string) => void, refund: (id: string) => void) => [
  c.link("orderNo", "支付单号", (row) => open(row.id), { width: 240 }),
  memberColumn<RowOf<typeof listTerms>>(),
  c.text("memberNo", "会员号", { width: 112 }),
  c.text("name", "等级", { width: 96, note: (row) => `${row.months} 个月` }),
  c.text("storeName", "门店"),
  c.money("priceCents", "价格（元）", { width: 104 }),
  c.money("refundCents", "退款（元）", { hidden: true }),
  c.text("lastDay", "到期日", { width: 112 }),
  c.code("status", "状态", termStatus, { width: 88 }),
  c.time("createdAt", "下单时间", { sort: "createdAt", width: 168 }),
  c.actions(
    (row) =>
      row.status === 1 && (
        <Act of={refundTerm}>
          <Button tone="link" onClick={() => refund(row.id)}>
            退款
          </Button>
        </Act>
      ),
    { width: 72, of: [refundTerm] },
  ),
];

function Facts({ term: t }: { term: OutputOf<typeof getTerm> }): ReactNode {
  return (
    <>
      <HeroLine label={`${t.name} · ${t.months} 个月`} amount={t.priceCents} status={<StatusTag of={termStatus} code={t.status} />} />
      <Group
        title="付费期"
        pairs={[
          ["会员", <MemberLink key="m" of={t} />],
          ["会员号", t.memberNo],
          ["门店", t.storeName],
          ["开始", t.firstDay],
          ["到期", t.lastDay && `${t.lastDay} 24:00`],
          ["支付单号", t.orderNo],
          ["支付时间", t.paidAt && <Time at={t.paidAt} />],
          ["退款单号", t.refundNo],
          ["退款", t.refundCents === null ? null : <Money cents={t.refundCents} symbol />],
        ]}
      />
      <Group
        title="会员现在"
        pairs={[
          ["等级", t.level.name],
          ["近 12 个月成长值", t.level.growth.toLocaleString("en-US")],
          ["近 12 个月消费", <Money cents={t.level.spentCents} symbol />],
          ["保级到", t.level.keepUntil],
        ]}
      />
      {t.history.length > 0 && (
        <Group title="等级变化">
          <Timeline items={t.history.map(({ from, to, cause, at }) => ({ title: `${from} → ${to}`, note: levelCause.label(cause), at }))} />
        </Group>
      )}
    </>
  );
}
