import type { ReactNode } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OWNERS, SELLERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { decideRefundRequest, listRefundRequests, requestState, requestViews, summariseRefundRequests } from "../../../contract/index.ts";
import { countsOf } from "../../counts-of.ts";
import { CancelRefundRequest } from "./CancelRefundRequest.tsx";
import { DecideRefundDrawer } from "./DecideRefundDrawer.tsx";
import { refundColumns } from "../refund-columns.tsx";
import { RefundDetail } from "../RefundDetail.tsx";
import type { Refund } from "../refund-words.ts";

/** 退款申请: refunds above the merchant's limit. Those that wait come first; nobody decides their own. */
export function RefundRequestList(): ReactNode {
  const list = useList(listRefundRequests, { defaults: { state: "pending" }, live_ms: 15_000, views: requestViews });
  const sums = useSummary(summariseRefundRequests, list.filters).data;
  const decide = usePanel("decide");
  const mayExport = useAct(["/dataCentre/refund/export"]);
  const { level } = useUser();
  const acts = (row: Refund, tone: ButtonTone): ReactNode => row.status === 0 && <Decide row={row} tone={tone} onDecide={decide.open} />;
  return (
    <ListScreen
      title="退款申请"
      unit="笔"
      list={list}
      tabs={{ of: list.field("state"), set: requestState, counts: countsOf(sums?.perState) }}
      totals={sums && [["申请", <Money cents={sums.amountCents} symbol />]]}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="申请时间" />
          <Keyword of={list.field("keyword")} label="单号" placeholder="退款/订单号" />
          <OrgFilter of={list} levels={OWNERS} />
        </>
      }
      {...(level !== "MCH" && level !== "AE" && { moreFilters: <OrgFilter of={list} levels={SELLERS} /> })}
      {...(mayExport && { exportSource: "refund-requests" })}
      columns={refundColumns({
        open: list.open,
        withMerchant: level !== "MCH" && level !== "AE",
        forApproval: true,
        acts: (row) => acts(row, "link"),
      })}
      empty={{ text: "没有等待审批的退款", action: <Button onClick={() => list.setFilters({ state: undefined })}>看全部申请</Button> }}
    >
      <RefundDetail list={list} acts={(refund) => acts(refund, "primary")} />
      {decide.id && <DecideRefundDrawer key={decide.id} refundId={decide.id} onClose={decide.close} />}
    </ListScreen>
  );
}

/** The way to the decision, or why it is somebody else's. */
function Decide({ row, tone, onDecide }: { row: Refund; tone: ButtonTone; onDecide: (id: string) => void }): ReactNode {
  if (row.cancellable) return <CancelRefundRequest refund={row} tone={tone} />;
  if (!row.decidable) return <span className="note">待他人审批</span>;
  return (
    <Act of={decideRefundRequest}>
      <Button tone={tone} onClick={() => onDecide(row.id)}>
        审批
      </Button>
    </Act>
  );
}
