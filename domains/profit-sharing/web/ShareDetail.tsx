import type { ReactNode } from "react";
import { Link } from "react-router";
import { percent, yuan } from "@zhangfang/contract/money.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline, type TimelineItem } from "@zhangfang/web/show/figures/Timeline.tsx";
import {
  decideShareRecord,
  failWords,
  getShare,
  lineResult,
  receiverType,
  relationType,
  returnStatus,
  sharingKind,
  sharingMode,
  shareShown,
  shownOf,
} from "../contract/index.ts";
import { Records } from "./records/Records.tsx";
import { RecordShare } from "./ShareActs.tsx";
import type { Share, ShareDetails } from "./shared.ts";

/** One share over its list, asked again by itself while it is on its way. */
export function ShareDetail({ list, acts }: { list: List; acts: (share: Share) => ReactNode }): ReactNode {
  const share = useDetail(getShare, list.openId && { id: list.openId }, { until: ({ status }) => status !== 1 });
  if (list.openId === undefined) return null;
  return (
    <DetailDrawer
      title={share.data ? `${sharingKind.label(share.data.kind)} ${share.data.shareNo}` : "分账详情"}
      of={share}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        share.data && (
          <>
            <RecordShare share={share.data} />
            {acts(share.data)}
          </>
        )
      }
    >
      {(details) => <Facts share={details} />}
    </DetailDrawer>
  );
}

function Facts({ share }: { share: ShareDetails }): ReactNode {
  return (
    <>
      <HeroLine
        label={share.status === 2 ? "已分金额" : "分账金额"}
        amount={share.status === 2 ? share.sharedCents : share.amountCents}
        status={<StatusTag of={shareShown} code={shownOf(share)} />}
      />
      {share.failure && (
        <p className={`notice ${share.status === 0 ? "notice-warn" : "notice-bad"}`}>
          {share.failedCents > 0 && share.status === 2 ? `¥${yuan(share.failedCents)} 未到账：` : ""}
          {share.failure}
        </p>
      )}
      <Timeline items={stepsOf(share)} />
      {share.recordable && (
        <p className="notice notice-warn">通道超过一天没有给出结果。系统会继续查询；在商家平台查清后，可以登记结果，由另一人复核。</p>
      )}
      <Records of={decideShareRecord} records={share.records} number={share.shareNo} amountCents={share.amountCents} />
      {share.lines.length > 0 && <Lines share={share} />}
      {share.returns.length > 0 && <Returns share={share} />}
      <Group
        title="怎样算出来的"
        pairs={[
          ["订单实收", <Money cents={share.orderPaidCents} symbol />],
          ["手续费", <Money cents={share.feeCents} symbol />],
          ["订单已退", <Money cents={share.refundedCents} symbol />],
          ["分账基数", share.baseCents === null ? null : <Money cents={share.baseCents} symbol />],
          ["分账合计", <Money cents={share.amountCents} symbol />],
          ["未到账", <Money cents={share.failedCents} symbol />],
          ["其余资金", share.unfreeze ? "随分账解冻给商户" : "继续冻结，等待再次分账或完结"],
          ["解冻时间", share.unfrozenAt && <Time at={share.unfrozenAt} />],
        ]}
      />
      <Group
        title="分账单"
        pairs={[
          ["分账单号", <Copy text={share.shareNo} />],
          ["通道分账单号", share.channelNo && <Copy text={share.channelNo} />],
          [
            "订单号",
            <Copy text={share.orderNo}>
              <Link to={`/dataCentre/payOrder?id=${share.orderId}`}>{share.orderNo}</Link>
            </Copy>,
          ],
          ...(share.againOf ? [["补分自", <ToShare share={share.againOf} />] as const] : []),
          ...(share.again ? [["已补分", <ToShare share={share.again} />] as const] : []),
          ["方式", sharingMode.label(share.mode)],
          ["发起人", share.requestedByName],
          ["提交次数", share.attempts],
          ["商户", share.merchantName],
          ["门店", share.storeName],
        ]}
      />
    </>
  );
}

function ToShare({ share }: { share: NonNullable<ShareDetails["again"]> }): ReactNode {
  return <Link to={`/dataCentre/sharing?id=${share.id}`}>{share.shareNo}</Link>;
}
function Lines({ share }: { share: ShareDetails }): ReactNode {
  const c = columns<ShareDetails["lines"][number]>();
  return (
    <Group title="接收方">
      <DataTable
        label="接收方"
        density="compact"
        rows={share.lines}
        columns={[
          c.text("alias", "接收方", { width: 112 }),
          c.money("amountCents", "金额（元）", { width: 96 }),
          c.code("result", "结果", lineResult, { width: 80 }),
          c.text("failReason", "原因", (line) => (line.failReason ? failWords(line.failReason) : null), { width: 136 }),
          c.money("returnedCents", "已回退（元）", { width: 104 }),
          c.text("account", "账号", { width: 152, note: (line) => receiverType.label(line.type) }),
          c.text("relation", "关系", (line) => line.customRelation ?? relationType.label(line.relation), { width: 80 }),
          c.text("ratio", "比例", (line) => percent(line.ratio), { width: 64 }),
        ]}
      />
    </Group>
  );
}
function Returns({ share }: { share: ShareDetails }): ReactNode {
  const c = columns<ShareDetails["returns"][number]>();
  return (
    <Group title="退款前的回退">
      <DataTable
        label="退款前的回退"
        density="compact"
        rows={share.returns}
        columns={[
          c.link("returnNo", "回退单号", { to: (row) => `/dataCentre/sharingReturn?id=${row.id}` }, { width: 244 }),
          c.text("alias", "接收方", { width: 104 }),
          c.money("amountCents", "金额（元）", { width: 96 }),
          c.code("status", "状态", returnStatus, { width: 88 }),
          c.time("createdAt", "时间"),
        ]}
      />
    </Group>
  );
}

/** What becomes of what a receiver did not get. */
function whereFailed(share: ShareDetails): string {
  if (share.again) return `已由 ${share.again.shareNo} 补分`;
  return share.unfrozenAt ? "已留给商户" : "仍然冻结，可以补分，或完结后留给商户";
}
function stepsOf(share: ShareDetails): TimelineItem[] {
  const steps: TimelineItem[] = [{ title: "支付成功，资金冻结", at: share.createdAt, tone: "active", note: sharingMode.label(share.mode) }];
  if (share.status === 0)
    steps.push(share.dueAt ? { title: "等待自动分账", at: share.dueAt, tone: "warn" } : { title: "等待手动分账", tone: "warn" });
  if (share.sentAt)
    steps.push({ title: share.kind === "share" ? "提交分账" : "提交完结", at: share.sentAt, tone: "active", note: share.requestedByName });
  if (share.status === 1) steps.push({ title: "等待通道结果", tone: "active" });
  if (share.finishedAt)
    steps.push({
      title: shareShown.label(shownOf(share)),
      at: share.finishedAt,
      tone: shareShown.tone(shownOf(share)),
      note: share.failedCents > 0 && share.status === 2 ? `¥${yuan(share.failedCents)} 未到账，${whereFailed(share)}` : share.failure,
    });
  return steps;
}
