import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { type FriendPayState, statFriendPays, summariseFriendPays } from "../../contract/index.ts";
import { percentOf } from "./percent-of.ts";

type Row = RowOf<typeof statFriendPays>;
const c = columns<Row>();
/** A count that leads to its links. */
const led = (column: Column<Row>, to: (row: Row, state?: FriendPayState) => string, state?: FriendPayState): Column<Row> => ({
  ...column,
  render: (row) =>
    row[column.key as "paidCount"] ? (
      <Link className="figure-link" to={to(row, state)}>
        {column.render(row)}
      </Link>
    ) : (
      column.render(row)
    ),
});

/** How many links were made, opened, paid and let expire; each row leads to its links. */
export function FriendPayStatistics({ by, views }: { by: "day" | "store"; views: ReactNode }): ReactNode {
  const list = useList(statFriendPays, { defaults: { from: daysAgo(6), to: today() } });
  const { from, to, serviceProviderId, agentId, businessTeamId, merchantId, storeId } = list.filters;
  const scope = { serviceProviderId, agentId, businessTeamId, merchantId, storeId };
  const mayExport = useAct(["/dataCentre/daifu/export"]);
  const sums = useSummary(summariseFriendPays, list.filters).data;
  const linksOf = (row: Row, state?: FriendPayState): string => {
    const narrowed = by === "day" ? { ...scope, from: row.id, to: row.id } : { ...scope, from, to, storeId: row.id };
    const query = Object.entries({ ...narrowed, state, view: "links" }).filter((pair): pair is [string, string] => pair[1] !== undefined);
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
          <DateRange of={list.range("from", "to")} label="生成时间" live />
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
      {...(mayExport && { exportSource: by === "day" ? "friend-pay-days" : "friend-pay-stores" })}
      columns={[
        c.link(by === "day" ? "day" : "storeName", title, { to: (row) => linksOf(row) }, { copy: false, width: 160 }),
        ...(by === "store" ? [c.text("merchantName", "商户")] : []),
        led(c.number("madeCount", "生成链接"), linksOf),
        led(c.money("madeCents", "链接金额（元）", { width: 128 }), linksOf),
        c.number("openedCount", "已打开"),
        led(c.number("paidCount", "好友已付"), linksOf, "paid"),
        led(c.money("paidCents", "代付金额（元）", { width: 128 }), linksOf, "paid"),
        { ...c.number("paidCount", "代付率", { width: 88 }), key: "rate", render: (row) => percentOf(row.paidCount, row.madeCount) },
        led(c.number("ownCount", "本人已付"), linksOf, "own"),
        led(c.number("expiredCount", "已过期"), linksOf, "expired"),
        led(c.number("waitingCount", "待代付"), linksOf, "waiting"),
      ]}
      onOpen={false}
      empty={{ text: "近 7 天没有代付链接，收银端下单时选择“找朋友付”即可生成" }}
    />
  );
}
