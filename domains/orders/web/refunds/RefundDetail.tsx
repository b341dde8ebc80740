import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Coded, Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Timeline, type TimelineItem } from "@zhangfang/web/show/figures/Timeline.tsx";
import { channelName, codeWords, payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { getRefund, listRefundEvidence, refundStatus, refundType } from "../../contract/index.ts";
import { WhoseName } from "../WhoseName.tsx";
import { AbnormalRefund } from "./abnormal/AbnormalRefund.tsx";
import { type Refund, refundWords } from "./refund-words.ts";
import "../orders.css";

type Refunds = Pick<List, "openId" | "open" | "close" | "refresh"> & { readonly rows: readonly Refund[] };

/** One refund over its list, asked again by itself while it is on its way. */
export function RefundDetail({ list, acts }: { list: Refunds; acts: (refund: Refund) => ReactNode }): ReactNode {
  const refund = useDetail(getRefund, list.openId && { id: list.openId }, { until: ({ status }) => status > 1 });
  const row = list.rows.find(({ id }) => id === refund.data?.id);
  const moved = row !== undefined && row.status !== refund.data?.status;
  useEffect(() => {
    if (moved) list.refresh();
    // Once for each answer that moved, however often the list is drawn.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [moved, refund.data]);
  if (list.openId === undefined) return null;
  return (
    <DetailDrawer
      title={refund.data ? `退款 ${refund.data.refundNo}` : "退款详情"}
      of={refund}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={refund.data && acts(refund.data)}
    >
      {(details) => <RefundFacts refund={details} />}
    </DetailDrawer>
  );
}

/** Everything about a refund: its amount, where it stands, what happened, what it belongs to. */
export function RefundFacts({ refund }: { refund: Refund }): ReactNode {
  return (
    <>
      <HeroLine label="退款金额" amount={refund.amountCents} status={<StatusTag of={refundStatus} code={refund.status} />} />
      <p className="refund-words">{refundWords(refund)}</p>
      <Timeline items={stepsOf(refund)} />
      <Act of={listRefundEvidence}>
        <AbnormalRefund refund={refund} />
      </Act>
      <Group
        title="退款"
        pairs={[
          ["退款单号", <Copy text={refund.refundNo} />],
          ["类型", refundType.label(refund.refundType)],
          ["退款原因", refund.reason],
          ["申请人", refund.requestedByName],
          ["退回手续费", <Money cents={refund.feeCents} symbol />],
          ["钱包", payWallet.label(walletOf(refund.tool))],
          ["收款方式", payWay.label(wayOf(refund.tool, refund.payMethod))],
          ["通道", channelName(refund.channel, walletOf(refund.tool))],
          ["通道退款号", refund.channelRefundNo && <Copy text={refund.channelRefundNo} />],
          ["通道结果", refund.channelStatus && <Coded words={codeWords(refund.channelStatus)} code={refund.channelStatus} />],
          ["提交次数", refund.attempts],
        ]}
      />
      <Group
        title="订单"
        pairs={[
          [
            "订单号",
            <Copy text={refund.orderNo}>
              <Link to={`/dataCentre/payOrder?id=${refund.orderId}`}>{refund.orderNo}</Link>
            </Copy>,
          ],
          ["订单实收", <Money cents={refund.orderPaidCents} symbol />],
          ["商户", <WhoseName kind="merchant" id={refund.merchantId} name={refund.merchantName} />],
          ["门店", <WhoseName kind="store" id={refund.storeId} name={refund.storeName} />],
        ]}
      />
    </>
  );
}

function stepsOf(refund: Refund): TimelineItem[] {
  const steps: TimelineItem[] = [
    { title: "申请退款", at: refund.createdAt, tone: "active", note: `${refund.requestedByName} · ${refund.reason}` },
  ];
  if (refund.decidedAt)
    steps.push({
      title: refund.status === 4 ? "审批驳回" : refund.status === 5 ? "申请人撤回" : "审批通过",
      at: refund.decidedAt,
      tone: refund.status > 3 ? "ended" : "good",
      note: [refund.decidedByName, refund.decisionNote].filter(Boolean).join(" · "),
    });
  if (refund.status === 0) steps.push({ title: WAITS[refund.waitsFor ?? "nothing"], tone: "warn" });
  if (refund.status === 1) steps.push({ title: "等待通道结果", tone: "active" });
  if (refund.finishedAt && refund.status < 4)
    steps.push({
      title: refundStatus.label(refund.status),
      at: refund.finishedAt,
      tone: refundStatus.tone(refund.status),
      note: refund.failure,
    });
  return steps;
}
/** What a refund waits for that is not out yet. */
const WAITS = {
  red: "待红冲：发票红冲后自动退款",
  "red-failed": "发票没有红冲成，等待审批",
  voucher: "正在撤销平台券：有结果后自动退款",
  nothing: "等待审批",
} as const;
