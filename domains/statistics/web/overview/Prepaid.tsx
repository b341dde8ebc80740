import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatCards, type Stat } from "@zhangfang/web/show/figures/StatCards.tsx";
import { getPrepaid, metric, metricDefinition, type Metric, type Span } from "../../contract/index.ts";
import { useDrill } from "../use-drill.ts";

type Prepaid = OutputOf<typeof getPrepaid>;

/** The figures of `PrepaidFigures`, asked beside the overview: a card that comes later would push the page down. */
export function usePrepaid(span: Span, moving: boolean): { data: Prepaid | undefined; isPending: boolean } {
  return useQuery({
    queryKey: [getPrepaid.path, span],
    placeholderData: keepPreviousData,
    refetchInterval: moving ? MOVING_MS : false,
    queryFn: ({ signal }) => call(getPrepaid, span, { signal, quiet: true }),
  });
}

/** 会员与储值: for whoever has members or sold something beforehand; who has neither sees no card. */
export function PrepaidFigures({ of }: { of: Prepaid | undefined }): ReactNode {
  const to = useDrill();
  if (!of || !isUsed(of)) return null;
  const money = (key: Metric, cents: Prepaid["turnoverCents"], more: Partial<Stat> = {}): Stat => ({
    label: `${metric.label(key)}（元）`,
    definition: metricDefinition[key],
    value: <Money cents={cents} />,
    ...more,
  });
  const opens = (drill: Parameters<typeof to>[0]): Partial<Stat> => {
    const href = to(drill);
    return href === undefined ? {} : { to: href };
  };
  const { drill } = of;
  const joined = `新增 ${of.membersNew.toLocaleString("en-US")} 位`;
  const toJoined = to(drill.joined);
  const cards = cardWords(of);
  return (
    <StatCards
      stats={[
        money("turnoverCents", of.turnoverCents, of.timesCents === 0 ? {} : { more: `含次卡核销 ${yuan(of.timesCents)}` }),
        money("rechargeCents", of.rechargeCents, {
          ...opens(drill.recharge),
          ...(of.rechargeBackCents !== 0 && { more: `已退 ${yuan(of.rechargeBackCents)}` }),
        }),
        money("consumedCents", of.consumedCents, { ...opens(drill.consumed), ...(cards !== "" && { more: cards }) }),
        money("balanceCents", of.balanceCents, opens(drill.balance)),
        {
          label: metric.label("membersActive"),
          definition: metricDefinition.membersActive,
          value: of.membersActive.toLocaleString("en-US"),
          ...opens(drill.active),
          more: toJoined === undefined ? joined : <Link to={toJoined}>{joined}</Link>,
        },
      ]}
    />
  );
}
/** 售卡实收, where there was any: it stands beside what is used of what was sold. */
const cardWords = ({ cardCents, cardBackCents }: Prepaid): string =>
  [cardCents !== 0 && `${metric.label("cardCents")} ${yuan(cardCents)}`, cardBackCents !== 0 && `退卡 ${yuan(cardBackCents)}`]
    .filter(Boolean)
    .join("，");
/** How often they are asked again while they still move. */
const MOVING_MS = 15_000;
const isUsed = ({ span: _span, drill: _drill, turnoverCents: _turnover, ...own }: Prepaid): boolean =>
  Object.values(own).some((figure) => figure !== 0);
