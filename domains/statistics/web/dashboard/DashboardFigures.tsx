import type { ReactNode } from "react";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type Stat, StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { type Drill, metric, metricDefinition, type Metric } from "../../contract/index.ts";
import { figureStats } from "../figure-stats.tsx";
import { againstWords, changeOf } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import type { DashboardData } from "./use-dashboard.ts";

/** Money above, merchants and devices below; each against the span before, each with its definition. */
export function DashboardFigures({ shown }: { shown: DashboardData }): ReactNode {
  const to = useDrill();
  const words = againstWords(shown.span);
  const given = {
    current: shown.current,
    against: [{ figures: shown.previous, words }],
    pay: to(shown.drill.pay),
    refund: to(shown.drill.refund),
  };
  // What was paid beforehand stands beside, where there was any; what is still owed of it is no business of these levels.
  const beforehand = PREPAID.some((key) => shown.current[key] !== 0 || shown.previous[key] !== 0);
  return (
    <>
      <StatCards stats={[...figureStats(given, FIGURES), ...commission(shown, words, to)]} />
      {beforehand && <StatCards stats={figureStats(given, PREPAID)} />}
      <StatCards stats={standing(shown, words, to)} />
    </>
  );
}

const FIGURES = ["paidCents", "payCount", "refundCents", "feeCents"] as const;
const PREPAID = ["rechargeCents", "cardCents", "storedCents"] as const;

function commission(
  { commissionCents, previousCommissionCents, span: { from, to: until } }: DashboardData,
  words: string,
  to: ReturnType<typeof useDrill>,
): Stat[] {
  if (commissionCents === null) return [];
  const change = changeOf(commissionCents, previousCommissionCents ?? 0);
  const rows = to({ path: "/dataCentre/shareProfit/own", query: { view: "lines", from, to: until } });
  return [
    {
      label: `${metric.label("commissionCents")}（元）`,
      definition: metricDefinition.commissionCents,
      value: <Money cents={commissionCents} />,
      change,
      against: words,
      ...(rows !== undefined && { to: rows }),
    },
  ];
}

/** Merchants and devices as they stand. */
function standing({ merchants, devices, standing: drills }: DashboardData, words: string, to: ReturnType<typeof useDrill>): Stat[] {
  const stat = (key: Metric, value: number, drill: Drill, more: Partial<Stat> = {}): Stat => {
    const rows = to(drill);
    return {
      label: metric.label(key),
      definition: metricDefinition[key],
      value: counted(value),
      ...(rows !== undefined && { to: rows }),
      ...more,
    };
  };
  const against = (now: number, before: number): Partial<Stat> => ({ change: changeOf(now, before), against: words });
  return [
    stat("merchantsTotal", merchants.total, drills.total),
    stat("merchantsNew", merchants.new, drills.new, against(merchants.new, merchants.previousNew)),
    stat("merchantsActive", merchants.active, drills.active, against(merchants.active, merchants.previousActive)),
    stat("devicesOnline", devices.online, drills.online, { more: `共 ${counted(devices.total)} 台启用` }),
  ];
}

const counted = (count: number): string => count.toLocaleString("en-US");
