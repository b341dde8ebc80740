import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { changeText } from "@zhangfang/web/show/figures/StatCards.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { channelName, payWallet } from "../../../channels/contract.ts";
import {
  type Dimension,
  dimension,
  dimensionsOf,
  explainPayStatistics,
  type Figures,
  metric,
  metricDefinition,
  type TakingsMetric,
  type ValueMetric,
} from "../../contract/index.ts";
import { Bars, shareWords } from "../Bars.tsx";
import { WALLET_COLOURS } from "../overview/wallet-colours.ts";
import { changeOf, spanWords } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import { againstWords, showsValue } from "./ReportFigures.tsx";
import type { Report } from "./ReportFilters.tsx";
import { drillOf } from "./drill-of.ts";

type Explained = OutputOf<typeof explainPayStatistics>;

/** One row taken apart: what the net is made of, how was paid, and refunds of earlier days beside what they undo. */
export function FigureDrawer({ list }: { list: Report }): ReactNode {
  const row = list.rows.find(({ id }) => id === list.openId);
  const held = Object.fromEntries(
    ["against", "beforeFrom", "beforeTo"].flatMap((name) => (list.filters[name] ? [[name, list.filters[name]]] : [])),
  );
  // A day alone is held against another day, not against what its span is held against.
  const explained = useDetail(explainPayStatistics, row && { ...(row.filter as { from: string; to: string }), ...held });
  if (!row) return <NotHere list={list} />;
  const words = list.filters["against"] ? againstWords(list.filters["against"]) : undefined;
  return (
    <DetailDrawer
      title={row.splitName === null ? row.name : `${row.name} · ${row.splitName}`}
      of={explained}
      onClose={list.close}
      extra={<Neighbours of={list} />}
    >
      {(of) => (
        <>
          <HeroLine
            label={metric.label("netCents")}
            amount={of.current.netCents}
            status={<span className="note num">{spanWords(of.span)}</span>}
          />
          <Further list={list} filter={row.filter} />
          <Composition of={of} words={words} />
          <Turnover of={of} filter={row.filter} />
          <Shares of={of} />
          <Late late={of.late} ofGoods={row.filter["product"] !== undefined} />
        </>
      )}
    </DetailDrawer>
  );
}

/** An address that names a row of another page, of another filter or of other figures. */
function NotHere({ list }: { list: Report }): ReactNode {
  if (list.openId === undefined || list.loading || list.refreshing || list.error) return null;
  return (
    <Drawer title="统计明细" onClose={list.close}>
      <Empty drawing="search" text="这一行不在当前页：筛选、排序、页码或每页条数与打开它时不同，或数据已有变化。请在列表中重新打开。" />
    </Drawer>
  );
}

