import type { ReactNode } from "react";
import { Link } from "react-router";
import { Hint } from "../over/Hint.tsx";
import { levelWords } from "../../level-names.ts";

/** One figure: what it is, how much, how it compares, and the list that stands behind it. */
export interface Stat {
  readonly label: string;
  readonly value: ReactNode;
  /** Change against the period that `against` names, in parts of 100: 12.4 is +12.4 %. */
  readonly change?: number | null;
  readonly against?: string;
  /** One more line under the comparison. */
  readonly more?: ReactNode;
  /** What the figure counts, shown by the ⓘ beside its label. */
  readonly definition?: string;
  /** The filtered list whose total this is. */
  readonly to?: string;
}

/**
 * The figures at the top of a statistics page, in one sheet with hairlines between them.
 * @example <StatCards stats={[{ label: "实收金额（元）", value: <Money cents={sum.paid} />, change: 12.4, against: "较上周同日", to: "/dataCentre/payOrder?from=…" }]} />
 */
export function StatCards({ stats }: { stats: readonly Stat[] }): ReactNode {
  return (
    <div className={`sheet stats stats-${stats.length}`}>
      {stats.map((stat) => (
        <div key={stat.label} className="stat">
          <span className="stat-label">
            {levelWords(stat.label)}
            {stat.definition && <Hint of={stat.label} text={levelWords(stat.definition)} />}
          </span>
          <span className="stat-value num">{stat.to ? <Link to={stat.to}>{stat.value}</Link> : stat.value}</span>
          {stat.change !== undefined && (
            <span className="stat-change">
              {changeText(stat.change)} {stat.against}
            </span>
          )}
          {stat.more && <span className="stat-change">{stat.more}</span>}
        </div>
      ))}
    </div>
  );
}

/**
 * The same cards before their figures are known, as tall as they will be, so that nothing under them moves.
 * @param lines how many lines a card will have under its figure
 */
export function WaitingCards({
  stats,
  lines = () => 0,
}: {
  stats: readonly Pick<Stat, "label" | "definition">[];
  lines?: (place: number) => number;
}): ReactNode {
  return (
    <div role="status" aria-label="正在加载">
      <StatCards
        stats={stats.map((stat, place) => ({
          ...stat,
          value: <span className="stat-bone" />,
          ...(lines(place) > 0 && {
            more: <span className="stat-blank">{Array.from({ length: lines(place) }, () => "\u00a0").join("\n")}</span>,
          }),
        }))}
      />
    </div>
  );
}

/** ↑ 12.4%, ↓ 3.0%; the sign is in the arrow, because red already means that something is wrong. */
export function changeText(change: number | null): string {
  if (change === null) return "—";
  if (Math.abs(change) < 0.05) return "持平";
  return `${change > 0 ? "↑" : "↓"} ${Math.abs(change).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}
