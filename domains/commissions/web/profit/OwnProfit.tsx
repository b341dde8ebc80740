import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { CardRows } from "@zhangfang/web/list/table/CardRows.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { Pager } from "@zhangfang/web/list/Pager.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { applyWithdrawal, getOwnProfit, listShareProfit, summariseShareProfit } from "../../contract/index.ts";
import { CommissionLines, linesOf } from "./CommissionLines.tsx";
import "../commissions.css";

const PATH = "/dataCentre/shareProfit/own";
type Own = OutputOf<typeof getOwnProfit>;

/** 我的分润: what I may claim and what is on its way, what I earned each day, and the lines behind it. */
export function OwnProfit(): ReactNode {
  const { search } = useLocation();
  return new URLSearchParams(search).get("view") === "lines" ? <CommissionLines title="我的分润明细" back={PATH} /> : <Overview />;
}

function Overview(): ReactNode {
  const own = useDetail(getOwnProfit, {});
  const days = useList(listShareProfit, { defaults: { from: daysAgo(30), to: daysAgo(1) } });
  return (
    <section className="own-profit" aria-label="我的分润">
      <header className="screen-head">
        <h1>我的分润</h1>
        <div className="screen-acts">
          <p className="note num">{own.data ? `已入账至 ${own.data.through ?? "—"}，前一天的收款在次日凌晨入账` : "\u00a0"}</p>
          <Act of={applyWithdrawal}>
            <Link className="btn btn-primary" to="/dataCentre/withdrawal?panel=apply:new">
              申请提现
            </Link>
          </Act>
        </div>
      </header>
      {own.data ? (
        <>
          <Figures own={own.data} />
          <Days own={own.data} />
        </>
      ) : (
        <div className="sheet">
          {own.error ? <Failure error={own.error as ApiError} retry={() => void own.refetch()} /> : <Skeleton rows={6} />}
        </div>
      )}
      {/* How tall what stands above it will be is known with its figures. */}
      {!own.isPending && <ByDay list={days} />}
    </section>
  );
}

function Figures({ own }: { own: Own }): ReactNode {
  const waiting = own.waitingCents > 0 ? `其中 ¥${yuan(own.waitingCents)} 在等待期内` : undefined;
  return (
    <StatCards
      stats={[
        {
          label: "可提现（元）",
          value: <Money cents={own.withdrawableCents} />,
          definition: "余额减去等待期内的分润；等待天数由服务商设置。余额为负时不能提现，以后的分润先补足。",
          ...(waiting && { more: waiting }),
        },
        { label: "余额（元）", value: <Money cents={own.balanceCents} />, definition: "累计分润 − 退款扣回 − 提现中 − 已提现。" },
        { label: "提现中（元）", value: <Money cents={own.frozenCents} />, definition: "已申请提现、还没有到账的金额。" },
        { label: "已提现（元）", value: <Money cents={own.paidCents} />, definition: "已经到账的金额，不含提现手续费。" },
        {
          label: "累计分润（元）",
          value: <Money cents={own.earnedCents} />,
          definition: "历次收款分得的金额，未减退款扣回。",
          more: `退款扣回 ¥${yuan(own.clawedCents)}`,
        },
      ]}
    />
  );
}

function Days({ own: { days } }: { own: Own }): ReactNode {
  if (days.every(({ earnedCents, clawedCents }) => earnedCents === 0 && clawedCents === 0)) return null;
  const best = days.reduce((most, one) => (one.netCents > most.netCents ? one : most));
  return (
    <div className="sheet">
      <Chart
        title={`近 30 天（截至昨天）${best.day.slice(5)} 分得最多`}
        kind="bar"
        unit="元"
        labels={days.map(({ day }) => day.slice(5))}
        series={[{ name: "净分润", values: days.map(({ netCents }) => netCents) }]}
        links={days.map((one) => linesOf(PATH, one))}
      />
    </div>
  );
}

const c = columns<RowOf<typeof listShareProfit>>();
const shown = [
  c.link("day", "日期", { to: (row) => linesOf(PATH, { day: row.day }) }, { width: 120, copy: false }),
  c.number("payCount", "支付笔数", { width: 92 }),
  c.money("paidCents", "实收（元）", { width: 132 }),
  c.money("refundCents", "退款（元）", { width: 124 }),
  c.money("differenceCents", "费率差（元）", { width: 120 }),
  c.money("ratioCents", "比例分润（元）", { width: 124 }),
  c.money("clawedCents", "退款扣回（元）", { width: 124 }),
  c.money("netCents", "净分润（元）", { width: 128, main: true }),
];
/** Each day's part; a day leads to its lines. */
function ByDay({ list }: { list: List<typeof listShareProfit> }): ReactNode {
  const sums = useSummary(summariseShareProfit, list.filters).data;
  const narrow = useNarrow();
  return (
    <section className="sheet own-days" aria-label="每日分润">
      <h2>每日分润</h2>
      <div className="filters">
        <DateRange of={list.range("from", "to")} label="日期" whole />
      </div>
      <div className="list-bar">
        <p className="totals">
          {sums && (
            <>
              <span>
                退款扣回{" "}
                <b>
                  <Money cents={sums.clawedCents} symbol />
                </b>
              </span>
              <span>
                净分润{" "}
                <b>
                  <Money cents={sums.netCents} symbol />
                </b>
              </span>
            </>
          )}
        </p>
        <div className="list-tools">
          <Export source="share-profit" title="每日分润" unit="天" list={list} columns={shown} />
        </div>
      </div>
      {list.loading ? (
        <Skeleton rows={5} />
      ) : list.error ? (
        <Failure error={list.error} retry={list.refresh} />
      ) : list.rows.length === 0 ? (
        <Empty drawing="ledger" text="这段时间没有分润" />
      ) : narrow ? (
        <CardRows label="每日分润" rows={list.rows} columns={shown} rowKey={(row) => row.id} />
      ) : (
        <DataTable label="每日分润" rows={list.rows} columns={shown} />
      )}
      {list.rows.length > 0 && <Pager list={list as unknown as List} unit="天" />}
    </section>
  );
}
