import "./points.css";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { listPointAdjustments, pointReason, summarisePoints, summaryBy } from "../contract/index.ts";

type Row = OutputOf<typeof summarisePoints>["rows"][number];
const todayNow = (): string => shanghaiDay(Date.now());
const count = (n: number): string => n.toLocaleString("zh-CN");

/** 积分汇总: what was issued, used and cleared, by day, store or reason, and what is outstanding. */
export function PointsSummary(): ReactNode {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const today = todayNow();
  const from = query.get("from") ?? addDays(today, -29);
  const to = query.get("to") ?? today;
  const by = summaryBy.values.find((one) => one === query.get("by")) ?? "day";
  const setAll = (values: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
    void navigate({ pathname, search: `?${query}` });
  };
  const [merchantId, storeId] = [query.get("merchantId") ?? undefined, query.get("storeId") ?? undefined];
  const where = { ...(merchantId && { merchantId }), ...(storeId && { storeId }) };
  const input = { from, to, by: by as CodeOf<typeof summaryBy>, ...where };
  const { level } = useUser();
  const summary = useQuery({
    queryKey: [summarisePoints.path, input],
    queryFn: () => call(summarisePoints, input),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <header className="screen-head">
        <h1>积分汇总</h1>
        <div className="screen-acts">
          {level === "SP" && (
            <OrgPicker
              level="merchantId"
              value={merchantId}
              placeholder="全部商户"
              onChange={(id) => setAll({ merchantId: id, storeId: undefined })}
            />
          )}
          <OrgPicker level="storeId" value={storeId} within={where} placeholder="全部门店" onChange={(id) => setAll({ storeId: id })} />
          <Segments label="汇总方式" set={summaryBy} value={by} onChange={(one) => setAll({ by: one })} />
        </div>
      </header>
      <div className="sheet span-filter">
        <DateRange of={{ values: { from, to }, set: setAll }} label="日期" live />
      </div>
      {summary.error ? (
        <Failure error={summary.error as ApiError} retry={() => void summary.refetch()} />
      ) : !summary.data ? (
        <Skeleton rows={6} />
      ) : (
        <Figures answer={summary.data} input={input} />
      )}
    </section>
  );
}

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly by: CodeOf<typeof summaryBy>;
  readonly merchantId?: string;
  readonly storeId?: string;
}
/** Where what is behind a row stands: a day by its reasons, a store by its days, what somebody did by hand in its list. */
function behind({ id }: Row, { by, ...asked }: Asked, mayAdjusted: boolean): string | undefined {
  const at = (to: string, more: object): string =>
    `${to}?${new URLSearchParams({ ...asked, ...more } as Record<string, string>).toString()}`;
  if (by === "day") return at("/dataCentre/points", { from: id, to: id, by: "reason" });
  if (by === "store") return id === "none" ? undefined : at("/dataCentre/points", { storeId: id, by: "day" });
  const byHand = pointReason.values.some((reason) => reason === id);
  return byHand && mayAdjusted ? `/member/pointsAdd?reason=${id}&from=${asked.from}&to=${asked.to}` : undefined;
}

function shownColumns(input: Asked, mayAdjusted: boolean) {
  const c = columns<Row>();
  const { by } = input;
  return [
    c.text(
      "name",
      by === "day" ? "日期" : by === "store" ? "门店" : "原因",
      (row) => {
        const to = behind(row, input, mayAdjusted);
        return to === undefined ? (
          row.name
        ) : (
          <Link className="text-link" to={to}>
            {row.name}
          </Link>
        );
      },
      { width: 160 },
    ),
    c.number("issued", "发放", { width: 104 }),
    c.number("clawed", "退款扣回", { width: 104 }),
    c.number("used", "抵扣", { width: 104 }),
    c.number("back", "退回", { width: 104 }),
    c.number("cleared", "清零", { width: 104 }),
    c.number("adjusted", "手工和批量", { width: 112 }),
    c.number("net", "净变动", { width: 112 }),
  ];
}

function Figures({ answer, input }: { answer: OutputOf<typeof summarisePoints>; input: Asked }): ReactNode {
  const { by } = input;
  const mayExport = useAct(["/dataCentre/points/export"]);
  const shown = shownColumns(input, useAct(listPointAdjustments));
  return (
    <>
      <StatCards
        stats={[
          { label: "发放", value: count(answer.total.issued) },
          { label: "退款扣回", value: count(answer.total.clawed) },
          { label: "抵扣", value: count(answer.total.used - answer.total.back) },
          { label: "清零", value: count(answer.total.cleared) },
          { label: "手工和批量", value: count(answer.total.adjusted) },
          ...(answer.outstanding
            ? [
                {
                  label: "未用积分",
                  value: count(answer.outstanding.total),
                  definition: "现在可用、待入账和订单占用的积分，减去欠分；与会员账一致",
                },
              ]
            : []),
        ]}
      />
      <div className="sheet points-rows">
        {answer.rows.length === 0 ? (
          <Empty drawing="ledger" text="这些天没有积分变动" />
        ) : (
          <>
            {mayExport && (
              <div className="points-file">
                <Export
                  source="points-summary"
                  title="积分汇总"
                  unit="行"
                  list={{ filters: { ...input }, total: { count: answer.rows.length, more: false } }}
                  columns={shown}
                />
              </div>
            )}
            <DataTable label={summaryBy.label(by)} rows={answer.rows} columns={shown} />
          </>
        )}
      </div>
    </>
  );
}
