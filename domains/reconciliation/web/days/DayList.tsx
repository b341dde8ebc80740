import type { ReactNode } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import {
  billSource,
  type BillSource,
  dayState,
  fetchBill,
  isPlatform,
  listReconDays,
  setBillSettings,
  type SourceGroup,
  summariseReconDays,
} from "../../contract/index.ts";
import { SourceFilter } from "../SourceFilter.tsx";
import { wordsOf } from "../words.ts";
import { BillDrawer } from "../bills/BillDrawer.tsx";
import { ViewSwitch } from "../ViewSwitch.tsx";
import { DayDetail } from "./DayDetail.tsx";
import { MonthCalendar } from "./MonthCalendar.tsx";
import { SettingsDrawer } from "./SettingsDrawer.tsx";
import type { Day } from "./day.ts";
import "../reconciliation.css";

/** Whose month is shown where only the kind of source is chosen. */
const FIRST: Readonly<Record<SourceGroup, BillSource>> = { channel: "wechat", "group-buy": "dy", takeaway: "ele" };

/** 对账, day by day: both sides, what differs and what is closed; above them the month where one merchant is meant. */
export function DayList(): ReactNode {
  const list = useList(listReconDays, { defaults: { from: daysAgo(30), to: daysAgo(1) }, live_ms: 30_000 });
  const sums = useSummary(summariseReconDays, list.filters).data;
  const [bills, settings] = [usePanel("bills"), usePanel("settings")];
  const mayExport = useAct(["/reconciliation/bill/export"]);
  const { level } = useUser();
  const source = (list.filters["source"] ?? FIRST[(list.filters["group"] ?? "channel") as SourceGroup]) as BillSource;
  const words = wordsOf(source);
  const one = level === "MCH" || list.filters["merchantId"] !== undefined;
  return (
    <>
      <ListScreen
        title="对账"
        unit="天"
        list={list}
        tabs={{
          of: list.field("state"),
          set: dayState,
          counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
        }}
        filters={
          <>
            <DateRange of={list.range("from", "to")} label="账单日期" whole />
            <SourceFilter of={list} />
            <OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />
          </>
        }
        totals={
          sums && [
            [`${words.ours}净额`, <Money cents={(sums.ours.payCents - sums.ours.refundCents) as never} symbol />],
            [`${words.bill}净额`, <Money cents={(sums.bill.payCents - sums.bill.refundCents) as never} symbol />],
            ["应结算", <Money cents={sums.settledCents} symbol />],
            ["待处理差异", `${sums.openCount} 条`],
          ]
        }
        actions={<Acts onSettings={() => settings.open(list.filters["merchantId"] ?? "own")} onBills={() => bills.open()} />}
        {...(mayExport && { exportSource: "recon-days" })}
        columns={dayColumns(list.open, level !== "MCH")}
        empty={{
          text: "还没有对账。通道账单每天 10 点后自动获取，也可以现在获取或上传；团购和外卖每天凌晨自动对账。",
          action: (
            <Act of={fetchBill}>
              <Button tone="primary" onClick={() => bills.open()}>
                获取账单
              </Button>
            </Act>
          ),
        }}
      >
        {list.openId && <DayDetail id={list.openId} list={list} />}
        {bills.id && <BillDrawer preset={bills.id} merchantId={list.filters["merchantId"]} onClose={bills.close} onDone={list.refresh} />}
        {settings.id && (
          <SettingsDrawer merchantId={settings.id === "own" ? undefined : settings.id} source={source} onClose={settings.close} />
        )}
      </ListScreen>
      {one && (
        <MonthCalendar
          merchantId={list.filters["merchantId"]}
          source={source}
          {...(!isPlatform(source) && { onMissing: (day) => bills.open(day) })}
          onOpen={list.open}
        />
      )}
    </>
  );
}

function Acts({ onSettings, onBills }: { onSettings: () => void; onBills: () => void }): ReactNode {
  return (
    <>
      <ViewSwitch now="days" />
      <Act of={setBillSettings}>
        <Button onClick={onSettings}>对账设置</Button>
      </Act>
      <Act of={fetchBill}>
        <Button tone="primary" onClick={onBills}>
          获取账单
        </Button>
      </Act>
    </>
  );
}

function dayColumns(open: (id: string) => void, withMerchant: boolean): Column<Day>[] {
  const c = columns<Day>();
  return [
    c.link("day", "账单日期", (row) => open(row.id), { width: 124, sort: "day", copy: false }),
    ...(withMerchant ? [c.text("merchantName", "商户", { width: 140 })] : []),
    c.code("source", "来源", billSource, { width: 104 }),
    c.code("state", "状态", dayState, { width: 100 }),
    c.money("oursNet", "本地净额（元）", (row) => (row.ours.payCents - row.ours.refundCents) as never, {
      width: 132,
      hint: "团购是核销的用户实付减撤销，外卖是各项算得的收入减商家承担的退款",
    }),
    c.money("billNet", "通道净额（元）", (row) => (row.bill.payCents - row.bill.refundCents) as never, { width: 132 }),
    c.money("gap", "相差（元）", (row) => (row.bill.payCents - row.bill.refundCents - row.ours.payCents + row.ours.refundCents) as never, {
      width: 108,
    }),
    c.number("matchedCount", "一致", { width: 80 }),
    c.number("openCount", "待处理", { width: 80 }),
    c.number("differenceCount", "差异", { width: 80, hidden: true }),
    c.number("pending", "待结算（张）", (row) => row.platform?.pendingCount, {
      width: 104,
      hidden: true,
      hint: "已核销没有撤销，平台还没有给结算账单",
    }),
    c.money("settledCents", "应结算（元）", { width: 124 }),
    c.number("late", "关账后变动", (row) => row.platform?.lateCount || undefined, {
      width: 104,
      hint: "关账以后平台又给的、与关账时不同的记录；关账的数字不变",
    }),
    c.text("closedBy", "关账人", { width: 104 }),
    c.time("closedAt", "关账时间", { width: 168, hidden: true }),
  ];
}
