import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Coded, Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Timeline, type TimelineItem } from "@zhangfang/web/show/figures/Timeline.tsx";
import { codeWords } from "../../../channels/contract.ts";
import {
  cancelWithdrawal,
  getWithdrawal,
  type listWithdrawals,
  payoutMethod,
  receiver,
  retractWithdrawal,
  syncWithdrawal,
  withdrawalStatus,
} from "../../contract/index.ts";
import { WithdrawalReceipt } from "./WithdrawalReceipt.tsx";
import { withdrawalReads } from "./withdrawal-reads.ts";
import type { Withdrawal } from "./withdrawal.ts";

interface Opens {
  readonly list: List<typeof listWithdrawals>;
  readonly onDecide: (id: string) => void;
  readonly onRecord: (id: string) => void;
}

/** One withdrawal over its list, asked again by itself while it is on its way. */
export function WithdrawalDetail({ list, onDecide, onRecord }: Opens): ReactNode {
  const withdrawal = useDetail(getWithdrawal, list.openId && { id: list.openId }, { until: ({ status }) => status !== 2 });
  if (list.openId === undefined) return null;
  const { data } = withdrawal;
  return (
    <DetailDrawer
      title={data ? `提现 ${data.withdrawalNo}` : "提现详情"}
      of={withdrawal}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={data && <Acts withdrawal={data} onDecide={onDecide} onRecord={onRecord} />}
    >
      {(details) => <Facts withdrawal={details} />}
    </DetailDrawer>
  );
}

function Acts({ withdrawal, onDecide, onRecord }: { withdrawal: Withdrawal } & Omit<Opens, "list">): ReactNode {
  const { id, askedCents, status, method } = withdrawal;
  const amount = `¥${yuan(askedCents)}`;
  return (
    <>
      <Button onClick={() => printSheet(<WithdrawalReceipt withdrawal={withdrawal} />)}>打印回单</Button>
      {withdrawal.cancellable && (
        <Act of={cancelWithdrawal}>
          <Quick
            label="取消提现"
            ask={`取消提现 ${withdrawal.withdrawalNo}？${amount} 退回可提现余额。`}
            sure={`取消提现 ${amount}`}
            done={`已取消提现 ${amount}`}
            act={() => call(cancelWithdrawal, { id })}
          />
        </Act>
      )}
      {status === 2 && method === "wechat" && (
        <Act of={syncWithdrawal}>
          <Quick label="查询结果" done="已向通道查询" act={() => call(syncWithdrawal, { id })} />
        </Act>
      )}
      {withdrawal.retractable && (
        <Act of={retractWithdrawal}>
          <Quick
            label="撤销转账"
            ask={`撤销转账 ${withdrawal.withdrawalNo}？收款人将不能再确认，${amount} 在通道撤销后退回可提现余额。`}
            sure={`撤销转账 ${amount}`}
            done="已申请撤销，等待通道结果"
            act={() => call(retractWithdrawal, { id })}
          />
        </Act>
      )}
      {withdrawal.recordable && <Button onClick={() => onRecord(id)}>{status === 3 ? "登记退回" : "登记打款结果"}</Button>}
      {withdrawal.decidable && (
        <Button tone="primary" onClick={() => onDecide(id)}>
          审核
        </Button>
      )}
    </>
  );
}
/** A quick act with its question, if it has one. */
function Quick({
  label,
  ask,
  sure = label,
  done,
  act,
}: {
  label: string;
  ask?: string;
  /** The yes to the question, in the act's own words: its no is called 取消, and one act here is as well. */
  sure?: string;
  done: string;
  act: () => Promise<unknown>;
}): ReactNode {
  const [busy, run] = useRun(withdrawalReads);
  const go = async (): Promise<void> => {
    if (ask && !(await confirm(ask, { ok: sure, cancel: "返回", danger: true }))) return;
    await run(async () => {
      await act();
      success(done);
    });
  };
  return (
    <Button busy={busy} onClick={() => void go()}>
      {label}
    </Button>
  );
}

