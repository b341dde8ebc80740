import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { lineFact, listCommissionLines, receiver, summariseCommissionLines } from "../../contract/index.ts";

type Line = RowOf<typeof listCommissionLines>;
/** The address of the lines behind a day of a receiver. */
export const linesOf = (path: string, row: { readonly day: string; readonly receiverId?: string }): string =>
  `${path}?view=lines&from=${row.day}&to=${row.day}${row.receiverId ? `&receiverId=${row.receiverId}` : ""}`;

/** 分润明细: what each payment brought and each refund took back, by which rate and ratio; a line leads to its order. */
export function CommissionLines({ title, back }: { title: string; back: string }): ReactNode {
  const list = useList(listCommissionLines, { defaults: { from: daysAgo(30), to: daysAgo(1) } });
  const sums = useSummary(summariseCommissionLines, list.filters).data;
  const mayExport = useAct(["/dataCentre/shareProfit/export", "/dataCentre/shareProfit/own"]);
  const { level } = useUser();
  const above = level === "ADMIN" || level === "SP";
  const c = columns<Line>();
  return (
    <ListScreen
      title={title}
      unit="条"
      list={list}
      onOpen={false}
      actions={
        <Link className="btn btn-plain" to={back}>
          按日汇总
        </Link>
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="日期" whole />
          <Keyword of={list.field("keyword")} label="订单号" placeholder="完整的订单号" />
          <Choice of={list.field("fact")} label="来源" set={lineFact} />
          {above && <ReceiverFilter list={list} />}
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId", "merchantId"]} />
        </>
      }
      totals={
        sums && [
          ["收款分得", <Money cents={sums.earnedCents} symbol />],
          ["退款扣回", <Money cents={sums.clawedCents} symbol />],
          ["净分润", <Money cents={sums.commissionCents} symbol />],
          ["其中费率差", <Money cents={sums.differenceCents} symbol />],
          ["比例分润", <Money cents={sums.ratioCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "commission-lines" })}
      columns={[
        c.time("occurredAt", "时间", { width: 172, sort: "occurredAt" }),
        c.code("fact", "来源", lineFact, { width: 76 }),
        c.link("orderNo", "订单号", { to: (row) => `/dataCentre/payOrder?id=${row.orderId}` }, { width: 244 }),
        c.text("merchantName", "商户", { width: 112 }),
        c.text("receiverName", "分润方", { width: 116, hidden: !above, note: (row) => receiver.label(row.receiver) }),
        c.money("factCents", "金额（元）", { width: 104 }),
        c.money("commissionCents", "分润（元）", {
          width: 104,
          note: (row) => row.remainderCents > 0 && `含尾差 ${row.remainderCents} 分`,
        }),
        c.text("terms", "计算", termsWords, { width: 236 }),
        // What a line's two parts were: asked for where the terms beside it are not enough.
        c.money("differenceCents", "费率差（元）", { width: 108, hidden: true }),
        c.money("ratioCents", "比例分润（元）", { width: 120, hidden: true }),
      ]}
    />
  );
}
/** By which rates and ratio, as they were on the day of the payment. */
function termsWords({ merchantRate, ownRate, ratio }: Line): ReactNode {
  const words = [
    `商户 ${percent(merchantRate)}`,
    ownRate !== null && `底价 ${percent(ownRate)}`,
    ratio !== null && `比例 ${percent(ratio)}`,
  ];
  return <span className="num">{words.filter(Boolean).join(" · ")}</span>;
}

/** The receiver that the lines are narrowed to; it is chosen by the row that led here. */
function ReceiverFilter({ list }: { list: List<typeof listCommissionLines> }): ReactNode {
  const field = list.field("receiverId");
  const known = list.rows[0];
  if (!field.value) return null;
  return (
    <FilterPart label="分润方" names={{ receiverId: field.value }} shown={known?.receiverName ?? "所选"} clear={() => field.set(undefined)}>
      <span className="filter-control">{known?.receiverName ?? "所选分润方"}</span>
    </FilterPart>
  );
}
