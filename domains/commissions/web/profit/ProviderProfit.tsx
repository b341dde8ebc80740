import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { may as mayOpen, type Need, useUser } from "@zhangfang/web/api/user.ts";
import { metric, metricDefinition } from "../../../statistics/contract/index.ts";
import { listProviderProfit, profitBy, summariseProviderProfit } from "../../contract/index.ts";

type Row = RowOf<typeof listProviderProfit>;
const c = columns<Row>();
const rowsOf =
  (path: string, more = "") =>
  (row: Row): string =>
    `${path}?${more}from=${row.from}&to=${row.to}&serviceProviderId=${row.serviceProviderId}`;
const payOf = rowsOf("/dataCentre/payOrder", "dateOf=paid&");
const refundOf = rowsOf("/dataCentre/payRefund", "dateOf=finished&status=2&");
const feeOf = rowsOf("/dataCentre/payStatistics");
const shareOf = rowsOf("/dataCentre/shareProfit");
/** A figure that leads to its rows, where the account may see them. */
const figure = (column: Column<Row>, to: (row: Row) => string, may: (path: string) => boolean): Column<Row> => ({
  ...column,
  render: (row) =>
    may(to(row)) ? (
      <Link className="figure-link" to={to(row)}>
        {column.render(row)}
      </Link>
    ) : (
      column.render(row)
    ),
});

/** 服务商收益: fees that came in, what they cost, what was shared and what stayed, by day or month. */
export function ProviderProfit(): ReactNode {
  const list = useList(listProviderProfit, { defaults: { from: daysAgo(30), to: daysAgo(1), by: "day" } });
  const sums = useSummary(summariseProviderProfit, list.filters).data;
  const mayExport = useAct(["/dataCentre/spProfit/export"]);
  const person = useUser();
  const { level } = person;
  const may = (path: string): boolean => mayOpen(person, [path.split("?")[0] as Need]);
  const by = profitBy.values.find((one) => one === list.filters["by"]) ?? "day";
  return (
    <ListScreen
      title="服务商收益"
      unit="条"
      list={list}
      onOpen={false}
      actions={<Segments label="汇总" set={profitBy} value={by} onChange={(next) => list.setFilters({ by: next })} />}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="日期" whole />
          {level === "ADMIN" && <Keyword of={list.field("keyword")} label="服务商" placeholder="名称" />}
        </>
      }
      totals={
        sums && [
          ["实收", <Money cents={sums.paidCents} symbol />],
          ["手续费净额", <Money cents={sums.feeCents} symbol />],
          ["通道成本", <Money cents={sums.costCents} symbol />],
          ["分出", <Money cents={sums.sharedCents} symbol />],
          ["净收益", <Money cents={sums.netCents} symbol />],
          ["已入账至", <span className="num">{sums.through ?? "—"}</span>],
        ]
      }
      {...(mayExport && { exportSource: "provider-profit" })}
      columns={[
        c.link("span", by === "month" ? "月份" : "日期", { to: shareOf }, { width: 120, sort: "day", copy: false }),
        c.text("serviceProviderName", "服务商", { hidden: level !== "ADMIN", width: 140 }),
        figure(c.number("payCount", metric.label("payCount"), { width: 96, hint: metricDefinition.payCount }), payOf, may),
        figure(c.money("paidCents", "实收（元）", { width: 132, hint: metricDefinition.paidCents }), payOf, may),
        figure(c.money("refundCents", "退款（元）", { width: 124, hint: metricDefinition.refundCents }), refundOf, may),
        figure(c.money("feeCents", "手续费净额（元）", { width: 136, hint: metricDefinition.feeKeptCents }), feeOf, may),
        c.money("costCents", "通道成本（元）", { width: 128, hint: "手续费里付给平台和通道的部分：按支付当天的服务商费率，已减退款。" }),
        figure(
          c.money("sharedCents", "分给代理和团队（元）", { width: 156, hint: "分给代理商、集团、团队和业务员的分润，已减退款扣回。" }),
          shareOf,
          may,
        ),
        c.money("netCents", "净收益（元）", { width: 128, main: true, hint: "手续费净额 − 通道成本 − 分给代理和团队。" }),
      ]}
      empty={{ text: "这段时间没有收益；前一天的收款在次日凌晨入账" }}
    />
  );
}
