import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent, yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  buyerKind,
  bureauState,
  deliveryStatus,
  deliveryWay,
  fileFormat,
  getInvoice,
  invoiceKind,
  invoiceStatus,
  listInvoices,
  listReds,
  redStatus,
  retryInvoice,
  fetchFilesAgain,
  resendInvoice,
  startRed,
  summariseInvoices,
  takeIssued,
} from "../contract/index.ts";
import { Red, Take } from "./InvoiceForms.tsx";
import "./invoices.css";

type One = OutputOf<typeof getInvoice>;
const READS = [listInvoices, summariseInvoices, getInvoice, listReds];

/** 发票: each with its number, its lines, files, red letters and what was asked of the platform. */
export function InvoiceList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listInvoices, { live_ms: 15_000 });
  const sums = useSummary(summariseInvoices, list.filters).data;
  const one = useDetail(getInvoice, list.openId && { id: list.openId }, {
    until: ({ status, manual, deliveries }) =>
      (manual || (status !== 0 && status !== 1)) && deliveries.every((one) => one.why !== null || one.status === 1 || one.status === 2),
  });
  const [red, take] = [usePanel("red"), usePanel("take")];
  const mayExport = useAct(["/invoice/merchant/export"]);
  const c = columns<RowOf<typeof listInvoices>>();
  return (
    <ListScreen
      title="商户开票配置"
      unit="张"
      list={list}
      actions={views}
      tabs={{ of: list.field("status"), set: invoiceStatus, counts: sums?.byStatus }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="发票" placeholder="发票号码 / 流水号 / 订单号" />
          <Choice of={list.field("kind")} label="票种" set={invoiceKind} />
          <OrgFilter of={list} levels={["storeId"]} />
          <DateRange of={list.range("from", "to")} label="生成时间" />
        </>
      }
      totals={
        sums && [
          ["价税合计", <Money key="sum" cents={sums.totalCents} symbol />],
          ["税额", <Money key="tax" cents={sums.taxCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "invoices" })}
      columns={[
        c.link("invoiceNo", "发票号码", (row) => list.open(row.id), { width: 216, copy: false, note: (row) => `流水号 ${row.number}` }),
        c.text("title", "抬头", { width: 120, note: (row) => buyerKind.label(row.buyer) }),
        c.code("kind", "票种", invoiceKind, { width: 88 }),
        c.money("totalCents", "价税合计（元）", { width: 128 }),
        c.money("taxCents", "税额（元）", { width: 104 }),
        c.code("status", "状态", invoiceStatus, { width: 96, note: (row) => (row.manual ? "人工核对" : "") }),
        c.text("why", "说明", { width: 176 }),
        c.text("subjectName", "开票主体", { width: 200, hidden: true }),
        c.time("issuedAt", "开票时间", { width: 168 }),
        c.time("createdAt", "生成时间", { width: 168, hidden: true, sort: "-createdAt" }),
        c.actions(
          (row) => (
            <>
              {(row.status === 3 || row.manual) && <Retry of={row} />}
              {(row.status === 2 || row.status === 6) && <StartRed onClick={() => red.open(row.id)} />}
            </>
          ),
          { width: 88, of: [retryInvoice, startRed] },
        ),
      ]}
      empty={{ text: "没有发票" }}
    >
      {list.openId && (
        <DetailDrawer title="发票详情" of={one} onClose={list.close} extra={<Neighbours of={list} />}>
          {(found) => <Facts of={found} onRed={() => red.open(found.id)} onTake={() => take.open(found.id)} />}
        </DetailDrawer>
      )}
      {red.id && <Red id={red.id} onClose={red.close} />}
      {take.id && <Take id={take.id} onClose={take.close} />}
    </ListScreen>
  );
}
const StartRed = ({ onClick }: { onClick: () => void }): ReactNode => (
  <Act of={startRed}>
    <Button tone="link" onClick={onClick}>
      红冲
    </Button>
  </Act>
);
const keyed = <T extends object>(rows: readonly T[]) => rows.map((row, at) => ({ ...row, id: String(at) }));
function Facts({ of: one, onRed, onTake }: { of: One; onRed: () => void; onTake: () => void }): ReactNode {
  const lines = columns<One["lines"][number] & { id: string }>();
  return (
    <>
      <HeroLine
        label={`${invoiceKind.label(one.kind)} · ${one.title}`}
        amount={one.totalCents}
        status={<StatusTag of={invoiceStatus} code={one.status} />}
      />
      {one.why && <p className="notice notice-warn">{one.why}</p>}
      {one.takeWhy !== null && one.issuedCents !== null && (
        <p className="notice">
          平台开的是 {yuan(one.issuedCents)} 元，已按平台的结果记账并红冲：{one.takeWhy}
        </p>
      )}
      <p className="invoice-acts">
        {one.manual && one.issuedCents !== null && (
          <Act of={takeIssued}>
            <Button tone="danger" onClick={onTake}>
              按平台的 {yuan(one.issuedCents)} 元记账
            </Button>
          </Act>
        )}
        {(one.status === 3 || one.manual) && <Retry of={one} />}
        {(one.status === 2 || one.status === 6) && (
          <Act of={startRed}>
            <Button tone="danger" onClick={onRed}>
              红冲 {yuan(one.totalCents)} 元
            </Button>
          </Act>
        )}
      </p>
      <Group
        title="发票"
        pairs={[
          ["发票号码", one.invoiceNo && <Copy key="no" text={one.invoiceNo} />],
          ["流水号", <Copy key="number" text={one.number} />],
          ["开票主体", one.subjectName],
          ["抬头", `${one.title}（${buyerKind.label(one.buyer)}）`],
          ["不含税", <Money key="bare" cents={(one.totalCents - one.taxCents) as never} symbol />],
          ["税额", <Money key="tax" cents={one.taxCents} symbol />],
          ["开票时间", one.issuedAt && <Time key="at" at={one.issuedAt} />],
        ]}
      />
      <Group title="明细">
        <DataTable
          label="明细"
          rows={keyed(one.lines)}
          columns={[
            lines.text("name", "名称", { width: 160 }),
            lines.text("taxCode", "税收分类编码", (row) => <span className="num">{row.taxCode}</span>, { width: 184 }),
            lines.text("units", "数量", (row) => row.units, { width: 64 }),
            lines.text("taxRate", "税率", (row) => percent(row.taxRate), { width: 64 }),
            lines.money("totalCents", "价税合计（元）", { width: 120 }),
            lines.money("taxCents", "税额（元）", { width: 96 }),
            lines.text("orderNo", "订单号", { width: 240 }),
          ]}
        />
      </Group>
      <Behind of={one} />
    </>
  );
}
/** Its files, what was taken back of it, and what was said with the platform. */
function Behind({ of: one }: { of: One }): ReactNode {
  const calls = columns<One["calls"][number] & { id: string }>();
  return (
    <>
      <Group
        title="文件"
        pairs={one.files.map(({ format, red, url, why }) => [
          `${red ? "红字 " : ""}${fileFormat.label(format)}`,
          url ? (
            <a key={format} href={url} download>
              下载
            </a>
          ) : (
            (why ?? "正在取")
          ),
        ])}
      >
        {one.files.length === 0 && <p className="note">{FILED.has(one.status) ? "平台没有给文件地址。" : "开出来以后自动取回保存。"}</p>}
        {FILED.has(one.status) && (one.files.length === 0 || one.files.some(({ url }) => url === null)) && <FetchAgain id={one.id} />}
      </Group>
      {(one.deliveries.length > 0 || (one.ways.length > 0 && FILED.has(one.status))) && <Sent of={one} />}
      {one.reds.length > 0 && (
        <Group
          title="红字"
          pairs={one.reds.map(({ id, status, bureau, redNo, why }) => [
            redStatus.label(status),
            <span key={id}>
              {[redNo ?? "", bureau === null ? "" : bureauState.label(bureau), why ?? ""].filter((text) => text !== "").join(" · ")}
            </span>,
          ])}
        />
      )}
      <Group title="和平台的往来">
        <DataTable
          label="和平台的往来"
          rows={keyed(one.calls)}
          columns={[
            calls.time("startedAt", "时间", { width: 168 }),
            calls.text("operation", "做什么", (row) => OPERATIONS[row.operation] ?? row.operation, { width: 96 }),
            calls.text("number", "流水号", (row) => <span className="num">{row.number}</span>, { width: 200 }),
            calls.text("outcome", "结果", (row) => ({ ok: "成功", refused: "拒绝", unknown: "不知道" })[row.outcome ?? ""] ?? "没等到", {
              width: 80,
            }),
            calls.text("said", "平台说", { width: 240 }),
          ]}
        />
      </Group>
    </>
  );
}
/** 已开票 and what comes after it: there are files to be had. */
const FILED = new Set([2, 4, 5, 6]);
function FetchAgain({ id }: { id: string }): ReactNode {
  const [busy, run] = useRun([getInvoice]);
  const again = (): Promise<void> =>
    run(async () => {
      const { files } = await call(fetchFilesAgain, { id });
      success(`平台给了 ${files} 个文件地址，正在取`);
    });
  return (
    <Act of={fetchFilesAgain}>
      <Button small busy={busy} onClick={() => void again()}>
        再取文件
      </Button>
    </Act>
  );
}
/** What went to the buyer by ourselves; where to is told to nobody here. */
function Sent({ of: { id, deliveries, ways, ours } }: { of: One }): ReactNode {
  const [busy, run] = useRun([getInvoice]);
  const again = (): Promise<void> =>
    run(async () => {
      const sent = await call(resendInvoice, { id });
      success(`正在发${sent.ways.map((way) => deliveryWay.label(way)).join("和")}，结果显示在这里`);
    });
  return (
    <Group
      title="发给购方"
      pairs={deliveries.map((one, at) => [
        deliveryWay.label(one.way),
        <span key={at}>
          {deliveryStatus.label(one.status)} <Time at={one.at} />
          {[one.byName === null ? "" : `${one.byName} 重新发送`, one.why ?? ""].filter((text) => text !== "").map((text) => ` · ${text}`)}
        </span>,
      ])}
    >
      {deliveries.length === 0 && <p className="note">{ours ? "没有自动发送过。" : "由开票平台通知购方，这里没有记录。"}</p>}
      {ways.length > 0 && (
        <Act of={resendInvoice}>
          <Button small busy={busy} onClick={() => void again()}>
            重新发送
          </Button>
        </Act>
      )}
    </Group>
  );
}
const OPERATIONS: Readonly<Record<string, string>> = {
  quota: "问额度",
  issue: "开票",
  query: "查询",
  seal: "重试签章",
  "red-request": "申请红字",
  "red-query": "查红字",
  "red-revoke": "撤销红字",
};
function Retry({ of: { id, status } }: { of: Pick<One, "id" | "status"> }): ReactNode {
  const [busy, run] = useRun(READS);
  const word = status === 3 ? "重试" : "再查";
  const again = (): Promise<void> =>
    run(async () => {
      await call(retryInvoice, { id });
      success(status === 3 ? "已重新提交，先查再发，不会开两张" : "正在问平台开没开出来");
    });
  return (
    <Act of={retryInvoice}>
      <Button tone="link" busy={busy} onClick={() => void again()}>
        {word}
      </Button>
    </Act>
  );
}
