import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/Money.tsx";
import { statFriendPays, summariseFriendPays } from "../../contract/index.ts";
import { percentOf } from "./percent-of.ts";

type Row = RowOf<typeof statFriendPays>;
const c = columns<Row>();

/** How many links were made, opened, paid and let expire; each row leads to its links. */
export function FriendPayStatistics({ by, views }: { by: "day" | "store"; views: ReactNode }): ReactNode {
  const list = useList(statFriendPays, { defaults: { from: daysAgo(6), to: today() } });
  const { from, to, serviceProviderId, agentId, businessTeamId, merchantId, storeId } = list.filters;
  const scope = { serviceProviderId, agentId, businessTeamId, merchantId, storeId };
  const sums = useSummary(summariseFriendPays, list.filters).data;
  const linksOf = (row: Row): string => {
    const narrowed = by === "day" ? { ...scope, from: row.id, to: row.id } : { ...scope, from, to, storeId: row.id };
    const query = Object.entries({ ...narrowed, view: "links" }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return `/dataCentre/daifu?${new URLSearchParams(query).toString()}`;
  };
  const title = by === "day" ? "日期" : "门店";
  return (
    <ListScreen
      title="代付统计"
      unit={by === "day" ? "天" : "家"}
      list={list}
      actions={views}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="生成时间" />
          <OrgFilter of={list} />
        </>
      }
      totals={
        sums && [
          ["生成", `${sums.madeCount} 条`],
          ["好友已付", `${sums.paidCount} 条`],
          ["代付率", percentOf(sums.paidCount, sums.madeCount)],
          ["过期", `${sums.expiredCount} 条`],
          ["代付金额", <Money cents={sums.paidCents} symbol />],
        ]
      }
      columns={[
        c.link(by === "day" ? "day" : "storeName", title, { to: linksOf }, { copy: false, width: 160 }),
        ...(by === "store" ? [c.text("merchantName", "商户")] : []),
        c.number("madeCount", "生成链接"),
        c.money("madeCents", "链接金额（元）", { width: 128 }),
        c.number("openedCount", "已打开"),
        c.number("paidCount", "好友已付"),
        c.money("paidCents", "代付金额（元）", { width: 128 }),
        c.text("rate", "代付率", (row) => percentOf(row.paidCount, row.madeCount), { width: 88 }),
        c.number("ownCount", "本人已付"),
        c.number("expiredCount", "已过期"),
        c.number("waitingCount", "待代付"),
      ]}
      onOpen={false}
      empty={{ text: "近 7 天没有代付链接，收银端下单时选择“找朋友付”即可生成" }}
    />
  );
}
