import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { type Panel, usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type Level, useUser } from "@zhangfang/web/api/user.ts";
import {
  applyWithdrawal,
  decideWithdrawal,
  listWithdrawals,
  payoutMethod,
  receiver,
  recordWithdrawal,
  setPayoutSettings,
  summariseWithdrawals,
  withdrawalStatus,
} from "../../contract/index.ts";
import { AccountsDrawer } from "./AccountsDrawer.tsx";
import { AddAccountDrawer } from "./AddAccountDrawer.tsx";
import { ApplyDrawer } from "./ApplyDrawer.tsx";
import { DecideDrawer } from "./DecideDrawer.tsx";
import { MerchantSettlement } from "./MerchantSettlement.tsx";
import { RecordDrawer } from "./RecordDrawer.tsx";
import { SettingsDrawer } from "./SettingsDrawer.tsx";
import { WithdrawalDetail } from "./WithdrawalDetail.tsx";
import "../commissions.css";

type Row = RowOf<typeof listWithdrawals>;

/** 提现记录: who asked for what, and how it went. A merchant's money is settled by the channel itself, so that it has no records here. */
export function WithdrawalRecords(): ReactNode {
  return useUser().level === "MCH" ? <MerchantSettlement /> : <Records />;
}

function Records(): ReactNode {
  const list = useList(listWithdrawals, { live_ms: 15_000 });
  const sums = useSummary(summariseWithdrawals, list.filters).data;
  const mayExport = useAct(["/dataCentre/withdrawal/export"]);
  const { level } = useUser();
  const [apply, accounts, account] = [usePanel("apply"), usePanel("accounts"), usePanel("account")];
  const [decide, record, settings] = [usePanel("decide"), usePanel("record"), usePanel("settings")];
  return (
    <ListScreen
      title="提现记录"
      unit="笔"
      list={list}
      tabs={{
        of: list.field("status"),
        set: withdrawalStatus,
        counts: sums && Object.fromEntries(sums.perStatus.map(({ status, count }) => [status, count])),
      }}
      filters={<Filters list={list} level={level} />}
      actions={<Actions apply={apply} accounts={accounts} settings={settings} />}
      totals={
        sums && [
          ["申请", <Money cents={sums.askedCents} symbol />],
          ["已到账", <Money cents={sums.arrivedCents} symbol />],
          ["手续费", <Money cents={sums.feeCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "withdrawals" })}
      columns={recordColumns(list.open, level, decide.open, record.open)}
      empty={{
        text:
          level === "ADMIN" || level === "SP"
            ? "还没有提现申请。分润方申请后，在这里审核和打款"
            : "还没有提现。可提现金额在「我的分润」，申请后在这里看进度",
      }}
    >
      <WithdrawalDetail list={list} onDecide={decide.open} onRecord={record.open} />
      {apply.id && <ApplyDrawer onClose={apply.close} onAccount={() => account.open()} onDone={list.open} />}
      {accounts.id && <AccountsDrawer onClose={accounts.close} onAdd={() => account.open()} />}
      {account.id && <AddAccountDrawer onClose={() => accounts.open()} />}
      {decide.id && <DecideDrawer key={decide.id} id={decide.id} onClose={decide.close} />}
      {record.id && <RecordDrawer key={record.id} id={record.id} onClose={record.close} />}
      {settings.id && <SettingsDrawer onClose={settings.close} />}
    </ListScreen>
  );
}

function Actions({ apply, accounts, settings }: { apply: Panel; accounts: Panel; settings: Panel }): ReactNode {
  return (
    <>
      <Act of={setPayoutSettings}>
        <Button onClick={() => settings.open()}>提现设置</Button>
      </Act>
      <Act of={applyWithdrawal}>
        <Link className="btn btn-plain" to="/dataCentre/shareProfit/own">
          我的分润
        </Link>
        <Button onClick={() => accounts.open()}>收款账户</Button>
        <Button tone="primary" onClick={() => apply.open()}>
          申请提现
        </Button>
      </Act>
    </>
  );
}

function Filters({ list, level }: { list: List<typeof listWithdrawals>; level: Level | undefined }): ReactNode {
  const above = level === "ADMIN" || level === "SP";
  return (
    <>
      <DateRange of={list.range("from", "to")} label="申请时间" />
      <Keyword of={list.field("keyword")} label="查找" placeholder={above ? "提现单号 / 分润方" : "提现单号"} />
      {above && <Choice of={list.field("receiver")} label="类型" set={receiver} />}
      <Choice of={list.field("method")} label="方式" set={payoutMethod} />
      {above && <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId"]} />}
    </>
  );
}

function recordColumns(
  open: (id: string) => void,
  level: Level | undefined,
  decide: (id: string) => void,
  record: (id: string) => void,
): Column<Row>[] {
  const c = columns<Row>();
  const above = level === "ADMIN" || level === "SP";
  return [
    c.link("withdrawalNo", "提现单号", (row) => open(row.id), { width: 252 }),
    c.text("receiverName", "分润方", { width: 128, hidden: !above, note: (row) => receiver.label(row.receiver) }),
    c.text("serviceProviderName", "服务商", { width: 128, hidden: level !== "ADMIN" }),
    c.money("askedCents", "提现（元）", { width: 112 }),
    c.money("feeCents", "手续费（元）", { width: 104, hidden: true }),
    c.money("netCents", "到账（元）", { width: 112 }),
    c.code("status", "状态", withdrawalStatus, { width: 92 }),
    c.text("numberMask", "收款账户", (row) => <span className="num">{row.numberMask}</span>, {
      width: 156,
      note: (row) => [row.bankName ?? payoutMethod.label(row.method), row.holderMask].join(" · "),
    }),
    c.time("createdAt", "申请时间", { width: 172, sort: "createdAt" }),
    c.text("appliedByName", "申请人", { width: 96, hidden: true }),
    c.time("finishedAt", "完成时间", { width: 172, hidden: true }),
    c.text("failure", "失败原因", { width: 180, hidden: true }),
    c.actions(
      (row) => (
        <>
          {row.decidable && (
            <Button tone="link" onClick={() => decide(row.id)}>
              审核
            </Button>
          )}
          {row.recordable && row.status === 2 && (
            <Button tone="link" onClick={() => record(row.id)}>
              登记
            </Button>
          )}
        </>
      ),
      { width: 80, of: [decideWithdrawal, recordWithdrawal] },
    ),
  ];
}
