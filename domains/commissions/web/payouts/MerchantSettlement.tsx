import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { may, useUser } from "@zhangfang/web/api/user.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getMerchantProfile } from "../../../organisation/contract/index.ts";
import { billSource, dayState, listReconDays, summariseReconDays } from "../../../reconciliation/contract/index.ts";

/** A merchant's money is settled by its channels: what they settle each day by their own bills, and to which account. */
export function MerchantSettlement(): ReactNode {
  return may(useUser(), ["/reconciliation/bill"]) ? <Settled /> : <Told />;
}

function Settled(): ReactNode {
  const list = useList(listReconDays, { defaults: { from: daysAgo(30), to: daysAgo(1), group: "channel" } });
  const mayExport = useAct(["/reconciliation/bill/export"]);
  const sums = useSummary(summariseReconDays, list.filters).data;
  // Whoever sees some of the stores only has no bills: they are of the whole merchant.
  if (list.error?.status === 403) return <Told />;
  return (
    <ListScreen
      title="提现记录"
      unit="天"
      list={list}
      filters={<DateRange of={list.range("from", "to")} label="账单日期" whole />}
      figures={<Account />}
      {...(mayExport && { exportSource: "recon-days" })}
      totals={
        sums && [
          ["应结算", <Money cents={sums.settledCents} symbol />],
          ["账单收款", <Money cents={sums.bill.payCents} symbol />],
          ["账单退款", <Money cents={sums.bill.refundCents} symbol />],
          ["手续费", <Money cents={sums.bill.feeCents} symbol />],
        ]
      }
      columns={settledColumns()}
      onOpen={false}
      empty={{ text: "还没有通道账单。账单每天 10 点后自动获取，对上之后这里就有每天的应结算金额。" }}
    />
  );
}

type Day = RowOf<typeof listReconDays>;
function settledColumns(): Column<Day>[] {
  const c = columns<Day>();
  return [
    c.text("day", "账单日期", (row) => <Link to={`/reconciliation/bill?id=${row.id}`}>{row.day}</Link>, { width: 124, sort: "day" }),
    c.code("source", "通道", billSource, { width: 120 }),
    c.money("settledCents", "应结算（元）", { width: 132, hint: "通道账单写明要结算到商户的金额：收款减退款减手续费" }),
    c.money("billPay", "账单收款（元）", (row) => row.bill.payCents, { width: 132 }),
    c.money("billRefund", "账单退款（元）", (row) => row.bill.refundCents, { width: 132 }),
    c.money("billFee", "手续费（元）", (row) => row.bill.feeCents, { width: 116 }),
    c.code("state", "对账状态", dayState, { width: 108 }),
  ];
}

/** To whom the channels pay out, and that nobody can do so here. */
function Account(): ReactNode {
  const mayAsk = may(useUser(), ["/merchants/info"]);
  const { data } = useDetail(getMerchantProfile, mayAsk ? {} : undefined);
  const account =
    data && (data.settleTail === null ? "还没有填写" : `${data.settleBank ?? ""} **** ${data.settleTail} ${data.settleHolder ?? ""}`);
  return (
    <div className="sheet settlement-note">
      <p>货款由支付通道按签约周期直接结算到商户在通道登记的账户，不经过本系统，不需要在这里提现。到账明细以通道的商户平台为准。</p>
      {account && (
        <p>
          登记的结算账户：<span className="num">{account}</span> <Link to="/merchants/info">商户信息</Link>
        </p>
      )}
    </div>
  );
}

function Told(): ReactNode {
  return (
    <section aria-label="提现记录">
      <header className="screen-head">
        <h1>提现记录</h1>
      </header>
      <Account />
    </section>
  );
}
