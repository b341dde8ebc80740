import { type ReactNode, useState } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  applicationStatus,
  buyerKind,
  cancelApplication,
  decideApplication,
  getApplication,
  invoiceKind,
  invoiceStatus,
  listApplications,
  revealBuyer,
  summariseApplications,
} from "../contract/index.ts";
import "./invoices.css";

type One = OutputOf<typeof getApplication>;
const READS = [listApplications, summariseApplications, getApplication];

/** 申请: what buyers asked for, and what became of it. */
export function ApplicationList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listApplications, { live_ms: 30_000 });
  const sums = useSummary(summariseApplications, list.filters).data;
  const one = useDetail(getApplication, list.openId && { id: list.openId });
  const decide = usePanel("decide");
  const mayExport = useAct(["/invoice/merchant/export"]);
  const c = columns<RowOf<typeof listApplications>>();
  return (
    <ListScreen
      title="商户开票配置"
      unit="个"
      list={list}
      actions={views}
      tabs={{ of: list.field("status"), set: applicationStatus, counts: sums?.byStatus }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="订单号" placeholder="支付订单号" />
          <Choice of={list.field("kind")} label="票种" set={invoiceKind} />
          <Choice of={list.field("buyer")} label="抬头" set={buyerKind} />
          <OrgFilter of={list} levels={["storeId"]} />
          <DateRange of={list.range("from", "to")} label="申请时间" />
        </>
      }
      totals={sums && [["金额", <Money key="sum" cents={sums.totalCents} symbol />]]}
      {...(mayExport && { exportSource: "invoice-applications" })}
      columns={[
        c.time("createdAt", "申请时间", { width: 168, sort: "-createdAt" }),
        c.link("title", "抬头", (row) => list.open(row.id), {
          width: 160,
          copy: false,
          note: (row) => `${buyerKind.label(row.buyer)}${row.taxNoTail === "" ? "" : ` · 税号 ${row.taxNoTail}`}`,
        }),
        c.code("kind", "票种", invoiceKind, { width: 96 }),
        c.money("totalCents", "金额（元）", { width: 120 }),
        c.number("orders", "订单", { width: 64 }),
        c.number("invoices", "发票", { width: 64 }),
        c.code("status", "状态", applicationStatus, { width: 88 }),
        c.text("subjectName", "开票主体", { width: 200 }),
        c.text("decidedBy", "审核人", { width: 96, hidden: true }),
        c.text("why", "说明", { width: 200 }),
        c.actions(
          (row) =>
            row.status === 0 && (
              <Act of={decideApplication}>
                <Button tone="link" onClick={() => decide.open(row.id)}>
                  审核
                </Button>
              </Act>
            ),
          { width: 72, of: [decideApplication] },
        ),
      ]}
      empty={{ text: "没有开票申请。顾客扫小票上的码、或在付款结果页点开发票就能申请" }}
    >
      {list.openId && (
        <DetailDrawer title="开票申请" of={one} onClose={list.close} extra={<Neighbours of={list} />}>
          {(found) => <Facts of={found} onDecide={() => decide.open(found.id)} />}
        </DetailDrawer>
      )}
      {decide.id && <Decide id={decide.id} onClose={decide.close} />}
    </ListScreen>
  );
}
/** As the server has it: nothing of it is on its way or issued. */
const cancellable = ({ status, ofInvoices }: One): boolean =>
  status < 2 && ofInvoices.every(({ status: at }) => at === 0 || at === 3 || at === 5 || at === 7);
