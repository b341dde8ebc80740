import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { commentStatus } from "../../contract/comments.ts";
import { commentColumns, commentFrom, commentInput, commentsWhere, type CommentFound } from "./comment-columns.ts";

const columns: readonly ExportColumn[] = [
  { key: "createdAt", label: "评价时间", kind: "time", width: 20 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "stars", label: "星级", kind: "count", width: 8 },
  { key: "said", label: "评价内容", kind: "text", width: 48 },
  { key: "pictures", label: "图片数", kind: "count", width: 8 },
  { key: "reply", label: "回复", kind: "text", width: 40 },
  { key: "repliedBy", label: "回复人", kind: "text", width: 14 },
  { key: "repliedAt", label: "回复时间", kind: "time", width: 20 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "hiddenReason", label: "隐藏原因", kind: "text", width: 24 },
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "subject", label: "商品", kind: "text", width: 20 },
  { key: "paidCents", label: "实收", kind: "money", width: 12 },
  { key: "payer", label: "付款人", kind: "text", width: 16 },
];

/** The comments as a file: the list's filter, its rows, in its order. */
export const commentExport: ExportSource<typeof commentInput> = {
  name: "order-comments",
  title: "订单评价",
  access: "/dataCentre/comment/export",
  input: commentInput,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`${commentFrom} where ${commentsWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<CommentFound>`select ${commentColumns} from ${commentFrom} where ${commentsWhere(scope, filter)} order by k.created_at desc, k.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map(({ pictureIds, ...row }) => ({ ...row, pictures: pictureIds.length, status: commentStatus.label(row.status) }));
  },
};
