import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { listStoreDays, storeDayStatus, summariseStoreDays } from "../../contract/index.ts";
import { ViewSwitch } from "../ViewSwitch.tsx";
import { DayPicker } from "./DayPicker.tsx";
import { storeDayPath } from "./store-day-links.ts";

type Row = RowOf<typeof listStoreDays>;

/** The stores of a day: what each came to, and what still hinders closing it. */
export function StoreDayList(): ReactNode {
  const list = useList(listStoreDays, { defaults: { day: today() } });
  const sums = useSummary(summariseStoreDays, list.filters).data;
  const navigate = useNavigate();
  const { level } = useUser();
  const open = ({ id, day }: Row): void => void navigate(storeDayPath({ storeId: id, day }));
  return (
    <ListScreen
      title="门店日"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: storeDayStatus,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={<OrgFilter of={list} levels={["merchantId", "storeId"]} />}
      actions={
        <>
          <DayPicker day={list.filters["day"] ?? today()} onChange={(day) => list.setFilters({ day })} />
          <ViewSwitch now="stores" />
        </>
      }
      columns={columnsOf(open, level === "SP")}
      onOpen={open}
      hrefOf={({ id, day }) => `#${storeDayPath({ storeId: id, day })}`}
      empty={{ text: "没有门店" }}
    />
  );
}

function columnsOf(open: (row: Row) => void, many: boolean): Column<Row>[] {
  const c = columns<Row>();
  return [
    c.link("storeName", "门店", open),
    ...(many ? [c.text("merchantName", "商户")] : []),
    c.code("status", "状态", storeDayStatus),
    c.text("blocks", "关账前后", (row) => <Left row={row} />),
    c.money("ownCents", "自收（元）"),
    c.money("voucherCents", "团购（元）"),
    c.money("takeawayCents", "外卖（元）"),
    c.money("totalCents", "当天合计（元）", { main: true }),
    c.text("closedBy", "关账人"),
  ];
}
function Left({ row: { status, empty, blocks, warns, changed } }: { row: Row }): ReactNode {
  if (status !== "open" && changed > 0) return <Tag tone="bad">{`${changed} 处变动`}</Tag>;
  if (status === "closed") return warns > 0 ? <span className="note">带 {warns} 件说明</span> : <span className="blank">—</span>;
  if (blocks > 0) return <Tag tone="bad">{`还差 ${blocks} 件`}</Tag>;
  if (empty) return <span className="note">没有收款</span>;
  return <Tag tone="good">可以关账</Tag>;
}
