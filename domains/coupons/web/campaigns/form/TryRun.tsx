import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import { schemaOf } from "@zhangfang/web/schema.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { type CouponTerms, needsGoods, tryCampaign } from "../../../contract/index.ts";
import { counted, plainYuan } from "../campaign-words.ts";
import { barsOf } from "./bars-of.ts";

type Tried = OutputOf<typeof tryCampaign>;
/** Fewer orders say nothing about a threshold. */
const FEW_ORDERS = 100;

/** 试跑: what the terms would have done with the orders of the last 30 days, asked a moment after somebody stops typing. */
export function TryRun({ terms, merchantIds }: { terms: CouponTerms; merchantIds: readonly string[] }): ReactNode {
  const asked = useSettled(JSON.stringify({ terms, merchantIds }), 600);
  const run = useQuery({
    queryKey: [tryCampaign.path, asked],
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Tried | null> => {
      const given = (await schemaOf(tryCampaign)).safeParse(JSON.parse(asked) as unknown);
      return given.success ? call(tryCampaign, given.data as never, { signal, quiet: true }) : null;
    },
  });
  return (
    <section className="sheet" aria-label="试跑" aria-live="polite" aria-busy={run.isFetching}>
      <header className="coupon-head">
        <h2>试跑：近 30 天如果有这张券</h2>
        {run.data && <span className="note">{counted(run.data.orders)} 单</span>}
      </header>
      {run.error ? (
        <p className="coupon-line">
          <span>{(run.error as ApiError).message}</span>
          <Button small onClick={() => void run.refetch()}>
            重新试跑
          </Button>
        </p>
      ) : run.data ? (
        <Ran of={run.data} terms={terms} />
      ) : (
        <p className="note">{run.data === null ? "填好优惠和时间，这里就算出会用掉几张、少收多少。" : "正在试跑……"}</p>
      )}
    </section>
  );
}

function Ran({ of: ran, terms }: { of: Tried; terms: CouponTerms }): ReactNode {
  if (ran.orders === 0) return <p className="note">近 30 天还没有订单，试跑不了。</p>;
  return (
    <>
      {ran.orders < FEW_ORDERS && <p className="coupon-ochre">单太少，试跑不准。</p>}
      {needsGoods(terms.kind) && (
        <p className="note">
          单品券要商品明细：近 30 天 {counted(ran.orders)} 单里，{counted(ran.withGoods)} 单有这些商品。
        </p>
      )}
      <Bars of={ran} minCents={terms.minCents ?? 0} />
      <dl className="coupon-figures">
        <Figure name="会用掉" value={`${counted(ran.uses)} 张`} note={`${counted(ran.orders)} 单里用得上的`} />
        <Figure
          name="少收（元）"
          value={yuan(ran.costCents)}
          note={ran.uses > 0 ? `平均每张 ${yuan(Math.round(ran.costCents / ran.uses))}` : "没有一单用得上"}
        />
        <Figure
          name="差一点"
          value={`${counted(ran.near)} 单`}
          note={terms.minCents > 0 ? `${plainYuan(Math.ceil(terms.minCents * 0.8))}–${plainYuan(terms.minCents)} 元，可能凑单` : "没有门槛"}
        />
      </dl>
      {!ran.whole && <p className="note">单太多，只试了最近 {counted(ran.orders)} 单。</p>}
    </>
  );
}
const Figure = ({ name, value, note }: { name: string; value: string; note: string }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>
      <b className="coupon-figure num">{value}</b>
      <small className="note">{note}</small>
    </dd>
  </div>
);

const [HIGH, WIDE, GAP] = [88, 500, 2];
/** How many orders came to how much; those that reach the threshold in colour, and the threshold as a line. */
function Bars({ of: ran, minCents }: { of: Tried; minCents: number }): ReactNode {
  const { bars, endCents } = barsOf(ran, minCents);
  const most = Math.max(1, ...bars);
  const wide = WIDE / bars.length;
  const stepCents = ran.mostCents / Math.max(1, ran.steps.length);
  const at = Math.min(WIDE, stepCents > 0 ? (minCents / stepCents) * wide : 0);
  const reached = (n: number): boolean => (n + 1) * wide > at + 0.01;
  const end = `${plainYuan(endCents)} 元${endCents < ran.mostCents ? "及以上" : ""}`;
  const said = `近 30 天 ${counted(ran.orders)} 单的金额分布，从 0 到 ${end}${minCents > 0 ? `，门槛在 ${plainYuan(minCents)} 元` : ""}`;
  const share = (at / WIDE) * 100;
  return (
    <figure className="coupon-bars">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label={said}>
        {bars.map((count, n) => {
          const high = count === 0 ? 0 : Math.max(2, (count / most) * (HIGH - 4));
          return (
            <rect
              key={n}
              x={n * wide + GAP / 2}
              y={HIGH - high}
              width={wide - GAP}
              height={high}
              fill={reached(n) ? CHART_COLOURS[0] : "var(--color-border)"}
            />
          );
        })}
        {minCents > 0 && (
          <line x1={at} x2={at} y1="0" y2={HIGH} stroke="var(--color-text)" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        )}
      </svg>
      <figcaption>
        <span>{share > 14 ? "0" : ""}</span>
        {minCents > 0 && <b style={{ left: `${Math.max(6, Math.min(76, share))}%` }}>满 {plainYuan(minCents)}</b>}
        <span>{end}</span>
      </figcaption>
    </figure>
  );
}
