import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { WhichMoment } from "../../orders/web/index.ts";
import {
  decideReturnRecord,
  failedReturns,
  getReturn,
  listReturns,
  recordReturn,
  relationType,
  retryReturn,
  returnDateOf,
  returnStatus,
  summariseReturns,
} from "../contract/index.ts";
import { RecordReturnDrawer } from "./records/RecordForms.tsx";
import { Records } from "./records/Records.tsx";
import { countsOf, type Return, type ReturnDetails, shareReads } from "./shared.ts";

/** 分账回退: what receivers gave back before a refund went out, what they could not, and what the merchant bore. */
export function ReturnList(): ReactNode {
  const list = useList(listReturns, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseReturns, list.filters).data;
  const mayExport = useAct(["/dataCentre/sharingReturn/export"]);
  const { level } = useUser();
  const c = columns<Return>();
  const asked = { hidden: true };
  return (
    <ListScreen
      title="分账回退"
      unit="笔"
      list={list}
      tabs={{ of: list.field("status"), set: returnStatus, counts: countsOf(sums?.perStatus) }}
      filters={
        <>
          <DateRange
            of={list.range("from", "to")}
            label={returnDateOf.label(list.filters["dateOf"] === "finished" ? "finished" : "created")}
          />
          <Keyword of={list.field("keyword")} label="单号" placeholder="回退/分账/退款/订单号" />
          <OrgFilter of={list} />
        </>
      }
      moreFilters={
        <>
          <WhichMoment of={list.field("dateOf")} set={returnDateOf} />
          <Choice of={list.field("failed")} label="失败回退" set={failedReturns} />
        </>
      }
      totals={
        sums && [
          ["回退", <Money cents={sums.amountCents} symbol />],
          ["已回退", <Money cents={sums.doneCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "share-returns" })}
      columns={[
        c.link("returnNo", "回退单号", (row) => list.open(row.id), { width: 244 }),
        c.link("refundNo", "退款单号", { to: (row) => `/dataCentre/payRefund?id=${row.refundId}` }, { width: 244 }),
        c.text("merchantName", "商户", { hidden: level === "MCH" }),
        c.text("alias", "接收方"),
        c.money("amountCents", "回退（元）", { width: 104 }),
        c.code("status", "状态", returnStatus, { width: 88 }),
        c.text("failure", "原因", { width: 128 }),
        c.time("createdAt", "创建时间", { sort: "createdAt" }),
        c.time("finishedAt", "完成时间", asked),
        c.text("storeName", "门店", asked),
        c.text("account", "接收方账号", asked),
        c.code("relation", "关系", relationType, asked),
        c.text("orderNo", "订单号", { ...asked, width: 244 }),
        c.text("shareNo", "分账单号", { ...asked, width: 244 }),
        c.money("lineCents", "原分账（元）", asked),
        c.money("refundCents", "退款（元）", asked),
        c.text("requestedByName", "申请人", asked),
        c.number("attempts", "提交次数", asked),
        c.actions((row) => <RetryReturn row={row} tone="link" />, { width: 72, of: [retryReturn] }),
      ]}
      empty={{ text: "近 7 天没有回退", action: <Button onClick={() => list.setFilters({ from: daysAgo(29) })}>看近 30 天</Button> }}
    >
      <ReturnDetail list={list} />
    </ListScreen>
  );
}

/** 重新回退: the receiver is asked again; its refund is sent again from the refund itself. */
function RetryReturn({ row, tone }: { row: Return; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(shareReads);
  if (!row.retryable) return null;
  const retry = async (): Promise<void> => {
    const text = `回退 ${row.returnNo}：再次向接收方「${row.alias}」申请退回 ¥${yuan(row.amountCents)}。回退成功后，请在退款 ${row.refundNo} 里重新退款。`;
    if (!(await confirm(text, { ok: `重新回退 ¥${yuan(row.amountCents)}`, danger: true }))) return;
    await run(async () => {
      await call(retryReturn, { requestId: crypto.randomUUID(), id: row.id });
      success("已重新提交回退");
    });
  };
  return (
    <Act of={retryReturn}>
      <Button tone={tone} busy={busy} onClick={() => void retry()}>
        重试
      </Button>
    </Act>
  );
}

function ReturnDetail({ list }: { list: List }): ReactNode {
  const found = useDetail(getReturn, list.openId && { id: list.openId }, { until: ({ status }) => status > 1 });
  if (list.openId === undefined) return null;
  return (
    <DetailDrawer
      title={found.data ? `回退 ${found.data.returnNo}` : "分账回退详情"}
      of={found}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        found.data && (
          <>
            <RecordOfReturn row={found.data} />
            <RetryReturn row={found.data} tone="danger" />
          </>
        )
      }
    >
      {(row) => <Facts row={row} />}
    </DetailDrawer>
  );
}
/** 登记结果, as of a share. */
function RecordOfReturn({ row }: { row: ReturnDetails }): ReactNode {
  const [open, setOpen] = useState(false);
  if (!row.recordable) return null;
  return (
    <Act of={recordReturn}>
      <Button onClick={() => setOpen(true)}>登记结果</Button>
      {open && <RecordReturnDrawer row={row} onClose={() => setOpen(false)} />}
    </Act>
  );
}
function Facts({ row }: { row: ReturnDetails }): ReactNode {
  return (
    <>
      <HeroLine
        label={row.status === 5 ? "商户承担" : "回退金额"}
        amount={row.amountCents}
        status={<StatusTag of={returnStatus} code={row.status} />}
      />
      {row.failure && <p className={`notice ${row.status === 3 ? "notice-bad" : "notice-warn"}`}>{row.failure}</p>}
      {row.recordable && (
        <p className="notice notice-warn">通道超过一天没有给出结果，退款在等它。在商家平台查清后，可以登记结果，由另一人复核。</p>
      )}
      <Records of={decideReturnRecord} records={row.records} number={row.returnNo} amountCents={row.amountCents} />
      <Timeline
        items={[
          { title: "退款需要回退", at: row.createdAt, tone: "active", note: `${row.requestedByName} · 退款 ¥${yuan(row.refundCents)}` },
          ...(row.status === 1 ? [{ title: "等待通道结果", tone: "active" as const }] : []),
          ...(row.finishedAt
            ? [{ title: returnStatus.label(row.status), at: row.finishedAt, tone: returnStatus.tone(row.status), note: row.failure }]
            : []),
        ]}
      />
      <Group
        title="回退"
        pairs={[
          ["回退单号", <Copy text={row.returnNo} />],
          ["通道回退单号", row.channelNo && <Copy text={row.channelNo} />],
          ["接收方", row.alias],
          ["接收方账号", row.account],
          ["关系", relationType.label(row.relation)],
          ["原分账金额", <Money cents={row.lineCents} symbol />],
          ["提交次数", row.attempts],
        ]}
      />
      <Group
        title="来自"
        pairs={[
          ["退款单号", <Link to={`/dataCentre/payRefund?id=${row.refundId}`}>{row.refundNo}</Link>],
          ["分账单号", <Link to={`/dataCentre/sharing?id=${row.shareId}`}>{row.shareNo}</Link>],
          ["订单号", <Link to={`/dataCentre/payOrder?id=${row.orderId}`}>{row.orderNo}</Link>],
          ["商户", row.merchantName],
          ["门店", row.storeName],
        ]}
      />
    </>
  );
}
