import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { Link, useLocation } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { SpanFilter } from "@zhangfang/web/filter/SpanFilter.tsx";
import { type Span, useSpan } from "@zhangfang/web/list/address/use-span.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { opening } from "@zhangfang/web/list/table/opening.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { ImportDrawer } from "../../imports/web/index.ts";
import { goodsKind } from "../../platforms/contract/codes.ts";
import { type EntryPart, getGroupBuyFigures, type GroupBuyBy, groupBuyBy } from "../contract/index.ts";
import { useSources } from "./use-sources.ts";
import { GroupBuyEntries } from "./GroupBuyEntries.tsx";
import "./group-buy.css";

type Answer = OutputOf<typeof getGroupBuyFigures>;
type Row = Answer["rows"][number];

/** 团购券汇总, and under 明细 the entries that its figures are made of. Which of the two stands in the address. */
export function GroupBuySummary(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  return view === "entries" ? <GroupBuyEntries /> : <Figures />;
}

function Figures(): ReactNode {
  const span = useSpan();
  const by = groupBuyBy.values.find((one) => one === span.get("by")) ?? "platform";
  const [platform, kind, merchantId, storeId] = ["platform", "kind", "merchantId", "storeId"].map((name) => span.get(name));
  const input = { from: span.from, to: span.to, by, platform, kind, merchantId, storeId };
  const figures = useQuery({
    queryKey: [getGroupBuyFigures.path, input],
    queryFn: ({ signal }) => call(getGroupBuyFigures, input as never, { signal }),
    placeholderData: keepPreviousData,
  });
  const sources = useSources();
  const own = platform === "times" || platform === "coupon";
  const mayExport = useAct(["/dataCentre/groupBuy/export"]) && !own;
  const importing = usePanel("import");
  const shown = columnsOf(span, by);
  return (
    <section>
      <header className="screen-head">
        <h1>团购券汇总</h1>
        <div className="screen-acts">
          <Segments label="汇总方式" set={groupBuyBy} value={by} onChange={(one) => span.set({ by: one })} />
          <Act of={["/dataCentre/groupBuy/import"]}>
            <Button onClick={() => importing.open()}>导入核销表</Button>
          </Act>
          {mayExport && figures.data && (
            <Export
              source="group-buy-figures"
              title="团购券汇总"
              unit="行"
              list={{ filters: input as never, total: { count: figures.data.rows.length, more: figures.data.more } }}
              columns={shown}
            />
          )}
        </div>
      </header>
      <SpanFilter
        span={span}
        label="核销日"
        choices={[
          { name: "platform", label: "平台", set: sources },
          { name: "kind", label: "类型", set: goodsKind },
        ]}
      />
      {own && <p className="buy-note">这里是自家发的，没有平台来结算，也不在团购的合计里。</p>}
      {figures.error ? (
        <Failure error={figures.error as ApiError} retry={() => void figures.refetch()} />
      ) : !figures.data ? (
        <Skeleton rows={6} />
      ) : (
        <Shown answer={figures.data} span={span} by={by} shown={shown} />
      )}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="group-buy-vouchers" panel={importing} onMade={() => void figures.refetch()} />
        </Suspense>
      )}
    </section>
  );
}

/** The entries behind a row, or behind all of them. */
function rowsOf(span: Span, by: GroupBuyBy, row: Row | undefined, part: EntryPart | undefined): string {
  const common = Object.fromEntries(["platform", "kind", "merchantId", "storeId"].map((name) => [name, span.get(name)]));
  return span.path({ ...common, view: "entries", part, ...(row && narrowed(by, row.id)) });
}
function narrowed(by: GroupBuyBy, id: string): Readonly<Record<string, string>> {
  if (by === "day") return { from: id, to: id };
  if (by === "platform") return { platform: id };
  if (by === "kind") return id === "none" ? { none: "kind" } : { kind: id };
  return id === "none" ? { none: "store" } : { storeId: id };
}

