import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { figuresBy, getCouponFigures } from "../../contract/index.ts";
import { counted } from "../campaigns/campaign-words.ts";
import "../coupons.css";

type Answer = OutputOf<typeof getCouponFigures>;
type Row = Answer["rows"][number];
type By = CodeOf<typeof figuresBy>;

/** 优惠券汇总: what was given out, used, cost and brought, by coupon, store or day. */
export function CouponSummary(): ReactNode {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const from = query.get("from") ?? daysAgo(29);
  const to = query.get("to") ?? today();
  const by = figuresBy.values.find((one) => one === query.get("by")) ?? "campaign";
  const setAll = (values: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
    void navigate({ pathname, search: `?${query}` });
  };
  const input = { from, to, by };
  const figures = useQuery({
    queryKey: [getCouponFigures.path, input],
    queryFn: ({ signal }) => call(getCouponFigures, input, { signal }),
    placeholderData: keepPreviousData,
  });
  const mayExport = useAct(["/dataCentre/coupon/export"]);
  const mayPrint = useAct(["/dataCentre/coupon/pdf"]);
  const shown = columnsOf(by, (figures.data?.total.providerCents ?? 0) !== 0);
  return (
    <section>
      <header className="screen-head">
        <h1>优惠券汇总</h1>
        <div className="screen-acts">
          <Segments label="汇总方式" set={figuresBy} value={by} onChange={(one) => setAll({ by: one })} />
          {mayPrint && figures.data && (
            <Button small onClick={() => printSheet(<Sheet answer={figures.data} by={by} from={from} to={to} />)}>
              打印 / 存 PDF
            </Button>
          )}
          {mayExport && figures.data && (
            <Export
              source="coupon-figures"
              title="优惠券汇总"
              unit="行"
              list={{ filters: input as never, total: { count: figures.data.rows.length, more: figures.data.more } }}
              columns={shown}
            />
          )}
        </div>
      </header>
      <div className="sheet span-filter">
        <DateRange of={{ values: { from, to }, set: setAll }} label="日期" live />
      </div>
      {figures.error ? (
        <Failure error={figures.error as ApiError} retry={() => void figures.refetch()} />
      ) : !figures.data ? (
        <Skeleton rows={6} />
      ) : (
        <Figures answer={figures.data} by={by} shown={shown} />
      )}
    </section>
  );
}

const rateOf = ({ received, receivedUsed }: Pick<Row, "received" | "receivedUsed">): string | null =>
  received === null || receivedUsed === null || received === 0 ? null : `${((receivedUsed / received) * 100).toFixed(1)}%`;
const ratioOf = ({ drivenCents, offCents }: Pick<Row, "drivenCents" | "offCents">): string | null =>
  offCents > 0 ? (drivenCents / offCents).toFixed(2) : null;

function columnsOf(by: By, shared: boolean) {
  const c = columns<Row>();
  const name = by === "day" ? "日期" : by === "store" ? "门店" : "券";
  return [
    by === "campaign"
      ? c.link("name", name, { to: (row) => `/dataCentre/couponDetail?campaignId=${row.id}` }, { width: 160, copy: false })
      : c.text("name", name, { width: 160 }),
    ...(by === "store"
      ? []
      : [
          c.number("issued", "发放", { width: 76 }),
          c.text("rate", "核销率", (row) => <span className="num">{rateOf(row)}</span>, {
            width: 88,
            hint: "这些天领的券里，到现在用掉的",
          }),
        ]),
    c.number("used", "核销", { width: 68 }),
    c.number("returned", "退回", { width: 68 }),
    ...(by === "store" ? [] : [c.number("expired", "过期", { width: 68 }), c.number("voided", "作废", { width: 68 })]),
    c.money("offCents", "成本（元）", { width: 112, hint: "核销抵扣的钱，减去退款退回的部分" }),
    ...(shared
      ? [c.money("providerCents", "服务商承担（元）", { width: 140, hint: "成本里服务商承担的，减去退款收回的；应付看补贴结算单" })]
      : []),
    c.number("orders", "用券订单", { width: 88 }),
    c.money("drivenCents", "带动消费（元）", { width: 120, hint: "用券订单减之前的钱，退掉的减去" }),
    c.text("ratio", "拉动比", (row) => <span className="num">{ratioOf(row)}</span>, { width: 80, hint: "带动消费 ÷ 成本" }),
    c.number("newOrders", "新客订单", { width: 88, hint: "顾客的第一单" }),
  ];
}

function Figures({ answer, by, shown }: { answer: Answer; by: By; shown: ReturnType<typeof columnsOf> }): ReactNode {
  const { total, rows, more, openCents, openCount } = answer;
  return (
    <>
      <StatCards
        stats={[
          ...(total.issued === null ? [] : [{ label: "发放（张）", value: counted(total.issued) }]),
          { label: "核销（张）", value: counted(total.used - total.returned), definition: "核销的减去整单退款退回的" },
          ...(total.received === null
            ? []
            : [{ label: "核销率", value: rateOf(total) ?? "—", definition: "这些天领的券里，到现在用掉的" }]),
          { label: "成本（元）", value: yuan(total.offCents) },
          { label: "带动消费（元）", value: yuan(total.drivenCents) },
          { label: "新客订单", value: counted(total.newOrders) },
          ...(openCount === null ? [] : [{ label: "在外（张）", value: counted(openCount), definition: "现在还能用和正在用的券" }]),
          ...(openCents === null
            ? []
            : [{ label: "敞口（元）", value: yuan(openCents), definition: "现在还没用的券，全部用掉时最多少收多少" }]),
        ]}
      />
      <div className="sheet coupon-table">
        {rows.length === 0 ? (
          <Empty drawing="ledger" text="这些天没有发过、用过券" />
        ) : (
          <>
            <DataTable label={figuresBy.label(by)} rows={rows} columns={shown} />
            {more && <p className="note">这里是前 {rows.length} 行，全部请导出</p>}
          </>
        )}
      </div>
    </>
  );
}

/** The same on A4. */
function Sheet({ answer: { total, rows }, by, from, to }: { answer: Answer; by: By; from: string; to: string }): ReactNode {
  const cells = (row: Answer["total"]): readonly string[] => [
    row.issued === null ? "—" : counted(row.issued),
    counted(row.used),
    counted(row.returned),
    row.expired === null ? "—" : counted(row.expired),
    yuan(row.offCents),
    yuan(row.drivenCents),
    rateOf(row) ?? "—",
  ];
  return (
    <article className="withdrawal-receipt">
      <h2>
        优惠券汇总 {figuresBy.label(by)} {from} 至 {to}
      </h2>
      <table>
        <thead>
          <tr>
            {["名称", "发放", "核销", "退回", "过期", "成本（元）", "带动消费（元）", "核销率"].map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.name}</th>
              {cells(row).map((cell, at) => (
                <td key={at} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">合计</th>
            {cells(total).map((cell, at) => (
              <td key={at} className="num">
                {cell}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </article>
  );
}
