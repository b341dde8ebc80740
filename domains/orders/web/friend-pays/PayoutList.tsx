import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { listPayouts, payoutMethod, summarisePayouts, withdrawalStatus } from "../../../commissions/contract/index.ts";

const c = columns<RowOf<typeof listPayouts>>();

/** 商户代付: what was or is paid out to receivers of commission through a channel or a bank; a press opens the withdrawal. */
export function PayoutList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listPayouts, { defaults: { from: daysAgo(29), to: today() } });
  const sums = useSummary(summarisePayouts, list.filters).data;
  const mayExport = useAct(["/dataCentre/daifu/export"]);
  const { level } = useUser();
  return (
    <ListScreen
      title="代付统计"
      unit="笔"
      list={list}
      actions={views}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="申请时间" />
          <Keyword of={list.field("keyword")} label="收款方" placeholder="名称或提现单号" />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
          <Choice of={list.field("method")} label="打款方式" set={payoutMethod} />
          <Choice of={list.field("status")} label="状态" set={withdrawalStatus} />
        </>
      }
      totals={
        sums && [
          ["申请", <Money cents={sums.askedCents} symbol />],
          ["已到账", <Money cents={sums.arrivedCents} symbol />],
          ["手续费", <Money cents={sums.feeCents} symbol />],
        ]
      }
      {...(mayExport && { exportSource: "payouts" })}
      columns={[
        level === "MCH"
          ? c.text("withdrawalNo", "提现单号", { width: 244 })
          : c.link("withdrawalNo", "提现单号", { to: (row) => `/dataCentre/withdrawal?id=${row.id}` }, { width: 244 }),
        c.text("receiverName", "收款方"),
        c.text("serviceProviderName", "服务商", { hidden: level !== "ADMIN" }),
        c.code("method", "打款方式", payoutMethod, { width: 110 }),
        c.text("numberMask", "收款账号", { width: 150 }),
        c.money("netCents", "到账金额（元）", { width: 130 }),
        c.money("feeCents", "手续费（元）", { width: 110 }),
        c.code("status", "状态", withdrawalStatus, { width: 92 }),
        c.text("failure", "失败原因", { hidden: true }),
        c.text("channelNo", "通道单号", { hidden: true }),
        c.time("createdAt", "申请时间", { sort: "createdAt", width: 168 }),
        c.time("finishedAt", "完成时间", { width: 168 }),
      ]}
      onOpen={false}
      empty={{
        text: level === "MCH" ? "没有通过通道的打款：商户的款项由通道直接结算到商户账户" : "近 30 天没有打款，提现通过后在这里显示",
      }}
    />
  );
}
