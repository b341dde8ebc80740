import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { SpanFilter } from "@zhangfang/web/filter/SpanFilter.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { type Span, useSpan } from "@zhangfang/web/list/address/use-span.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { opening } from "@zhangfang/web/list/table/opening.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { fanBy, type FanBy, fanPart, type FanPart, followWay, getFanFigures, listFollows } from "../contract/index.ts";
import { MemberLink, sourceOf } from "./FanParts.tsx";
import "./wechat.css";

type Answer = OutputOf<typeof getFanFigures>;
type Row = Answer["rows"][number];
const NAMES = ["merchantId", "storeId", "channelId", "way", "none", "appRow"] as const;
const count = (n: number): string => n.toLocaleString("en-US");
const share = (kept: number, of: number): string => (of === 0 ? "—" : `${((kept * 100) / of).toFixed(1)}%`);

/** 粉丝汇总, and under 明细 the follows that its figures are made of. Which of the two stands in the address. */
export function FansSummary(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  return view === "rows" ? <Follows /> : <Figures />;
}

function Figures(): ReactNode {
  const span = useSpan();
  const by = fanBy.values.find((one) => one === span.get("by")) ?? "day";
  const input = { from: span.from, to: span.to, by, ...Object.fromEntries(NAMES.map((name) => [name, span.get(name)])) };
  const figures = useQuery({
    queryKey: [getFanFigures.path, input],
    queryFn: ({ signal }) => call(getFanFigures, input as never, { signal }),
    placeholderData: keepPreviousData,
  });
  const mayExport = useAct(["/wxCRM/fansSummary/export"]);
  const shown = columnsOf(span, by);
  return (
    <section>
      <header className="screen-head">
        <h1>粉丝汇总</h1>
        <div className="screen-acts">
          <Segments label="汇总方式" set={fanBy} value={by} onChange={(one) => span.set({ by: one })} />
          {mayExport && figures.data && (
            <Export
              source="fan-figures"
              title="粉丝汇总"
              unit="行"
              list={{ filters: input as never, total: { count: figures.data.rows.length, more: figures.data.more } }}
              columns={shown}
            />
          )}
        </div>
      </header>
      <SpanFilter span={span} label="日期" choices={[{ name: "way", label: "来源", set: followWay }]} />
      {figures.error ? (
        <Failure error={figures.error as ApiError} retry={() => void figures.refetch()} />
      ) : !figures.data ? (
        <Skeleton rows={6} />
      ) : (
        <Shown answer={figures.data} span={span} by={by} shown={shown} />
      )}
    </section>
  );
}

/** The follows behind a figure of a row, or of all of them. */
function rowsOf(span: Span, by: FanBy, row: Row | undefined, part: FanPart): string {
  const common = Object.fromEntries(NAMES.map((name) => [name, span.get(name)]));
  return span.path({ ...common, view: "rows", by, part, ...(row && narrowed(by, row)) });
}
function narrowed(by: FanBy, { id, isWay }: Row): Readonly<Record<string, string>> {
  if (by === "day") return { from: id, to: id };
  if (id === "none") return { none: by };
  return by === "store" ? { storeId: id } : isWay ? { way: id } : { channelId: id };
}

