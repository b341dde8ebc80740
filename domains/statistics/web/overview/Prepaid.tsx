import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatCards, type Stat } from "@zhangfang/web/show/figures/StatCards.tsx";
import { getPrepaid, metric, metricDefinition, type Metric, type Span } from "../../contract/index.ts";
import { useDrill } from "../use-drill.ts";

type Prepaid = OutputOf<typeof getPrepaid>;

/** 会员与储值: for whoever has members or sold something beforehand; who has neither sees no card. */
export function PrepaidFigures({ span, moving }: { span: Span; moving: boolean }): ReactNode {
  const to = useDrill();
  const { data: of } = useQuery({
    queryKey: [getPrepaid.path, span],
    placeholderData: keepPreviousData,
    refetchInterval: moving ? MOVING_MS : false,
    queryFn: ({ signal }) => call(getPrepaid, span, { signal, quiet: true }),
  });
  if (!of || !isUsed(of)) return null;
  const money = (key: Metric, cents: Prepaid["turnoverCents"], more: Partial<Stat> = {}): Stat => ({
    label: `${metric.label(key)}（元）`,
    definition: metricDefinition[key],
    value: <Money cents={cents} />,
    ...more,
  });
  const people = (key: Metric, count: number, href: string | undefined): Stat => ({
    label: metric.label(key),
    definition: metricDefinition[key],
    value: count.toLocaleString("en-US"),
    ...(href !== undefined && { to: href }),
  });
  const back = (cents: number): Partial<Stat> => (cents === 0 ? {} : { more: `已退 ${yuan(cents)}` });
  const opens = (drill: Parameters<typeof to>[0]): Partial<Stat> => {
    const href = to(drill);
    return href === undefined ? {} : { to: href };
  };
  const { drill } = of;
  return (
    <StatCards
      stats={[
        money("turnoverCents", of.turnoverCents, of.timesCents === 0 ? {} : { more: `含次卡核销 ${yuan(of.timesCents)}` }),
        money("rechargeCents", of.rechargeCents, { ...opens(drill.recharge), ...back(of.rechargeBackCents) }),
        ...(of.cardCents !== 0 || of.cardBackCents !== 0 ? [money("cardCents", of.cardCents, back(of.cardBackCents))] : []),
        money("consumedCents", of.consumedCents, opens(drill.consumed)),
        money("balanceCents", of.balanceCents, opens(drill.balance)),
        people("membersNew", of.membersNew, to(drill.joined)),
        people("membersActive", of.membersActive, to(drill.active)),
      ]}
    />
  );
}
const MOVING_MS = 15_000;
const isUsed = ({ span: _span, drill: _drill, turnoverCents: _turnover, ...own }: Prepaid): boolean =>
  Object.values(own).some((figure) => figure !== 0);
