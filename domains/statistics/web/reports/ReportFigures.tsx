import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type Stat, StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { against, type AgainstSpan, type Figures, metric, metricDefinition, type summarisePayStatistics } from "../../contract/index.ts";
import { figureStats, WaitingFigures } from "../figure-stats.tsx";
import { spanWords } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import { drillOf } from "./drill-of.ts";

type Sums = OutputOf<typeof summarisePayStatistics>;
type Shown = Sums["current"];
type Answer = Pick<UseQueryResult<Sums>, "data" | "error" | "refetch">;
const SHOWN = ["paidCents", "payCount", "refundCents", "feeCents", "netCents"] as const satisfies readonly (keyof Figures)[];

/** The totals over the whole filter, each with its definition, its comparison and its rows. */
export function ReportFigures({ answer, chosen }: { answer: Answer; chosen: string | undefined }): ReactNode {
  const to = useDrill();
  const sums = answer.data;
  if (sums === undefined && answer.error) return <PartFailed what="合计" retry={() => void answer.refetch()} />;
  if (sums === undefined)
    return (
      <div className="report-figures">
        <WaitingFigures keys={SHOWN} compared={chosen !== undefined} />
        {chosen !== undefined && <p className="note num">{"\u00a0"}</p>}
      </div>
    );
  const held = sums.before && sums.beforeSpan ? [{ figures: sums.before, words: `较${againstWords(chosen)}` }] : [];
  return (
    <div className="report-figures">
      <StatCards
        stats={figureStats({ current: sums.current, against: held, pay: to(sums.drill.pay), refund: to(sums.drill.refund) }, SHOWN)}
      />
      {showsValue(sums.current) && <StatCards stats={valueStats(sums.current, sums.drill, sums.drill.pay.query, to)} />}
      {sums.beforeSpan && <p className="note num">对比期 {spanWords(sums.beforeSpan)}</p>}
    </div>
  );
}
/** Whether anything was sold beforehand or used of it: who has none of that sees nothing of it. */
export const showsValue = (of: Shown): boolean =>
  [
    of.rechargeCents,
    of.rechargeBackCents,
    of.storedCents,
    of.cardCents,
    of.cardBackCents,
    of.consumedCents,
    of.timesCents,
    of.balanceCents,
  ].some((cents) => cents !== null && cents !== 0);
/** 营业额, 充值实收, 储值支付 and 储值余额 beside 实收, each known where it can be told apart. */
function valueStats(of: Shown, drill: Sums["drill"], filter: Readonly<Record<string, string>>, to: ReturnType<typeof useDrill>): Stat[] {
  return (["turnoverCents", "rechargeCents", "storedCents", "balanceCents"] as const).flatMap((name) => {
    const cents = of[name];
    if (cents === null) return [];
    const rows = name === "turnoverCents" ? undefined : to(drillOf(name, { drill, filter }));
    return [
      {
        label: `${metric.label(name)}（元）`,
        definition: metricDefinition[name],
        value: <Money cents={cents} />,
        ...(rows !== undefined && { to: rows }),
      },
    ];
  });
}
/** What the figures are held against, in words. */
export const againstWords = (chosen: string | undefined): string => against.label(chosen as AgainstSpan);

/** A part of the page that did not come while the rest stands; the cause was said by a message. */
export function PartFailed({ what, retry }: { what: string; retry: () => void }): ReactNode {
  return (
    <div className="sheet part-failed">
      <span>{what}没有加载成功</span>
      <Button small onClick={retry}>
        重试
      </Button>
    </div>
  );
}