function Facts({ withdrawal: w }: { withdrawal: Withdrawal }): ReactNode {
  return (
    <>
      <HeroLine label="提现金额" amount={w.askedCents} status={<StatusTag of={withdrawalStatus} code={w.status} />} />
      {w.failure && <p className="withdrawal-failure">{w.failure}</p>}
      <Timeline items={stepsOf(w)} />
      {w.confirm && (
        <Group title="收款人确认">
          <p>收款人用微信扫码打开收款页并确认，{shanghaiTime(w.confirm.until).slice(0, 16)} 前有效；过期后金额退回可提现余额。</p>
          <QrCode text={w.confirm.url} label="确认收款二维码" />
          <p>
            <Copy text={w.confirm.url} />
          </p>
        </Group>
      )}
      <Group
        title="提现"
        pairs={[
          ["提现单号", <Copy text={w.withdrawalNo} />],
          ["分润方", `${receiver.label(w.receiver)} ${w.receiverName}`],
          ["手续费", <Money cents={w.feeCents} symbol />],
          ["到账金额", <Money cents={w.netCents} symbol />],
        ]}
      />
      <Group
        title="收款账户"
        pairs={[
          ["方式", payoutMethod.label(w.method)],
          ["开户银行", w.bankName],
          ["账户", <span className="num">{w.numberMask}</span>],
          ["收款人", w.holderMask],
          ["通道单号", w.channelNo && <Copy text={w.channelNo} />],
          ["通道状态", w.channelState && <Coded words={codeWords(w.channelState)} code={w.channelState} />],
          ["银行流水号", w.evidence && <Copy text={w.evidence} />],
        ]}
      />
      {w.calls.length > 0 && (
        <Group title="通道请求">
          <Timeline
            items={w.calls.map((one) => ({
              title: `${OPERATIONS[one.operation] ?? one.operation} · ${OUTCOMES[one.outcome ?? ""] ?? "等待应答"}`,
              at: one.startedAt,
              note: [one.message ?? (one.code && codeWords(one.code)), one.code && `代码 ${one.code}`].filter(Boolean).join(" · "),
              tone: one.outcome === "ok" ? "good" : one.outcome === "refused" ? "bad" : "warn",
            }))}
          />
        </Group>
      )}
    </>
  );
}
const OPERATIONS: Readonly<Record<string, string>> = { transfer: "发起转账", query: "查询", cancel: "撤销转账" };
const OUTCOMES: Readonly<Record<string, string>> = { ok: "已应答", refused: "被拒绝", unknown: "结果未知" };

function stepsOf(w: Withdrawal): TimelineItem[] {
  const steps: TimelineItem[] = [{ title: "申请提现", at: w.createdAt, tone: "active", note: w.appliedByName }];
  if (w.decidedAt)
    steps.push({
      title: w.status === 1 ? "审核驳回" : "审核通过",
      at: w.decidedAt,
      tone: w.status === 1 ? "ended" : "good",
      note: [w.decidedByName, w.decisionNote].filter(Boolean).join(" · "),
    });
  else if (!w.needsApproval) steps.push({ title: "免审核", tone: "good", note: "不超过服务商的免审额度" });
  if (w.status === 0) steps.push({ title: "等待审核", tone: "warn" });
  if (w.status === 2)
    steps.push({
      title: w.method === "bank" ? "等待服务商打款" : w.channelState === "WAIT_USER_CONFIRM" ? "等待收款人在微信确认收款" : "等待通道结果",
      tone: "active",
    });
  if (w.cancelAskedAt) steps.push({ title: "申请撤销转账", at: w.cancelAskedAt, tone: "warn", note: w.cancelAskedByName ?? "" });
  if (w.finishedAt && w.status !== 1)
    steps.push({
      title: withdrawalStatus.label(w.status),
      at: w.finishedAt,
      tone: withdrawalStatus.tone(w.status),
      note: [w.recordedByName, w.failure].filter(Boolean).join(" · "),
    });
  return steps;
}