const PARTS: readonly (readonly [sign: string, name: keyof Figures])[] = [
  ["", "grossCents"],
  ["−", "discountCents"],
  ["−", "storedCents"],
  ["=", "paidCents"],
  ["−", "refundCents"],
  ["−", "feeCents"],
  ["+", "refundFeeCents"],
  ["=", "netCents"],
];
/** From what was asked to what is left, line by line; each line opens its rows. */
function Composition({ of, words }: { of: Explained; words: string | undefined }): ReactNode {
  const to = useDrill();
  const [pay, refund] = [to(of.drill.pay), to(of.drill.refund)];
  return (
    <Group title="金额构成">
      <table className="table table-compact composition" aria-label="金额构成">
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col" className="at-right">
              金额（元）
            </th>
            {of.before && (
              <th scope="col" className="at-right">
                {words}（元）
              </th>
            )}
            {of.before && (
              <th scope="col" className="at-right">
                变化
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {PARTS.map(([sign, name]) => (
            <tr key={name} className={sign === "=" ? "composition-sum" : undefined}>
              <th scope="row">
                <span className="composition-sign" aria-hidden="true">
                  {sign}
                </span>
                {metric.label(name)}
                <Hint of={metric.label(name)} text={metricDefinition[name]} />
              </th>
              <td className="at-right num">
                <Rows to={name.startsWith("refund") ? refund : name === "netCents" ? undefined : pay}>
                  <Money cents={of.current[name] as Figures["paidCents"]} />
                </Rows>
              </td>
              {of.before && (
                <td className="at-right num">
                  <Money cents={of.before[name] as Figures["paidCents"]} />
                </td>
              )}
              {of.before && <td className="at-right num">{changeText(changeOf(of.current[name] ?? 0, of.before[name] ?? 0))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note num">
        <Rows to={pay}>支付 {of.current.payCount.toLocaleString("en-US")} 笔</Rows> ·{" "}
        <Rows to={refund}>退款 {of.current.refundCount.toLocaleString("en-US")} 笔</Rows>
      </p>
    </Group>
  );
}
type Line = readonly [sign: string, name: string, value: Cents, more?: { readonly hint?: string; readonly to?: string | undefined }];
/** 营业额 beside 实收: what was sold beforehand is none yet, what of it was used is. Only where there was any. */
function Turnover({ of, filter }: { of: Explained; filter: Readonly<Record<string, string>> }): ReactNode {
  const to = useDrill();
  const { current } = of;
  if (!showsValue(current) || current.turnoverCents === null) return null;
  const line = (sign: string, name: TakingsMetric | ValueMetric): Line => [
    sign,
    metric.label(name),
    (current[name] ?? 0) as Cents,
    { hint: metricDefinition[name], to: to(drillOf(name, { drill: of.drill, filter })) },
  ];
  const used = (current.consumedCents ?? 0) + (current.timesCents ?? 0);
  // Of what was sold as cards, levels and packages count as they are sold: what the other lines leave are times cards.
  const times = current.effectiveCents - current.rechargeCents + current.rechargeBackCents + used - current.turnoverCents;
  const lines: readonly Line[] = [
    line("", "paidCents"),
    line("−", "refundCents"),
    line("−", "rechargeCents"),
    line("+", "rechargeBackCents"),
    ["−", "售次卡的净收款", times as Cents],
    line("+", "consumedCents"),
    line("+", "timesCents"),
    ["=", metric.label("turnoverCents"), current.turnoverCents, { hint: metricDefinition.turnoverCents }],
    ...(current.balanceCents === null ? [] : [line("", "balanceCents")]),
  ];
  return (
    <Group title="营业额构成">
      <table className="table table-compact composition" aria-label="营业额构成">
        <tbody>
          {lines.map(([sign, name, value, { hint, to: rows } = {}]) => (
            <tr key={name} className={sign === "=" ? "composition-sum" : undefined}>
              <th scope="row">
                <span className="composition-sign" aria-hidden="true">
                  {sign}
                </span>
                {name}
                {hint && <Hint of={name} text={hint} />}
              </th>
              <td className="at-right num">
                <Rows to={value === 0 ? undefined : rows}>
                  <Money cents={value} />
                </Rows>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Group>
  );
}
const Rows = ({ to, children }: { to: string | undefined; children: ReactNode }): ReactNode =>
  to === undefined ? (
    children
  ) : (
    <Link className="figure-link" to={to}>
      {children}
    </Link>
  );

function Shares({ of }: { of: Explained }): ReactNode {
  const to = useDrill();
  if (of.wallets.length === 0) return null;
  return (
    <div className="statistics-halves">
      <Group title="钱包">
        <Bars
          label="按钱包"
          bars={of.wallets.map((one) => ({
            key: one.wallet,
            name: payWallet.label(one.wallet),
            cents: one.paidCents,
            beside: shareWords(one.rate),
            to: to(one.drill),
            colour: WALLET_COLOURS[one.wallet],
          }))}
        />
      </Group>
      <Group title="通道">
        <Bars
          label="按通道"
          bars={of.channels.map((one) => ({
            key: `${one.channel} ${one.wallet}`,
            name: channelName(one.channel, one.wallet),
            cents: one.paidCents,
            beside: shareWords(one.rate),
            to: to(one.drill),
          }))}
        />
      </Group>
    </div>
  );
}

/** Refunds that lessen these days though their orders were paid on earlier ones. */
function Late({ late, ofGoods }: { late: Explained["late"]; ofGoods: boolean }): ReactNode {
  const c = columns<Explained["late"]["rows"][number]>();
  if (late.count === 0) return null;
  return (
    <Group title={`跨期退款 ${late.count.toLocaleString("en-US")} 笔`}>
      <p className="note">
        订单在此前支付，退款在这段时间到账，共 <Money cents={late.refundCents} symbol />
        {ofGoods && "，只计退给所选商品的部分"}
        {late.count > late.rows.length && `；列出金额最大的 ${late.rows.length} 笔`}
      </p>
      <DataTable
        label="跨期退款"
        rows={late.rows}
        columns={[
          c.link(
            "orderNo",
            "原订单号",
            { to: (row) => `/dataCentre/payOrder?keyword=${row.orderNo}&id=${row.orderId}` },
            { width: 210, copy: false },
          ),
          c.text("storeName", "门店", { width: 110 }),
          c.time("paidAt", "支付时间", { width: 160 }),
          c.money("paidCents", "原实收（元）", { width: 110 }),
          c.time("finishedAt", "退款到账", { width: 160 }),
          c.money("refundCents", "退款（元）", { width: 110 }),
        ]}
      />
    </Group>
  );
}

const NEXT: readonly Dimension[] = ["day", "merchant", "store", "cashier", "device", "tool", "product"];
const FIXED: Readonly<Partial<Record<Dimension, string>>> = {
  merchant: "merchantId",
  store: "storeId",
  cashier: "cashierId",
  device: "deviceId",
  tool: "tool",
  product: "product",
};
/** The same row told apart by something else, one press away. */
function Further({ list, filter }: { list: Report; filter: Readonly<Record<string, string>> }): ReactNode {
  const { level } = useUser();
  const offered = NEXT.filter((one) => {
    if (!dimensionsOf(level ?? "").includes(one) || (one === "merchant" && filter["storeId"])) return false;
    return one === "day" ? filter["from"] !== filter["to"] : filter[FIXED[one] ?? ""] === undefined;
  });
  return (
    <p className="report-further">
      <span className="note">细分</span>
      {offered.map((by) => (
        <Button key={by} small onClick={() => list.setFilters({ ...filter, by, splitBy: undefined })}>
          按{levelWords(dimension.label(by))}
        </Button>
      ))}
    </p>
  );
}
