import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { holdingWay, listHolders, summariseHolders } from "../contract/index.ts";

const c = columns<RowOf<typeof listHolders>>();

/** 持卡会员: who has which card, since when and from where. */
export function HolderList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listHolders);
  const sums = useSummary(summariseHolders, list.filters).data;
  const mayExport = useAct(["/memberCard/card/export"]);
  return (
    <ListScreen
      title="会员卡"
      unit="张"
      list={list}
      actions={views}
      totals={sums && [["持卡", `${sums.count.toLocaleString("en-US")} 张`]]}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="开卡时间" />
          <Keyword of={list.field("keyword")} label="号码" placeholder="卡号 / 会员号" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      {...(mayExport && { exportSource: "card-holders" })}
      columns={[
        c.text("code", "卡号", { width: 144 }),
        c.text("cardName", "会员卡", { width: 144 }),
        c.text("memberNo", "会员号", { width: 120 }),
        c.text("storeName", "开卡门店", { width: 144 }),
        c.code("way", "来源", holdingWay, { width: 88 }),
        c.text("by", "操作", { width: 128 }),
        c.time("createdAt", "开卡时间", { sort: "createdAt", width: 168 }),
      ]}
      onOpen={false}
      empty={{ text: "还没有会员持卡；启用一张卡，之后入会的会员会自动拿到" }}
    />
  );
}
