import type { ReactNode } from "react";
import { Money } from "@zhangfang/web/show/Money.tsx";
import { type Stat, StatCards } from "@zhangfang/web/show/StatCards.tsx";
import { may, useUser } from "@zhangfang/web/user.ts";
import { metric, metricDefinition, type Metric } from "../../contract/index.ts";
import { figureStats } from "../figure-stats.tsx";
import { againstWords, changeOf } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import type { DashboardData } from "./use-dashboard.ts";

/** Money above, merchants and devices below; each against the span before, each with its definition. */
export function DashboardFigures({ shown }: { shown: DashboardData }): ReactNode {
  const to = useDrill();
  const words = againstWords(shown.span);
  const money = figureStats(
    { current: shown.current, against: [{ figures: shown.previous, words }], pay: to(shown.drill.pay), refund: to(shown.drill.refund) },
    ["paidCents", "payCount", "refundCents", "feeCents"],
  );
  return (
    <>
      <StatCards stats={[...money, ...commission(shown, words, to)]} />
      <StatCards stats={useStanding(shown, words)} />
    </>
  );
}

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
function useStanding({ merchants, devices }: DashboardData, words: string): Stat[] {
  const person = useUser();
  const list = (path: "/merchants/merchants" | "/device/list") => (may(person, [path]) ? { to: path } : {});
  const stat = (key: Metric, value: ReactNode, more: Partial<Stat>): Stat => ({
    label: metric.label(key),
    definition: metricDefinition[key],
    value,
    ...more,
  });
  return [
    stat("merchantsTotal", counted(merchants.total), list("/merchants/merchants")),
    stat("merchantsNew", counted(merchants.new), { change: changeOf(merchants.new, merchants.previousNew), against: words }),
    stat("merchantsActive", counted(merchants.active), { change: changeOf(merchants.active, merchants.previousActive), against: words }),
    stat("devicesOnline", counted(devices.online), { more: `共 ${counted(devices.total)} 台启用`, ...list("/device/list") }),
  ];
}

const counted = (count: number): string => count.toLocaleString("en-US");
