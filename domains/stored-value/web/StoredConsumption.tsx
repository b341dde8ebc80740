import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { FilterBar } from "@zhangfang/web/list/FilterBar.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { memberColumn, memberWords } from "../../members/web/index.ts";
import { valueCause } from "../../value-book/contract.ts";
import {
  adjustBalance,
  adjustKind,
  adjustReason,
  consumptionView,
  decideAdjust,
  listAdjusts,
  listMoves,
  moveReport,
  summariseConsumption,
  summariseMoves,
} from "../contract/index.ts";
import { AdjustBalanceDrawer } from "./AdjustBalanceDrawer.tsx";
import "./stored.css";

/** 储值消费: what was spent where of what was sold where, and every other change. */
export function StoredConsumption(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const report = moveReport.values.find((one) => one === query.get("report")) ?? "consumption";
  const view = query.get("view") === "moves" || query.has("report") ? report : "stores";
  const choose = (next: CodeOf<typeof consumptionView>): void => {
    for (const name of ["after", "page", "sort", "id", "keyword", "report"]) query.delete(name);
    query.set("view", next === "stores" ? "stores" : "moves");
    if (next !== "stores") query.set("report", next);
    setQuery(query);
  };
  const [adjusting, setAdjusting] = useState(false);
  const actions = (
    <>
      <Segments label="报表" set={consumptionView} value={view} onChange={choose} />
      <Act of={adjustBalance}>
        <Button onClick={() => setAdjusting(true)}>改余额</Button>
      </Act>
      {adjusting && <AdjustBalanceDrawer onClose={() => setAdjusting(false)} />}
    </>
  );
  return (
    <>
      <WaitingAdjusts />
      {view === "stores" ? <ByStores actions={actions} /> : <Moves key={view} actions={actions} report={view} />}
    </>
  );
}

