import type { ReactNode } from "react";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import type { Figures } from "../../contract/index.ts";
import { figureStats } from "../figure-stats.tsx";
import { againstWords } from "../spans.ts";
import { apartDrill, useDrill } from "../use-drill.ts";
import { StatisticsSkeleton } from "../StatisticsSkeleton.tsx";
import type { Shown } from "./shown.ts";
import { Announced } from "./TodayStrip.tsx";
import { useToday } from "./use-today.ts";

const FIGURES: readonly (keyof Figures)[] = ["paidCents", "payCount", "averageCents", "refundCents", "netCents"];

/** The figures of whole days; a single day also stands against the same weekday. */
export function SpanFigures({ shown }: { shown: Shown }): ReactNode {
  const to = useDrill();
  const previous = { figures: shown.previous, words: againstWords(shown.span) };
  const against = shown.span.from === shown.span.to ? [{ figures: shown.weekAgo, words: "较上周同日" }, previous] : [previous];
  return (
    <StatCards
      stats={figureStats(
        { current: shown.current, against, pay: to(shown.drill.pay), refund: to(shown.drill.refund), apart: to(apartDrill(shown.span)) },
        FIGURES,
      )}
    />
  );
}

/** Today as it happens, against yesterday and last week up to the same time of day. */
export function TodayFigures(): ReactNode {
  const today = useToday();
  const to = useDrill();
  const shown = today.data;
  const day = shown && { from: shown.day, to: shown.day };
  if (!shown || !day) return <StatisticsSkeleton />;
  const against = [
    { figures: shown.lastWeekSoFar, words: "较上周同时" },
    { figures: shown.yesterdaySoFar, words: "较昨日同时" },
  ];
  return (
    <>
      <StatCards
        stats={figureStats(
          { current: shown.today, against, pay: to(shown.drill.pay), refund: to(shown.drill.refund), apart: to(apartDrill(day)) },
          FIGURES,
        )}
      />
      <Announced today={shown} />
    </>
  );
}
