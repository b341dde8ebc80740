import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { Link, useLocation } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
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
import { getTakeawayFigures, type TakeawayBy, takeawayBy, takeawayDay, takeawayPlatform } from "../contract/index.ts";
import { AccountDrawer } from "./AccountDrawer.tsx";
import { UnfetchedDrawer } from "./UnfetchedDrawer.tsx";
import { TakeawayOrders } from "./TakeawayOrders.tsx";
import "./takeaway.css";

type Answer = OutputOf<typeof getTakeawayFigures>;
type Row = Answer["rows"][number];

/** 外卖汇总, and under 订单 the rows that its figures are made of. Which of the two stands in the address. */
export function TakeawaySummary(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  return view === "orders" ? <TakeawayOrders /> : <Figures />;
}

function Figures(): ReactNode {
  const span = useSpan();
  const by = takeawayBy.values.find((one) => one === span.get("by")) ?? "platform";
  const dayOf = takeawayDay.values.find((one) => one === span.get("dayOf")) ?? "placed";
  const [platform, merchantId, storeId] = ["platform", "merchantId", "storeId"].map((name) => span.get(name));
  const input = { from: span.from, to: span.to, by, dayOf, platform, merchantId, storeId };
  const figures = useQuery({
    queryKey: [getTakeawayFigures.path, input],
    queryFn: ({ signal }) => call(getTakeawayFigures, input as never, { signal }),
    placeholderData: keepPreviousData,
  });
  const mayExport = useAct(["/dataCentre/takeaway/export"]);
  const [importing, account, unfetched] = [usePanel("import"), usePanel("account"), usePanel("unfetched")];
  // A provider sets that of a merchant it has chosen.
  const { level } = useUser();
  const mayKeys = useAct(["/dataCentre/takeaway/account"]);
  const mayAccount = mayKeys && (level === "MCH" || merchantId !== undefined);
  const shown = columnsOf(span, by, (figures.data?.total.odd ?? 0) > 0);
  return (
    <section>
      <header className="screen-head">
        <h1>外卖汇总</h1>
        <div className="screen-acts">
          <Segments label="汇总方式" set={takeawayBy} value={by} onChange={(one) => span.set({ by: one })} />
          <Segments label="日期" set={takeawayDay} value={dayOf} onChange={(one) => span.set({ dayOf: one })} />
          {mayAccount && <Button onClick={() => account.open()}>平台账户</Button>}
          <Act of={["/dataCentre/takeaway/import"]}>
            <Button onClick={() => importing.open()}>导入订单表</Button>
          </Act>
          {mayExport && figures.data && (
            <Export
              source="takeaway-figures"
              title="外卖汇总"
              unit="行"
              list={{ filters: input as never, total: { count: figures.data.rows.length, more: figures.data.more } }}
              columns={shown}
            />
          )}
        </div>
      </header>
      <SpanFilter span={span} label={takeawayDay.label(dayOf)} choices={[{ name: "platform", label: "平台", set: takeawayPlatform }]} />
      {figures.error ? (
        <Failure error={figures.error as ApiError} retry={() => void figures.refetch()} />
      ) : !figures.data ? (
        <Skeleton rows={6} />
      ) : (
        <Shown answer={figures.data} span={span} by={by} shown={shown} {...(mayKeys && { onUnfetched: () => unfetched.open() })} />
      )}
      {account.id && mayAccount && <AccountDrawer merchantId={level === "MCH" ? undefined : merchantId} onClose={account.close} />}
      {unfetched.id && mayKeys && <UnfetchedDrawer merchantId={merchantId} own={level === "MCH"} onClose={unfetched.close} />}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="takeaway-orders" panel={importing} onMade={() => void figures.refetch()} />
        </Suspense>
      )}
    </section>
  );
}

/** The orders behind a row, or behind all of them. */
function rowsOf(span: Span, by: TakeawayBy, row: Row | undefined, part: string): string {
  const common = Object.fromEntries(["platform", "dayOf", "merchantId", "storeId"].map((name) => [name, span.get(name)]));
  const narrowed =
    row === undefined
      ? {}
      : by === "platform"
        ? { platform: row.id }
        : by === "day"
          ? { from: row.id, to: row.id }
          : row.id === "none"
            ? { mapped: "none" }
            : { storeId: row.id };
  return span.path({ ...common, view: "orders", part, ...narrowed });
}