function columnsOf(span: Span, by: GroupBuyBy) {
  const c = columns<Row>();
  const behind = (part?: EntryPart) => (row: Row) => rowsOf(span, by, row, part);
  const only = (part: EntryPart, count: (row: Row) => number) => (row: Row) => (count(row) === 0 ? undefined : behind(part)(row));
  return [
    c.text("name", groupBuyBy.label(by).slice(1), { width: 144 }),
    opening(
      c.number("used", "核销", { width: 76, note: (row) => row.external > 0 && `平台端 ${row.external}` }),
      only("used", (row) => row.used),
    ),
    opening(
      c.number("reversed", "撤销", { width: 68, hint: "按撤销那天算，可能是前几天核销的" }),
      only("reversed", (row) => row.reversed),
    ),
    opening(c.number("net", "净核销", { width: 80 }), behind()),
    opening(c.money("faceCents", "券面值（元）", { width: 112, hidden: true }), behind()),
    opening(c.money("payCents", "用户实付（元）", { width: 108, hint: "顾客买券付的钱，核销减撤销" }), behind()),
    opening(c.money("merchantTicketCents", "商家补贴（元）", { width: 108 }), behind()),
    opening(c.money("platformTicketCents", "平台补贴（元）", { width: 108 }), behind()),
    opening(c.money("expectedFeeCents", "预计佣金（元）", { width: 108, hidden: true }), behind()),
    opening(c.money("expectedCents", "预计收入（元）", { width: 108, main: true, hint: "用户实付 + 平台补贴 − 预计佣金" }), behind()),
    opening(
      c.money("feeCents", "实际佣金（元）", { width: 108, hint: "账单里的手续费、达人、机构、服务商、平台服务费和代运营" }),
      behind("settled"),
    ),
    opening(c.money("settledCents", "结算收入（元）", { width: 108, hint: "账单里付给商家的货款" }), behind("settled")),
    opening(
      c.money("pendingCents", "待结算（元）", {
        width: 112,
        hint: "核销了、没撤销、账单里还没有的，按预计收入算",
        note: (row) => row.pending > 0 && `${row.pending} 张`,
      }),
      only("pending", (row) => row.pending),
    ),
    opening(
      c.number("uneven", "账单内不平", { width: 104, hint: "账单一行的总额减佣金，不等于它付的货款" }),
      only("uneven", (row) => row.uneven),
    ),
  ];
}

function Shown({
  answer: { total, rows, more },
  span,
  by,
  shown,
}: {
  answer: Answer;
  span: Span;
  by: GroupBuyBy;
  shown: ReturnType<typeof columnsOf>;
}): ReactNode {
  const to = (part?: EntryPart) => rowsOf(span, by, undefined, part);
  return (
    <>
      <StatCards
        stats={[
          { label: "净核销（张）", value: total.net.toLocaleString("en-US"), to: to(), definition: "核销减撤销，各按自己那天算" },
          { label: "用户实付（元）", value: yuan(total.payCents), to: to() },
          { label: "预计收入（元）", value: yuan(total.expectedCents), to: to(), definition: "用户实付 + 平台补贴 − 预计佣金" },
          { label: "结算收入（元）", value: yuan(total.settledCents), to: to("settled"), definition: "账单里付给商家的货款" },
          { label: "实际佣金（元）", value: yuan(total.feeCents), to: to("settled") },
          { label: "待结算（元）", value: yuan(total.pendingCents), to: to("pending"), more: `${total.pending} 张等结算单` },
        ]}
      />
      {total.uneven > 0 && (
        <p className="buy-note">
          <Link to={to("uneven")}>{total.uneven} 行账单内不平，结算收入按平台写的算，没有改</Link>
        </p>
      )}
      <div className="sheet buy-table">
        {rows.length === 0 ? (
          <Empty drawing="ledger" text="这些天没有核销过团购券。没有接口的平台，导入它的核销表就有了" />
        ) : (
          <>
            <DataTable label={groupBuyBy.label(by)} rows={rows} columns={shown} />
            {more && <p className="note">这里是前 {rows.length} 行，全部请导出</p>}
          </>
        )}
      </div>
    </>
  );
}
