import type { ReactNode } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { AmountRange } from "@zhangfang/web/filter/AmountRange.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { WhichMoment } from "../../orders/web/index.ts";
import {
  listShares,
  missedFilter,
  sendShare,
  setSharingRule,
  sharingDateOf,
  sharingKind,
  shareViews,
  sharingStatus,
  summariseShares,
} from "../contract/index.ts";
import { shareColumns } from "./share-columns.tsx";
import { FinishSharing, RetryShare } from "./ShareActs.tsx";
import { ShareDetail } from "./ShareDetail.tsx";
import { countsOf, type Share } from "./shared.ts";
import { SendShareDrawer } from "./SendShareDrawer.tsx";
import { SharingSetup } from "./setup/SharingSetup.tsx";

/** 分账记录: every share in sight, newest first; one that waits is sent from here, a failed one again, and what is left let go. */
export function ShareList(): ReactNode {
  const list = useList(listShares, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000, views: shareViews });
  const sums = useSummary(summariseShares, list.filters).data;
  const mayExport = useAct(["/dataCentre/sharing/export"]);
  const send = usePanel("send");
  const setup = usePanel("setup");
  const { level } = useUser();
  const acts = (row: Share, tone: "link" | "danger"): ReactNode => (
    <>
      {row.sendable && (
        <Act of={sendShare}>
          <Button tone={tone === "link" ? "link" : "primary"} onClick={() => send.open(row.id)}>
            分账
          </Button>
        </Act>
      )}
      <RetryShare share={row} tone={tone} />
      {tone === "danger" && <FinishSharing share={row} />}
    </>
  );
  return (
    <ListScreen
      title="分账记录"
      unit="笔"
      list={list}
      tabs={{ of: list.field("status"), set: sharingStatus, counts: countsOf(sums?.perStatus) }}
      filters={
        <>
          <DateRange
            of={list.range("from", "to")}
            label={sharingDateOf.label(list.filters["dateOf"] === "shared" ? "shared" : "created")}
          />
          <Keyword of={list.field("keyword")} label="单号" placeholder="分账/订单号" />
          <OrgFilter of={list} />
        </>
      }
      moreFilters={
        <>
          <WhichMoment of={list.field("dateOf")} set={sharingDateOf} />
          <Choice of={list.field("kind")} label="类型" set={sharingKind} />
          <Choice of={list.field("missed")} label="到账" set={missedFilter} />
          <AmountRange of={list.range("minCents", "maxCents")} label="分账金额" />
        </>
      }
      totals={
        sums && [
          ["分账", <Money cents={sums.amountCents} symbol />],
          ["已分", <Money cents={sums.sharedCents} symbol />],
          ["未到账", <Money cents={sums.failedCents} symbol />],
          ["已回退", <Money cents={sums.returnedCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "profit-sharing" })}
      actions={
        <Act of={setSharingRule}>
          <Button onClick={() => setup.open()}>分账设置</Button>
        </Act>
      }
      columns={shareColumns({ open: list.open, withMerchant: level !== "MCH", acts: (row) => acts(row, "link") })}
      empty={{
        text: "近 7 天没有分账。开启商户配置里的「开启分账」，并在分账设置里选好规则后，新的支付会在这里出现",
        action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button>,
      }}
    >
      <ShareDetail list={list} acts={(share) => acts(share, "danger")} />
      {send.id && <SendShareDrawer id={send.id} onClose={send.close} />}
      {setup.id && <SharingSetup merchantId={list.filters["merchantId"] as string | undefined} onClose={setup.close} />}
    </ListScreen>
  );
}
