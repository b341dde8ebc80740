import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";

export interface Bar {
  readonly key: string;
  readonly name: string;
  readonly cents: Cents;
  /** Its share of the whole in parts per 100,000: the bar is as long as that says. Without it the longest bar fills the row. */
  readonly rate?: number;
  /** A second figure in grey: a share, a count. */
  readonly beside: ReactNode;
  /** The list behind it. */
  readonly to?: string | undefined;
  /** One of the ten colours, where it has a meaning of its own. */
  readonly colour?: string | undefined;
}

/**
 * Amounts as horizontal bars with their numbers, the longest first. Words and numbers carry everything; the bars only help the eye.
 * @param props.ranked numbers the rows
 */
export function Bars({ label, bars, ranked = false }: { label: string; bars: readonly Bar[]; ranked?: boolean }): ReactNode {
  if (bars.length === 0) return <p className="panel-blank">这段时间没有收款</p>;
  const most = Math.max(1, ...bars.map(({ cents }) => cents));
  const List = ranked ? "ol" : "ul";
  return (
    <List className={ranked ? "bars bars-ranked" : "bars"} aria-label={label}>
      {bars.map((bar, index) => (
        <li key={bar.key}>
          {ranked && (
            <span className="bars-rank num" aria-hidden="true">
              {index + 1}
            </span>
          )}
          <span className="bars-name" title={bar.name}>
            {bar.to === undefined ? bar.name : <Link to={bar.to}>{bar.name}</Link>}
          </span>
          <span className="bars-track" aria-hidden="true">
            <span
              style={{
                width: `${Math.max(0, bar.rate === undefined ? (bar.cents * 100) / most : bar.rate / 1000)}%`,
                background: bar.colour ?? CHART_COLOURS[0],
              }}
            />
          </span>
          <span className="bars-amount">
            <Money cents={bar.cents} />
          </span>
          <span className="bars-beside num">{bar.beside}</span>
        </li>
      ))}
    </List>
  );
}

/** A share in parts per 100,000 as it is read. @example shareWords(38020) // 38.0% */
export const shareWords = (rate: number): string => `${(rate / 1000).toFixed(1)}%`;