/** What belongs together stands in one column, and what a card above explains is not explained again: at 1280 no figure lies outside. @param uneven whether any income is */
function columnsOf(span: Span, by: TakeawayBy, uneven: boolean) {
  const c = columns<Row>();
  const behind = (part: string) => (row: Row) => rowsOf(span, by, row, part);
  const only = (part: string, count: (row: Row) => number) => (row: Row) => (count(row) === 0 ? undefined : behind(part)(row));
  const counted = behind("counted");
  return [
    c.text("name", by === "platform" ? "平台" : by === "store" ? "门店" : "日期", { width: 116 }),
    opening(c.number("orders", "单数", { width: 60 }), counted),
    opening(
      c.number("cancelled", "取消", { width: 68, hint: "已取消的单，不在其他数里" }),
      only("cancelled", (row) => row.cancelled),
    ),
    opening(
      c.money("originalCents", "原价（元）", {
        width: 108,
        hint: "平台给的订单原价，含餐盒和配送费",
        note: (row) => (
          <>
            餐盒 {yuan(row.packageCents)}
            <br />
            配送 {yuan(row.deliveryCents)}
          </>
        ),
      }),
      counted,
    ),
    opening(c.money("packageCents", "餐盒（元）", { width: 96, hidden: true }), counted),
    opening(c.money("deliveryCents", "配送费（元）", { width: 104, hidden: true }), counted),
    opening(
      c.money("shopOffCents", "商家活动（元）", {
        width: 108,
        note: (row) => `平台 ${yuan(row.platformOffCents)}`,
      }),
      counted,
    ),
    opening(c.money("platformOffCents", "平台活动（元）", { width: 120, hidden: true, hint: "优惠里平台出的钱" }), counted),
    opening(
      c.money("paidCents", "用户实付（元）", {
        width: 108,
        note: (row) => row.averageCents !== null && `每单 ${yuan(row.averageCents)}`,
      }),
      counted,
    ),
    opening(c.money("feeCents", "服务费（元）", { width: 88 }), counted),
    opening(c.money("incomeCents", "预计收入（元）", { width: 108, main: true }), counted),
    opening(
      c.money("refundCents", "退款（元）", { width: 84 }),
      only("refunded", (row) => row.refundCents),
    ),
    opening(c.money("netCents", "净收入（元）", { width: 96 }), counted),
    c.money("averageCents", "客单价（元）", { width: 104, hidden: true, hint: "用户实付 ÷ 单数" }),
    opening(
      c.number("odd", "收入不平", { width: 92, hidden: !uneven, hint: "平台给的收入和它的各项算不拢" }),
      only("odd", (row) => row.odd),
    ),
  ];
}

function Shown({
  answer: { total, rows, more, unmapped, waiting, unfetched },
  span,
  by,
  shown,
  onUnfetched,
}: {
  answer: Answer;
  span: Span;
  by: TakeawayBy;
  shown: ReturnType<typeof columnsOf>;
  /** Opens what was not fetched; nothing for whoever may not. */
  onUnfetched?: () => void;
}): ReactNode {
  const counted = rowsOf(span, by, undefined, "counted");
  const mayMap = useAct(["/store/other"]);
  const opens = (words: string): ReactNode =>
    onUnfetched ? (
      <Button tone="link" onClick={onUnfetched}>
        {words}
      </Button>
    ) : (
      words
    );
  const unmappedWords = `${unmapped} 家平台门店还没映射到本店`;
  return (
    <>
      <StatCards
        stats={[
          { label: "单数", value: total.orders.toLocaleString("en-US"), to: counted },
          { label: "用户实付（元）", value: yuan(total.paidCents), to: counted },
          { label: "预计收入（元）", value: yuan(total.incomeCents), to: counted, definition: "平台说会付给商家的钱，结算以账单为准" },
          { label: "退款（元）", value: yuan(total.refundCents), to: rowsOf(span, by, undefined, "refunded") },
          { label: "净收入（元）", value: yuan(total.netCents), to: counted, definition: "预计收入减去商家承担的退款" },
          { label: "客单价（元）", value: total.averageCents === null ? "—" : yuan(total.averageCents), definition: "用户实付 ÷ 单数" },
          { label: "取消（单）", value: total.cancelled.toLocaleString("en-US"), to: rowsOf(span, by, undefined, "cancelled") },
        ]}
      />
      {(total.odd > 0 || unmapped > 0 || waiting > 0 || unfetched > 0) && (
        <ul className="takeaway-notes">
          {total.odd > 0 && (
            <li>
              <Link to={rowsOf(span, by, undefined, "odd")}>{total.odd} 单收入和它的各项算不拢，收入按平台给的算</Link>
            </li>
          )}
          {unmapped > 0 && <li>{mayMap ? <Link to="/store/other?state=waiting">{unmappedWords}，去映射</Link> : unmappedWords}</li>}
          {waiting > 0 && <li>{opens(`${waiting} 单平台通知了，正在取`)}</li>}
          {unfetched > 0 && <li>{opens(`${unfetched} 单平台通知了，没有取到，不在汇总里`)}</li>}
        </ul>
      )}
      <div className="sheet takeaway-table">
        {rows.length === 0 ? (
          <Empty drawing="ledger" text="这些天没有外卖订单。接上平台账号，或导入平台的订单表" />
        ) : (
          <>
            <DataTable label={takeawayBy.label(by)} rows={rows} columns={shown} />
            {more && <p className="note">这里是前 {rows.length} 行，全部请导出</p>}
          </>
        )}
      </div>
    </>
  );
}