const span = (): { from: string; to: string } => ({ from: daysAgo(29), to: today() });
function Moves({ actions, report }: { actions: ReactNode; report: CodeOf<typeof moveReport> }): ReactNode {
  const list = useList(listMoves, { defaults: report === "consumption" ? span() : { ...span(), report } });
  const sums = useSummary(summariseMoves, list.filters).data;
  const mayExport = useAct(["/dataCentre/cardConsumption/export"]);
  const { level } = useUser();
  const c = columns<RowOf<typeof listMoves>>();
  return (
    <ListScreen
      title="储值消费"
      unit="笔"
      list={list}
      actions={actions}
      totals={
        sums && [
          ["本金变动", <Money key="p" cents={sums.principalCents} symbol />],
          ["赠送变动（不可退）", yuan(sums.giftCents)],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="日期" live />
          <Keyword of={list.field("keyword")} label="会员" placeholder="会员号 / 手机号 / 订单号" />
          <OrgFilter of={list} levels={level === "SP" ? ["merchantId", "storeId"] : ["storeId"]} />
        </>
      }
      {...(mayExport && { exportSource: "stored-moves" })}
      columns={[
        c.time("at", "时间"),
        c.text("cause", "事由", (row) => valueCause.label(row.cause), { width: 104 }),
        memberColumn<RowOf<typeof listMoves>>(),
        c.text("memberNo", "会员号", { width: 120 }),
        c.text("storeName", "发生门店", { width: 120 }),
        c.text("soldStoreName", "售卡门店", { width: 120 }),
        c.money("principalCents", "本金（元）", { width: 108 }),
        c.money("giftCents", "赠送（元）", { width: 104 }),
        c.money("afterCents", "之后本金", { width: 108 }),
        c.money("giftAfterCents", "之后赠送", { width: 104 }),
        c.text("orderNo", "订单号", { width: 160 }),
      ]}
      onOpen={false}
      empty={{ text: `这段时间没有${moveReport.label(report)}` }}
    />
  );
}

type Pair = OutputOf<typeof summariseConsumption>["rows"][number];
function ByStores({ actions }: { actions: ReactNode }): ReactNode {
  // The filters are those of the rows behind the figures.
  const list = useList(listMoves, { defaults: span() });
  const { from, to, storeId, merchantId } = list.filters;
  const filter = { ...(from && { from }), ...(to && { to }), ...(storeId && { storeId }), ...(merchantId && { merchantId }) };
  const sums = useSummary(summariseConsumption, filter as never).data;
  const mayExport = useAct(["/dataCentre/cardConsumption/export"]);
  const { level } = useUser();
  const rows = (sums?.rows ?? []) as Pair[];
  const c = columns<Pair>();
  const behind = (row: Pair): string =>
    `/dataCentre/cardConsumption?${new URLSearchParams({ view: "moves", report: "consumption", storeId: row.storeId, soldStoreId: row.soldStoreId, from: from ?? "", to: to ?? "" }).toString()}`;
  const shown = [
    c.link("storeName", "消费门店", { to: behind }, { copy: false, width: 160 }),
    c.text("soldStoreName", "售卡门店", { width: 160 }),
    c.money("principalCents", "本金（元）", { width: 120 }),
    c.money("giftCents", "赠送（元，不可退）", { width: 140 }),
    c.number("count", "笔数", { width: 88 }),
  ];
  return (
    <section className="list" aria-label="储值消费">
      <header className="screen-head">
        <h1>储值消费</h1>
        <div className="screen-acts">{actions}</div>
      </header>
      <div className="sheet">
        <FilterBar
          list={list}
          filters={
            <>
              <DateRange of={list.range("from", "to")} label="日期" live />
              <OrgFilter of={list} levels={level === "SP" ? ["merchantId", "storeId"] : ["storeId"]} />
            </>
          }
          more={undefined}
        />
        <div className="stored-over">
          <p className="note">
            {from} 至 {to}，退款已减。合计本金 <Money cents={(sums?.principalCents ?? 0) as never} symbol />
            ，赠送 {yuan(sums?.giftCents ?? 0)}
            （不可退）。售卡门店欠消费门店本金，赠送由消费门店承担。
          </p>
          {mayExport && (
            <Export
              source="stored-consumption"
              title="门店消费汇总"
              unit="行"
              list={{ filters: filter, total: { count: rows.length, more: false } }}
              columns={shown}
            />
          )}
        </div>
        <DataTable label="门店消费汇总" rows={rows} blank={<p className="note">这段时间没有储值消费</p>} columns={shown} />
      </div>
    </section>
  );
}

function WaitingAdjusts(): ReactNode {
  const waiting = useDetail(listAdjusts, {}).data?.items ?? [];
  const [busy, run] = useRun([listAdjusts, listMoves, summariseMoves]);
  if (waiting.length === 0) return null;
  const decide = async (id: string, approve: boolean, words: string): Promise<void> => {
    if (!(await confirm(words, { ok: approve ? "通过" : "驳回", danger: approve }))) return;
    await run(async () => {
      await call(decideAdjust, { id, approve });
      success(approve ? "已生效" : "已驳回");
    });
  };
  return (
    <section className="sheet stored-waiting" aria-label="待审改余额">
      <h2 className="stored-title">待审改余额</h2>
      {waiting.map((one) => {
        const words = `会员 ${memberWords(one)} ${adjustKind.label(one.kind)} ${yuan(one.cents)} 元`;
        return (
          <p key={one.id}>
            {words} · {adjustReason.label(one.reason)} · {one.note} · {one.askedBy}{" "}
            {one.mayDecide ? (
              <Act of={decideAdjust}>
                <Button small busy={busy} onClick={() => void decide(one.id, false, `驳回：${words}？`)}>
                  驳回
                </Button>{" "}
                <Button small tone="danger" busy={busy} onClick={() => void decide(one.id, true, `通过：${words}？`)}>
                  通过
                </Button>
              </Act>
            ) : (
              <span className="note">待他人审核</span>
            )}
          </p>
        );
      })}
    </section>
  );
}
