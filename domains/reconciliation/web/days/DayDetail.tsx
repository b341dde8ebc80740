import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  AT_WORK,
  billSource,
  closeReconDay,
  dayState,
  getReconDay,
  getReconMonth,
  isAsked,
  type listReconDays,
  rematchReconDay,
  reopenReconDay,
  retakeReconDay,
  summariseReconDays,
} from "../../contract/index.ts";
import { BillTable } from "../bills/BillTable.tsx";
import { classesOf, wordsOf } from "../words.ts";
import { DaySides } from "./DaySides.tsx";
import { PlatformBills } from "./PlatformBills.tsx";
import { ReopenDrawer } from "./ReopenDrawer.tsx";

type Found = OutputOf<typeof getReconDay>;
const settled = ({ files }: Found): boolean => files.every(({ status }) => !AT_WORK.includes(status));

/** One day: both sides, what differs by class, its bills, and closing it. */
export function DayDetail({ id, list }: { id: string; list: List<typeof listReconDays> }): ReactNode {
  const found = useDetail(getReconDay, { id }, { until: settled });
  const reopen = usePanel("reopen");
  const day = found.data?.day;
  return (
    <DetailDrawer
      title={day ? `${day.day} ${billSource.label(day.source)}对账` : "对账日"}
      of={found}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={found.data && <Acts found={found.data} onReopen={() => reopen.open(id)} />}
    >
      {(data) => (
        <>
          <HeroLine
            label={data.day.platform ? "平台结算" : "应结算"}
            amount={data.day.settledCents}
            status={<StatusTag of={dayState} code={data.day.state} />}
          />
          <p className="note recon-lead">
            {data.day.merchantName}，{data.day.matchedCount} {wordsOf(data.day.source).unit}一致
            {data.day.boundaryCount > 0 && `（其中 ${data.day.boundaryCount} {wordsOf(data.day.source).unit}跨零点）`}
            {data.day.toleratedCents > 0 && `，容差内${wordsOf(data.day.source).fee}差 ${yuan(data.day.toleratedCents)} 元`}
          </p>
          <LateChanges day={data.day} />
          <DaySides day={data.day} />
          <Classes data={data} />
          {data.day.platform ? <PlatformBills found={data} /> : <BillTable title="账单" files={data.files} />}
          <Flows flows={data.flows} />
          {(data.day.closedBy ?? data.day.reopenedBy) && (
            <Group
              title="关账"
              pairs={[
                ["关账人", data.day.closedBy],
                ["关账时间", data.day.closedAt && <Time at={data.day.closedAt} />],
                ["上次撤销", data.day.reopenedBy && `${data.day.reopenedBy}：${data.day.reopenReason ?? ""}`],
              ]}
            />
          )}
          {reopen.id && <ReopenDrawer day={data.day} onClose={reopen.close} />}
        </>
      )}
    </DetailDrawer>
  );
}

/** 关账后变动: the closed figures stay; whoever wants them in opens the day again. */
function LateChanges({ day: { platform, state } }: { day: Found["day"] }): ReactNode {
  if (state !== "closed" || !platform || platform.lateCount === 0) return null;
  return (
    <Group
      title="关账后变动"
      pairs={[
        ["与关账时不同", `${platform.lateCount} 条`],
        ["本地净额会变", <Money cents={platform.lateCents} sign symbol />],
        ["结算会变", <Money cents={platform.lateSettledCents} sign symbol />],
      ]}
    >
      <p className="note">关账的数字没有改。要计入，请主账号撤销关账，重新对账后再关。</p>
    </Group>
  );
}

/** What differs, each class a link to its rows. */
function Classes({ data }: { data: Found }): ReactNode {
  const seen = data.perClass.filter(({ count }) => count > 0);
  return (
    <Group title="差异">
      {seen.length === 0 ? (
        <p className="note">两边一致，没有差异。</p>
      ) : (
        <ul className="recon-classes">
          {seen.map((one) => (
            <li key={one.class}>
              <Link to={`/reconciliation/bill?view=differences&from=&to=&status=&dayId=${data.day.id}&class=${one.class}`}>
                <StatusTag of={classesOf(data.day.source)} code={one.class} />
                <span className="num">{one.count} 条</span>
                {one.open > 0 && <span className="note num">待处理 {one.open}</span>}
                <Money cents={one.cents} sign symbol />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Group>
  );
}

type Flow = Found["flows"][number];
function Flows({ flows }: { flows: readonly Flow[] }): ReactNode {
  if (flows.length === 0) return null;
  const c = columns<Flow>();
  return (
    <Group title="资金账单">
      <DataTable
        label="资金账单按业务类型"
        rows={flows}
        rowKey={(row) => row.businessType}
        columns={[
          c.text("businessType", "业务类型"),
          c.number("count", "笔数"),
          c.money("inCents", "收入（元）"),
          c.money("outCents", "支出（元）"),
        ]}
      />
    </Group>
  );
}

function Acts({ found, onReopen }: { found: Found; onReopen: () => void }): ReactNode {
  const client = useQueryClient();
  const mayClose = useAct(closeReconDay);
  const { day } = found;
  const words = wordsOf(day.source);
  const refresh = (): void => {
    for (const { path } of [getReconDay, getReconMonth, summariseReconDays]) void client.invalidateQueries({ queryKey: [path] });
    void client.invalidateQueries({ queryKey: ["/api/reconciliation/days"] });
  };
  const run = async (act: () => Promise<string>): Promise<void> => {
    try {
      success(await act());
      refresh();
    } catch (failure) {
      // A refused call has said why; what it was about may have moved.
      if (!(failure instanceof ApiError)) throw failure;
      refresh();
    }
  };
  const close = async (): Promise<void> => {
    const text = `关账 ${day.day}（${day.merchantName}，${billSource.label(day.source)}）：${words.pay} ${day.bill.payCount} ${words.unit} ¥${yuan(day.bill.payCents)}，${words.refund} ${day.bill.refundCount} ${words.unit} ¥${yuan(day.bill.refundCents)}，差异 ${day.differenceCount} 条均已处理。关账后这天不再接受新账单。`;
    if (await confirm(text, { ok: `关账 ${day.day}` })) {
      await run(async () => {
        await call(closeReconDay, { requestId: crypto.randomUUID(), id: day.id, version: day.version });
        return `${day.day} 已关账`;
      });
    }
  };
  const rematch = (): Promise<void> =>
    run(async () => {
      const { openCount } = await call(rematchReconDay, { id: day.id });
      return openCount === 0 ? "已重新对账，没有待处理的差异" : `已重新对账，待处理 ${openCount} 条`;
    });
  const retake = (): Promise<void> =>
    run(async () => {
      await call(retakeReconDay, { id: day.id });
      return "已开始重新取，取完后自动对账";
    });
  if (day.state === "closed")
    return (
      <Act of={reopenReconDay}>
        <Button onClick={onReopen}>撤销关账</Button>
      </Act>
    );
  return (
    <>
      {isAsked(day.source) && (
        <Act of={retakeReconDay}>
          <Button onClick={() => void retake()}>重新取账单</Button>
        </Act>
      )}
      <Act of={rematchReconDay}>
        <Button onClick={() => void rematch()}>重新对账</Button>
      </Act>
      {mayClose && (
        <Button tone="primary" disabled={day.state !== "ready"} onClick={() => void close()}>
          {day.state === "differing" ? `还有 ${day.openCount} 条待处理` : day.state === "partial" ? "账单不全" : "关账"}
        </Button>
      )}
    </>
  );
}
