import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { addDays } from "@zhangfang/contract/time.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { FirstSteps, TodoCard, useFirstSteps, useTodos } from "../../../todos/web/index.ts";
import { getOverview, type Span } from "../../contract/index.ts";
import { asOfWords, type Compare, compare, range, type Range, spanOf, spanWords } from "../spans.ts";
import "../statistics.css";
import { useAddress } from "../use-address.ts";
import { useTogether } from "../use-together.ts";
import { NoTakings } from "./NoTakings.tsx";
import { OverviewCards } from "./OverviewCards.tsx";
import { usePrepaid } from "./Prepaid.tsx";
import { StatisticsSkeleton } from "../StatisticsSkeleton.tsx";
import { LiveMark, TodayStrip } from "./TodayStrip.tsx";
import { useTodayDay } from "./use-today.ts";
import type { Shown } from "./shown.ts";

/** The home of a provider, a merchant and an area: yesterday first, because it is whole; today beside it, as it happens. */
export function Overview(): ReactNode {
  const { values, set } = useAddress();
  const chosen = range.values.find((one) => one === values["range"]) ?? "yesterday";
  const against = compare.values.find((one) => one === values["compare"]) ?? "week";
  const day = useTodayDay() ?? today();
  const span = spanOf(chosen, day);
  const overview = useOverview(chosen, against, { day, span });
  const prepaid = usePrepaid(span, chosen === "today");
  const [todos, steps] = [useTodos(), useFirstSteps()];
  const shown = overview.data;
  const waiting = overview.isPlaceholderData;
  const together = useTogether(shown !== undefined, !prepaid.isPending && !todos.isPending && !steps.isPending);
  return (
    <section className="statistics" aria-label="概览">
      <header className="screen-head">
        <Title shown={shown} chosen={chosen} />
        <Segments
          label="统计范围"
          set={range}
          value={chosen}
          onChange={(next) => set({ range: next === "yesterday" ? undefined : next })}
        />
      </header>
      {overview.error && (!shown || waiting) ? (
        <div className="sheet">
          <Failure error={overview.error as ApiError} retry={() => void overview.refetch()} />
        </div>
      ) : shown === undefined || !together ? (
        <StatisticsSkeleton />
      ) : isNew(shown) ? (
        <div className="statistics-body">
          <FirstSteps of={steps.data} />
          <TodayStrip />
          <TodoCard of={todos} />
          {!steps.isPending && !steps.data?.shown && <NoTakings />}
        </div>
      ) : (
        <div className={waiting ? "statistics-body statistics-waiting" : "statistics-body"} aria-busy={waiting}>
          <FirstSteps of={steps.data} />
          <OverviewCards
            shown={shown}
            prepaid={prepaid.data}
            todos={todos}
            onCompare={(next) => set({ compare: next === "week" ? undefined : next })}
          />
        </div>
      )}
    </section>
  );
}

/** 昨日经营 2026-11-19 周四 · 数据截至 02:10; of what is shown, not of what was just asked for. 今日 lives. */
function Title({ shown, chosen }: { shown: Shown | undefined; chosen: Range }): ReactNode {
  return (
    <div className="statistics-title">
      <h1>{range.label(shown?.range ?? chosen)}经营</h1>
      {shown &&
        (shown.range === "today" ? (
          <LiveMark />
        ) : (
          <p className="note num">
            {spanWords(shown.span)} · 数据截至 {asOfWords(shown.asOf, shown.today)}
          </p>
        ))}
    </div>
  );
}

/** How often the parts that are not light are asked again while they still move. */
const MOVING_MS = 15_000;

function useOverview(chosen: Range, against: Compare, { day, span }: { day: string; span: Span }) {
  const compareDay = addDays(span.to, against === "week" ? -7 : -1);
  return useQuery<Shown>({
    queryKey: [getOverview.path, chosen, span, against],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (span.to === day || (state.data && isNew(state.data)) ? MOVING_MS : false),
    queryFn: async ({ signal }) => ({
      range: chosen,
      compare: against,
      today: day,
      ...(await call(getOverview, { ...span, compareDay }, { signal, quiet: true })),
    }),
  });
}

/** Nobody has ever paid, as far as a month can tell. */
const isNew = ({ current, line }: Pick<Shown, "current" | "line">): boolean =>
  current.payCount === 0 && line.every(({ payCount, refundCents }) => payCount === 0 && refundCents === 0);
