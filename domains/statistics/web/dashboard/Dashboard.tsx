import type { ReactNode } from "react";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { FirstSteps, TodoCard, useFirstSteps, useTodos } from "../../../todos/web/index.ts";
import { step } from "../../contract/index.ts";
import { asOfWords, spanWords, type Span } from "../spans.ts";
import { StatisticsSkeleton } from "../StatisticsSkeleton.tsx";
import "../statistics.css";
import { useAddress } from "../use-address.ts";
import { useTogether } from "../use-together.ts";
import { DashboardFigures } from "./DashboardFigures.tsx";
import { Provinces } from "./Provinces.tsx";
import { Rankings } from "./Rankings.tsx";
import { Trend } from "./Trend.tsx";
import { useDashboard } from "./use-dashboard.ts";

/** The home of the platform, agents, groups and teams: how much, from whom, where, and which way it goes. The 30 days up to yesterday unless asked otherwise. */
export function Dashboard(): ReactNode {
  const address = useAddress();
  const { values, set } = address;
  const span: Span = { from: values["from"] ?? daysAgo(30), to: values["to"] ?? daysAgo(1) };
  const by = step.values.find((one) => one === values["by"]) ?? "day";
  const dashboard = useDashboard(span, by);
  const [todos, steps] = [useTodos(), useFirstSteps()];
  const shown = dashboard.data;
  const waiting = dashboard.isPlaceholderData;
  const together = useTogether(shown !== undefined, !todos.isPending && !steps.isPending);
  return (
    <section className="statistics" aria-label="数据看板">
      <header className="screen-head">
        <div className="statistics-title">
          <h1>数据看板</h1>
          {shown && (
            <p className="note num">
              {spanWords(shown.span)} · 数据截至 {asOfWords(shown.asOf, shanghaiDay(shown.asOf))}
            </p>
          )}
        </div>
      </header>
      <div className="sheet statistics-filters" role="search">
        <DateRange
          label="统计日期"
          whole
          of={{ values: { from: span.from, to: span.to }, set: (days) => set({ from: days["from"], to: days["to"] }) }}
        />
        <Segments label="统计粒度" set={step} value={by} onChange={(next) => set({ by: next === "day" ? undefined : next })} />
      </div>
      {dashboard.error && (!shown || waiting) ? (
        <div className="sheet">
          <Failure error={dashboard.error as ApiError} retry={() => void dashboard.refetch()} />
        </div>
      ) : shown === undefined || !together ? (
        <StatisticsSkeleton figures={8} />
      ) : (
        <div className={waiting ? "statistics-body statistics-waiting" : "statistics-body"} aria-busy={waiting}>
          <FirstSteps of={steps.data} />
          <DashboardFigures shown={shown} />
          <TodoCard of={todos} />
          <Trend shown={shown} address={address} />
          <div className="statistics-halves">
            <Provinces provinces={shown.provinces} />
            <Rankings rankings={shown.rankings} address={address} />
          </div>
        </div>
      )}
    </section>
  );
}
