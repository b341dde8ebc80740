import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatCards, WaitingCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { listMerchantsProfit, metric, metricDefinition, profitBy, summariseMerchantsProfit } from "../../contract/index.ts";
import { PartFailed } from "../reports/ReportFigures.tsx";
import { UNIT } from "../reports/takings-columns.tsx";
import "../statistics.css";
import { useDrill } from "../use-drill.ts";
import { footOf, profitColumns } from "./profit-columns.tsx";

/** 商户收益: what was taken, what went back, what it cost, what was shared out, and what is left; the 30 whole days up to yesterday. */
export function MerchantsProfit(): ReactNode {
  const { level } = useUser();
  // A merchant has one row as a merchant: its days say more.
  const list = useList(listMerchantsProfit, { defaults: { from: daysAgo(30), to: daysAgo(1), by: level === "MCH" ? "day" : "merchant" } });
  const by = profitBy.values.find((one) => one === list.filters["by"]) ?? "merchant";
  const answer = useSummary(summariseMerchantsProfit, list.filters);
  const sums = answer.data;
  const to = useDrill();
  const mayExport = useAct(["/dataCentre/merchantsProfit/export"]);
  return (
    <ListScreen
      title="商户收益"
      unit="行"
      list={list}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="日期" whole />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId", "merchantId"]} />
        </>
      }
      figures={
        <div className="statistics-body report">
          {sums ? (
            <Figures sums={sums} />
          ) : answer.error ? (
            <PartFailed what="合计" retry={() => void answer.refetch()} />
          ) : (
            <WaitingCards stats={STATS} />
          )}
          {level !== "MCH" && (
            <div className="report-by">
              <Segments label="统计维度" set={profitBy} value={by} onChange={(next) => list.setFilters({ by: next })} />
            </div>
          )}
        </div>
      }
      totals={UNIT}
      {...(mayExport && { exportSource: "merchants-profit" })}
      columns={profitColumns({ by, to })}
      foot={sums && footOf(sums, by)}
      onOpen={false}
      empty={{ text: "这段时间没有收款", action: <Button onClick={() => list.setFilters({ from: daysAgo(90) })}>看近 90 天</Button> }}
    />
  );
}

const SHOWN = ["paidCents", "refundCents", "feeKeptCents", "sharedCents", "profitCents"] as const;
const STATS = SHOWN.map((name) => ({ label: `${metric.label(name)}（元）`, definition: metricDefinition[name] }));
function Figures({ sums }: { sums: OutputOf<typeof summariseMerchantsProfit> }): ReactNode {
  const to = useDrill();
  const list = {
    paidCents: to(sums.drill.pay),
    feeKeptCents: to(sums.drill.fee),
    refundCents: to(sums.drill.refund),
    sharedCents: to(sums.drill.shared),
    profitCents: undefined,
  };
  return (
    <StatCards
      stats={SHOWN.map((name, place) => ({
        ...STATS[place]!,
        value: <Money cents={sums[name]} />,
        ...(list[name] !== undefined && { to: list[name] }),
      }))}
    />
  );
}