function columnsOf(span: Span, by: FanBy) {
  const c = columns<Row>();
  const behind = (part: FanPart, of: (row: Row) => number) => (row: Row) => (of(row) === 0 ? undefined : rowsOf(span, by, row, part));
  const kept = (days: 7 | 30) => {
    const [of, still] = [`of${days}`, `kept${days}`] as [`of${typeof days}`, `kept${typeof days}`];
    return opening(
      c.text(still, `${days} 日留存`, (row) => share(row[still], row[of]), {
        width: 104,
        hint: `新增里，第 ${days} 天结束时还在关注的。不满 ${days} 天的新增不算`,
        note: (row) => row[of] > 0 && `${count(row[still])} / ${count(row[of])} 人`,
      }),
      behind(still, (row) => row[still]),
    );
  };
  return [
    c.text("name", fanBy.label(by).slice(1), { width: 168 }),
    opening(
      c.number("joined", "新增", { width: 76, main: true, hint: "当天结束时在关注，开始时没有" }),
      behind("joined", (row) => row.joined),
    ),
    opening(
      c.number("left", "取关", { width: 76, hint: "当天开始时在关注，结束时没有" }),
      behind("left", (row) => row.left),
    ),
    c.number("net", "净增", { width: 76, hint: "新增 − 取关" }),
    opening(
      c.number("total", "累计", { width: 88, hint: "结束时在关注的人" }),
      behind("total", (row) => row.total),
    ),
    opening(
      c.number("flash", "当日关注又取关", { width: 128, hint: "不算在新增和取关里" }),
      behind("flash", (row) => row.flash),
    ),
    kept(7),
    kept(30),
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
  by: FanBy;
  shown: ReturnType<typeof columnsOf>;
}): ReactNode {
  const to = (part: FanPart) => rowsOf(span, by, undefined, part);
  const nothing = total.total === 0 && total.joined === 0 && total.left === 0 && total.flash === 0;
  return (
    <>
      <StatCards
        stats={[
          { label: "新增（人）", value: count(total.joined), to: to("joined"), definition: "一天结束时在关注、开始时没有，各天相加" },
          { label: "取关（人）", value: count(total.left), to: to("left"), definition: "一天开始时在关注、结束时没有，各天相加" },
          { label: "当日关注又取关（人）", value: count(total.flash), to: to("flash"), definition: "不算在新增和取关里" },
          {
            label: "期末累计（人）",
            value: count(total.total),
            to: to("total"),
            definition: "期初累计 + 净增；净增 = 新增 − 取关",
            more: `净增 ${count(total.net)} 人`,
          },
          {
            label: "7 日留存",
            value: share(total.kept7, total.of7),
            to: to("kept7"),
            definition: "新增里，第 7 天结束时还在关注的。不满 7 天的新增不算",
            more: `${count(total.kept7)} / ${count(total.of7)} 人，30 日 ${share(total.kept30, total.of30)}`,
          },
        ]}
      />
      <div className="sheet fan-table">
        {nothing ? (
          <Empty drawing="ledger" text="这些天没有粉丝。接通公众号以后，谁关注了、谁走了都会数进来" />
        ) : (
          <>
            <DataTable label={fanBy.label(by)} rows={rows} columns={shown} />
            {more && <p className="note">这里是前 {rows.length} 行，全部请导出</p>}
            {by !== "day" && <p className="note">一次关注算在它最近扫的那个码上；没有扫码的按微信说的方式算</p>}
          </>
        )}
      </div>
    </>
  );
}

/** 粉丝明细. */
function Follows(): ReactNode {
  const { level } = useUser();
  const navigate = useNavigate();
  const list = useList(listFollows, { defaults: { from: daysAgo(29), to: today(), part: "joined", by: "day" } });
  const own = level === "MCH";
  const c = columns<RowOf<typeof listFollows>>();
  return (
    <ListScreen
      title="粉丝明细"
      unit="人次"
      list={list}
      actions={<Button onClick={() => void navigate(`/wxCRM/fansSummary?${backOf(list.filters)}`)}>回到汇总</Button>}
      filters={
        <>
          <Choice of={list.field("part")} label="哪些" set={fanPart} />
          <DateRange of={list.range("from", "to")} label="日期" />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
        </>
      }
      moreFilters={<Choice of={list.field("way")} label="来源" set={followWay} />}
      onOpen={false}
      columns={[
        c.text("no", "粉丝", (row) => <span className="num">{row.no}</span>, { width: 104 }),
        c.text("fromAt", "关注时间", (row) => (row.fromAt ? <Time at={row.fromAt} /> : "接入以前"), { width: 168, sort: "-fromDay" }),
        c.time("toAt", "取关时间", { width: 168 }),
        c.text("channelName", "来源", sourceOf, { width: 176 }),
        c.text("storeName", "门店", { width: 144 }),
        c.text("memberNo", "会员", (row) => <MemberLink id={row.memberId} no={row.memberNo} />, { width: 128 }),
        c.text("appName", "公众号", { width: 136, hidden: own }),
        c.text("merchantName", "商户", { width: 136, hidden: own }),
      ]}
      empty={{ text: "没有这样的粉丝" }}
    />
  );
}
function backOf(filters: Readonly<Record<string, string | undefined>>): string {
  const words = new URLSearchParams();
  for (const name of ["from", "to", "by", "merchantId", "appRow"]) if (filters[name]) words.set(name, filters[name]);
  return words.toString();
}
