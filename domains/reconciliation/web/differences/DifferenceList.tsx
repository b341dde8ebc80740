import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { ImportDrawer } from "../../../imports/web/index.ts";
import {
  billSource,
  differenceClass,
  differenceHint,
  differenceKind,
  differenceStatus,
  type DifferenceStatus,
  listDifferences,
  platformClass,
  proposeWriteOff,
  resolution,
  summariseDifferences,
} from "../../contract/index.ts";
import { SourceFilter } from "../SourceFilter.tsx";
import { ViewSwitch } from "../ViewSwitch.tsx";
import { classesOf } from "../words.ts";
import { BatchActs } from "./BatchActs.tsx";
import { DifferenceDetail } from "./DifferenceDetail.tsx";
import { ResolvePanels } from "./ResolvePanels.tsx";
import { useSeen } from "@zhangfang/web/list/batch/use-seen.ts";
import type { Difference } from "./difference.ts";
import "../reconciliation.css";

const defaults = (): Record<"from" | "to" | "status", string> => ({ from: daysAgo(30), to: daysAgo(1), status: "open" });

/** 对账差异: ours beside the channel's, by class; repaired, written off by two, linked, or given to somebody to look for. */
export function DifferenceList(): ReactNode {
  const base = useList(listDifferences, { defaults: defaults() });
  // Which view it is stands among the filters of the address: taking them away must not lead back to the days.
  const list = {
    ...base,
    reset: () =>
      base.setFilters({
        ...Object.fromEntries(Object.keys(base.filters).flatMap((name) => (name === "view" ? [] : [[name, undefined]]))),
        ...defaults(),
      }),
  };
  const seen = useSeen(list.rows);
  const sums = useSummary(summariseDifferences, list.filters).data;
  const [writeOff, decide, unknown, link] = [usePanel("write-off"), usePanel("decide"), usePanel("unknown"), usePanel("link")];
  const sheet = usePanel("import");
  const mayResolve = useAct(proposeWriteOff);
  const { level } = useUser();
  return (
    <ListScreen
      title="对账差异"
      unit="条"
      list={list}
      exportSource="recon-differences"
      tabs={{
        of: list.field("class"),
        set: (list.filters["group"] ?? "channel") === "channel" ? differenceClass : platformClass,
        counts: sums && Object.fromEntries(sums.perClass.map((one) => [one.class, one.count])),
      }}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="账单日期" whole />
          <Choice of={list.field("status")} label="状态" set={differenceStatus} />
          <Keyword of={list.field("keyword")} label="单号" placeholder="订单、退款、通道单号或券号" />
          <OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />
        </>
      }
      moreFilters={
        <>
          <SourceFilter of={list} />
          <Choice of={list.field("resolution")} label="处理方式" set={resolution} />
        </>
      }
      totals={sums && totalsOf(sums)}
      actions={
        <>
          <ViewSwitch now="differences" />
          {mayResolve && <Button onClick={() => sheet.open()}>导入处理结果</Button>}
        </>
      }
      columns={differenceColumns(list.open, level !== "MCH")}
      {...(mayResolve && {
        batch: (selection) => <BatchActs selection={selection} seen={seen} panels={{ writeOff, decide, unknown }} onDone={list.refresh} />,
      })}
      empty={{ text: "没有待处理的差异", action: <Button onClick={() => list.setFilters({ status: undefined })}>看全部差异</Button> }}
    >
      {list.openId && <DifferenceDetail id={list.openId} list={list} panels={{ writeOff, decide, unknown, link }} />}
      {sheet.id && <ImportDrawer source="recon-resolutions" panel={sheet} onMade={list.refresh} />}
      <ResolvePanels panels={{ writeOff, decide, unknown, link }} seen={seen} />
    </ListScreen>
  );
}

function totalsOf({ perClass, perStatus }: OutputOf<typeof summariseDifferences>) {
  const gap = perClass.reduce((all, one) => all + one.gapCents, 0);
  const count = (of: DifferenceStatus): string => `${perStatus.find(({ status }) => status === of)?.count ?? 0} 条`;
  return [
    ["相差", <Money cents={gap as never} sign symbol />],
    ["待处理", count("open")],
    ["待复核", count("proposed")],
  ] as const;
}

function differenceColumns(open: (id: string) => void, withMerchant: boolean): Column<Difference>[] {
  const c = columns<Difference>();
  return [
    c.link("number", "单号", (row) => open(row.id), { width: 264 }),
    c.text("day", "账单日期", { width: 108, sort: "day" }),
    ...(withMerchant ? [c.text("merchantName", "商户", { width: 128 })] : []),
    c.code("kind", "类型", differenceKind, { width: 68 }),
    c.text("class", "差异", (row) => <StatusTag of={classesOf(row.source)} code={row.class} />, { width: 124 }),
    c.money("ours", "本地（元）", (row) => row.ours?.cents, { width: 108 }),
    c.money("bill", "通道（元）", (row) => row.bill?.cents, { width: 108 }),
    c.money("gapCents", "相差（元）", { width: 104 }),
    c.code("status", "状态", differenceStatus, { width: 88 }),
    c.code("resolution", "处理方式", resolution, { width: 128, hidden: true }),
    c.text("hint", "说明", (row) => row.reason ?? row.answer ?? (row.hint ? differenceHint.label(row.hint) : null), { width: 200 }),
    c.text("storeName", "门店", { width: 120, hidden: true }),
    c.code("source", "来源", billSource, { width: 104 }),
    c.text("resolvedBy", "处理人", { hidden: true }),
  ];
}
