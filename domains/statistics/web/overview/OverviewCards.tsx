import type { ReactNode } from "react";
import { channelName, payWallet } from "../../../channels/contract.ts";
import { TodoCard, type useTodos } from "../../../todos/web/index.ts";
import { Bars, shareWords } from "../Bars.tsx";
import { Panel } from "../Panel.tsx";
import { type Compare, spanName } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import { SpanFigures, TodayFigures } from "./Figures.tsx";
import { Hourly } from "./Hourly.tsx";
import { PrepaidFigures } from "./Prepaid.tsx";
import type { Shown } from "./shown.ts";
import { ThirtyDays } from "./ThirtyDays.tsx";
import { TodayStrip } from "./TodayStrip.tsx";
import { WALLET_COLOURS } from "./wallet-colours.ts";

interface OverviewCardsProps {
  readonly shown: Shown;
  readonly prepaid: Parameters<typeof PrepaidFigures>[0]["of"];
  readonly todos: ReturnType<typeof useTodos>;
  readonly onCompare: (against: Compare) => void;
}
/** Everything that an overview answers, in the order in which it is asked in the morning. */
export function OverviewCards({ shown, prepaid, todos, onCompare }: OverviewCardsProps): ReactNode {
  return (
    <>
      {shown.range === "today" ? (
        <TodayFigures />
      ) : (
        <>
          <SpanFigures shown={shown} />
          <TodayStrip />
        </>
      )}
      <TodoCard of={todos} />
      <PrepaidFigures of={prepaid} />
      <Hourly shown={shown} onCompare={onCompare} />
      {/* One alone is no ranking: its figures stand above. */}
      <div className={shown.ranking.count !== 1 ? "statistics-row" : undefined}>
        <ThirtyDays line={shown.line} />
        {shown.ranking.count !== 1 && <Ranking shown={shown} />}
      </div>
      <div className="statistics-halves">
        <Shares shown={shown} />
      </div>
    </>
  );
}

/** Who pays with what, and who carries it. */
function Shares({ shown }: { shown: Shown }): ReactNode {
  const to = useDrill();
  const note = `${spanName(shown.span, shown.today)}实收（元）与占比`;
  return (
    <>
      <Panel title="钱包" note={note}>
        <Bars
          label="按钱包"
          bars={shown.wallets.map((part) => ({
            key: part.wallet,
            name: payWallet.label(part.wallet),
            cents: part.paidCents,
            rate: part.rate,
            beside: shareWords(part.rate),
            to: to(part.drill),
            colour: WALLET_COLOURS[part.wallet],
          }))}
        />
      </Panel>
      <Panel title="通道" note={note}>
        <Bars
          label="按通道"
          bars={shown.channels.map((part) => ({
            key: `${part.channel} ${part.wallet}`,
            name: channelName(part.channel, part.wallet),
            cents: part.paidCents,
            rate: part.rate,
            beside: shareWords(part.rate),
            to: to(part.drill),
          }))}
        />
      </Panel>
    </>
  );
}

const RANKED = { merchant: "商户", store: "门店" } as const;

/** Who takes the most, the first ten. */
function Ranking({ shown }: { shown: Shown }): ReactNode {
  const to = useDrill();
  const { kind, count, rows } = shown.ranking;
  return (
    <Panel title={`${RANKED[kind]}排行`} note={`${count.toLocaleString("en-US")} 家有收款`}>
      <Bars
        ranked
        label={`${RANKED[kind]}排行`}
        bars={rows.map((row) => ({
          key: row.id ?? "none",
          name: row.name,
          cents: row.paidCents,
          beside: `${row.payCount.toLocaleString("en-US")} 笔`,
          to: to(row.drill),
        }))}
      />
    </Panel>
  );
}
