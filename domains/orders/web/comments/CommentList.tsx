import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { commentStars, commentStatus, listComments, summariseComments } from "../../contract/index.ts";
import { countsOf } from "../counts-of.ts";
import { CommentDetail } from "./CommentDetail.tsx";
import { CommentFilters } from "./CommentFilters.tsx";
import { averageText, Stars } from "./Stars.tsx";

const c = columns<RowOf<typeof listComments>>();

/** The comments, newest first; a press opens one to answer it. */
export function CommentList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listComments, { defaults: { from: daysAgo(29), to: today() }, live_ms: 30_000 });
  const sums = useSummary(summariseComments, list.filters).data;
  const mayExport = useAct(["/dataCentre/comment/export"]);
  return (
    <ListScreen
      title="订单评价"
      unit="条"
      list={list}
      actions={views}
      tabs={{ of: list.field("stars"), set: commentStars, counts: countsOf(sums?.perStars) }}
      filters={<CommentFilters list={list} />}
      totals={
        sums && [
          ["平均", `${averageText(sums.average)} 星`],
          ["未回复", sums.unanswered],
          ["一二星", sums.poor],
        ]
      }
      {...(mayExport && { exportSource: "order-comments" })}
      columns={[
        c.time("createdAt", "评价时间", { sort: "createdAt", width: 168 }),
        c.text("stars", "星级", (row) => <Stars of={row.stars} />, { width: 104 }),
        c.text("said", "评价内容", (row) => row.said || <span className="blank">没有留言</span>, {
          width: 320,
          note: (row) => row.pictures.length > 0 && `${row.pictures.length} 张图片`,
        }),
        c.text("reply", "回复", (row) => row.reply, { width: 200 }),
        c.text("storeName", "门店"),
        c.code("status", "状态", commentStatus, { width: 84 }),
        c.text("orderNo", "订单号", { hidden: true, width: 240 }),
        c.text("subject", "商品", { hidden: true }),
        c.money("paidCents", "实收（元）", { hidden: true }),
        c.text("payer", "付款人", { hidden: true }),
        c.text("repliedBy", "回复人", { hidden: true }),
        c.time("repliedAt", "回复时间", { hidden: true }),
        c.text("hiddenReason", "隐藏原因", { hidden: true }),
        c.actions(
          (row) =>
            row.replyable &&
            row.reply === null && (
              <Button tone="link" onClick={() => list.open(row.id)}>
                回复
              </Button>
            ),
          { width: 64 },
        ),
      ]}
      empty={{ text: "近 30 天没有评价，顾客付款后可在付款结果页评价" }}
    >
      <CommentDetail list={list} />
    </ListScreen>
  );
}
