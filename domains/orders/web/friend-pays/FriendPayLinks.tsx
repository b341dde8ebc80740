import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { friendPayState, listFriendPays, summariseFriendPays } from "../../contract/index.ts";
import { countsOf } from "../counts-of.ts";
import { percentOf } from "./percent-of.ts";

const c = columns<RowOf<typeof listFriendPays>>();

/** The links, newest first; a press opens the order behind one. */
export function FriendPayLinks({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listFriendPays, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseFriendPays, list.filters).data;
  const mayExport = useAct(["/dataCentre/daifu/export"]);
  const { level } = useUser();
  return (
    <ListScreen
      title="代付统计"
      unit="条"
      list={list}
      actions={views}
      tabs={{ of: list.field("state"), set: friendPayState, counts: countsOf(sums?.perState) }}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="生成时间" />
          <Keyword of={list.field("keyword")} label="单号" placeholder="完整订单号" />
          <OrgFilter of={list} />
        </>
      }
      totals={
        sums && [
          ["链接金额", <Money cents={sums.madeCents} symbol />],
          ["代付金额", <Money cents={sums.paidCents} symbol />],
          ["打开", sums.openedCount],
          ["代付率", percentOf(sums.paidCount, sums.madeCount)],
        ]
      }
      {...(mayExport && { exportSource: "friend-pays" })}
      columns={[
        c.link("orderNo", "订单号", { to: (row) => `/dataCentre/payOrder?id=${row.orderId}` }, { width: 244 }),
        c.text("merchantName", "商户", { hidden: level === "MCH" }),
        c.text("storeName", "门店"),
        c.text("subject", "商品"),
        c.money("amountCents", "金额（元）", { width: 110 }),
        c.code("state", "状态", friendPayState, { width: 92 }),
        c.text("orderer", "下单人", { width: 120 }),
        c.text("payer", "付款人", { width: 120 }),
        c.text("opened", "打开", (row) => (row.opened ? "已打开" : "未打开"), { width: 80 }),
        c.time("createdAt", "生成时间", { sort: "createdAt", width: 168 }),
        c.time("expiresAt", "失效时间", { hidden: true }),
        c.time("paidAt", "支付时间", { width: 168 }),
      ]}
      onOpen={false}
      empty={{ text: "近 7 天没有代付链接，收银端下单时选择“找朋友付”即可生成" }}
    />
  );
}
