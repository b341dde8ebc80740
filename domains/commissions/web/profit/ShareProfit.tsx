import type { ReactNode } from "react";
import { useLocation } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { listShareProfit, receiver, summariseShareProfit } from "../../contract/index.ts";
import { CommissionLines, linesOf } from "./CommissionLines.tsx";

/** 分润: by receiver and day; a row leads to the lines behind it, and a line to its order. */
export function ShareProfit(): ReactNode {
  const { search } = useLocation();
  return new URLSearchParams(search).get("view") === "lines" ? (
    <CommissionLines title="分润明细" back="/dataCentre/shareProfit" />
  ) : (
    <ByDay />
  );
}

function ByDay(): ReactNode {
  const list = useList(listShareProfit, { defaults: { from: daysAgo(30), to: daysAgo(1) } });
  const sums = useSummary(summariseShareProfit, list.filters).data;
  const mayExport = useAct(["/dataCentre/shareProfit/export"]);
  const { level } = useUser();
  const c = columns<RowOf<typeof listShareProfit>>();
  return (
    <ListScreen
      title="分润"
      unit="条"
      list={list}
      onOpen={false}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="日期" whole />
          <Keyword of={list.field("keyword")} label="分润方" placeholder="名称" />
          <Choice of={list.field("receiver")} label="类型" set={receiver} />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId"]} />
        </>
      }
      totals={
        sums && [
          ["费率差", <Money cents={sums.differenceCents} symbol />],
          ["比例分润", <Money cents={sums.ratioCents} symbol />],
          ["退款扣回", <Money cents={sums.clawedCents} symbol />],
          ["净分润", <Money cents={sums.netCents} symbol />],
          ["已入账至", <span className="num">{sums.through ?? "—"}</span>],
        ]
      }
      {...(mayExport && { exportSource: "share-profit" })}
      columns={[
        c.link("day", "日期", { to: (row) => linesOf("/dataCentre/shareProfit", row) }, { width: 120, sort: "day", copy: false }),
        c.text("receiverName", "分润方", { width: 140 }),
        c.code("receiver", "类型", receiver, { width: 96 }),
        c.text("serviceProviderName", "服务商", { hidden: level !== "ADMIN", width: 140 }),
        c.number("payCount", "支付笔数", { width: 84 }),
        c.money("paidCents", "实收（元）", { width: 116 }),
        c.money("refundCents", "退款（元）", { width: 116, hidden: true }),
        c.money("differenceCents", "费率差（元）", { width: 116 }),
        c.money("ratioCents", "比例分润（元）", { width: 124 }),
        c.money("clawedCents", "退款扣回（元）", { width: 124 }),
        c.money("netCents", "净分润（元）", { width: 124, main: true }),
      ]}
      empty={{ text: "这段时间没有分润；前一天的收款在次日凌晨入账" }}
    />
  );
}