function Facts({ of: one, onDecide }: { of: One; onDecide: () => void }): ReactNode {
  const orders = columns<One["ofOrders"][number]>();
  const invoices = columns<One["ofInvoices"][number]>();
  return (
    <>
      <HeroLine
        label={`${invoiceKind.label(one.kind)} · ${one.title}`}
        amount={one.totalCents}
        status={<StatusTag of={applicationStatus} code={one.status} />}
      />
      {one.why && <p className="notice notice-warn">{one.why}</p>}
      <p className="invoice-acts">
        {one.status === 0 && (
          <Act of={decideApplication}>
            <Button tone="primary" onClick={onDecide}>
              审核
            </Button>
          </Act>
        )}
        {cancellable(one) && <Cancel of={one} />}
      </p>
      <Buyer of={one} />
      <Group title="订单">
        <DataTable
          label="订单"
          rows={one.ofOrders}
          rowKey={(row) => row.orderId}
          columns={[
            orders.text("orderNo", "订单号", (row) => <Copy text={row.orderNo} />, { width: 240 }),
            orders.text("storeName", "门店", { width: 120 }),
            orders.time("paidAt", "付款时间", { width: 168 }),
            orders.money("cents", "可开（元）", { width: 112 }),
          ]}
        />
      </Group>
      {one.ofInvoices.length > 0 && (
        <Group title="发票">
          <DataTable
            label="发票"
            rows={one.ofInvoices}
            columns={[
              invoices.text(
                "invoiceNo",
                "发票号码",
                (row) => (row.invoiceNo ? <Copy text={row.invoiceNo} /> : <span className="blank">—</span>),
                { width: 224 },
              ),
              invoices.text("number", "流水号", (row) => <span className="num">{row.number}</span>, { width: 200 }),
              invoices.code("status", "状态", invoiceStatus, { width: 88 }),
              invoices.money("totalCents", "价税合计（元）", { width: 128 }),
            ]}
          />
        </Group>
      )}
      <Group
        title="记录"
        pairs={[
          ["申请时间", <Time key="at" at={one.createdAt} />],
          ["开票主体", one.subjectName],
          ["审核人", one.decidedBy],
          ["审核时间", one.decidedAt && <Time key="decided" at={one.decidedAt} />],
        ]}
      />
    </>
  );
}
/** Masked; in full by permission, and each look is kept. */
function Buyer({ of: { id, buyer, title, taxNoTail } }: { of: One }): ReactNode {
  const [shown, show] = useState<OutputOf<typeof revealBuyer>>();
  const [busy, run] = useRun([]);
  const look = (): Promise<void> => run(async () => show(await call(revealBuyer, { id })));
  return (
    <Group
      title="购方"
      pairs={
        shown
          ? [
              ["抬头", <Copy key="title" text={shown.title} />],
              ["税号", shown.taxNo && <Copy key="tax" text={shown.taxNo} />],
              ["地址", shown.address],
              ["电话", shown.phone],
              ["开户行", shown.bank],
              ["账号", shown.bankAccount],
              ["邮箱", shown.mail],
              ["手机", shown.mobile],
            ]
          : [
              ["抬头", `${title}（${buyerKind.label(buyer)}）`],
              ["税号", taxNoTail],
            ]
      }
    >
      {!shown && (
        <Act of={revealBuyer}>
          <Button busy={busy} onClick={() => void look()}>
            查看完整信息（会留记录）
          </Button>
        </Act>
      )}
    </Group>
  );
}
function Cancel({ of: { id, title, totalCents } }: { of: One }): ReactNode {
  const [busy, run] = useRun(READS);
  const cancel = async (): Promise<void> => {
    if (
      !(await confirm(`取消「${title}」${yuan(totalCents)} 元的申请？没开出的不再开，顾客可以重新申请。`, { ok: "取消申请", danger: true }))
    )
      return;
    await run(async () => {
      await call(cancelApplication, { id });
      success("已取消");
    });
  };
  return (
    <Act of={cancelApplication}>
      <Button busy={busy} onClick={() => void cancel()}>
        取消申请
      </Button>
    </Act>
  );
}
const verdict = labelled({ yes: "通过，马上开", no: "驳回" });
function Decide({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const one = useDetail(getApplication, { id });
  if (!one.data) return <WaitingDrawer title="审核开票申请" of={one} onClose={onClose} />;
  return <DecideForm of={one.data} onClose={onClose} />;
}
function DecideForm({ of: one, onClose }: { of: One; onClose: () => void }): ReactNode {
  const { id, title, totalCents, kind } = one;
  const form = useForm(decideApplication, {
    initial: { id, why: "" },
    draft: false,
    done: "已处理",
    refreshes: READS,
    onDone: onClose,
    ask: ({ approve }) =>
      approve
        ? { text: `给「${title}」开 ${yuan(totalCents)} 元${invoiceKind.label(kind)}？开出的发票只能红冲，不能作废。`, ok: "开票" }
        : undefined,
  });
  const { approve } = form.values;
  const field = form.field("approve");
  return (
    <FormDrawer
      form={form}
      title="审核开票申请"
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 开 ${yuan(totalCents)} 元` : "驳回"}
      danger={approve === false}
      onClose={onClose}
    >
      <Group
        title="申请"
        pairs={[
          ["抬头", `${title}（${buyerKind.label(one.buyer)}）`],
          ["票种", invoiceKind.label(kind)],
          ["金额", <Money key="sum" cents={totalCents} symbol />],
          ["订单", `${one.ofOrders.length} 笔`],
        ]}
      />
      <Buyer of={one} />
      <Field
        of={{
          name: "approve",
          value: approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const),
          error: field.error,
          set: (chosen) => field.set(chosen === undefined ? undefined : chosen === "yes"),
        }}
        label="审核结果"
      >
        {(f) => <Radios {...f} set={verdict} />}
      </Field>
      {approve === false && (
        <Field of={form.field("why")} label="原因" help="顾客会看到">
          {(f) => <TextArea {...f} maxLength={100} />}
        </Field>
      )}
    </FormDrawer>
  );
}
