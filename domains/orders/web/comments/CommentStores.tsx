import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { statComments, summariseComments } from "../../contract/index.ts";
import { CommentFilters } from "./CommentFilters.tsx";
import { averageText } from "./Stars.tsx";

const c = columns<RowOf<typeof statComments>>();

/** How each store stands with those who paid there, the best first; a press leads to its comments. */
export function CommentStores({ views }: { views: ReactNode }): ReactNode {
  const list = useList(statComments, { defaults: { from: daysAgo(29), to: today() } });
  const sums = useSummary(summariseComments, list.filters).data;
  const { from = "", to = "" } = list.filters;
  return (
    <ListScreen
      title="订单评价"
      unit="家"
      list={list}
      actions={views}
      filters={<CommentFilters list={list} live />}
      totals={
        sums && [
          ["评价", `${sums.count} 条`],
          ["平均", `${averageText(sums.average)} 星`],
          ["未回复", sums.unanswered],
        ]
      }
      columns={[
        c.link(
          "storeName",
          "门店",
          { to: (row) => `/dataCentre/comment?${new URLSearchParams({ view: "list", storeId: row.id, from, to }).toString()}` },
          { copy: false, width: 200 },
        ),
        c.number("average", "平均星级", (row) => (row.average === null ? null : row.average / 100), { width: 104 }),
        c.number("count", "评价数"),
        c.number("unanswered", "未回复"),
        c.number("poor", "一二星"),
      ]}
      onOpen={false}
      empty={{ text: "近 30 天没有评价，顾客付款后可在付款结果页评价" }}
    />
  );
}
