import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { against, type AgainstSpan, type Figures, type summarisePayStatistics } from "../../contract/index.ts";
import { figureStats, WaitingFigures } from "../figure-stats.tsx";
import { spanWords } from "../spans.ts";
import { useDrill } from "../use-drill.ts";

type Answer = Pick<UseQueryResult<OutputOf<typeof summarisePayStatistics>>, "data" | "error" | "refetch">;
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
        stats={figureStats(
          { current: sums.current, against: held, pay: to(sums.drill.pay), refund: to(sums.drill.refund) },
          shownOf(sums.current),
        )}
      />
      {sums.beforeSpan && <p className="note num">对比期 {spanWords(sums.beforeSpan)}</p>}
    </div>
  );
}
/** 充值实收 and 储值支付 stand beside, where there was any. */
const shownOf = (current: Figures): readonly (keyof Figures)[] => [
  ...SHOWN,
  ...(["rechargeCents", "storedCents"] as const).filter((key) => current[key] !== 0),
];
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
