import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { commentStatus } from "../../contract/comments.ts";
import { commentInput, type CommentFound } from "./comment-columns.ts";
import { commentsListed } from "./list-comments.ts";

/** The comments as a file: the list's filter, its rows, in its order. */
export const commentExport: ExportSource<typeof commentInput> = {
  name: "order-comments",
  title: "订单评价",
  access: "/dataCentre/comment/export",
  input: commentInput,
  columns: [
    exportColumn("createdAt", "评价时间", 20, "time"),
    exportColumn("storeName", "门店", 18),
    exportColumn("stars", "星级", 8, "count"),
    exportColumn("said", "评价内容", 48),
    exportColumn("pictures", "图片数", 8, "count"),
    exportColumn("reply", "回复", 40),
    exportColumn("repliedBy", "回复人", 14),
    exportColumn("repliedAt", "回复时间", 20, "time"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("hiddenReason", "隐藏原因", 24),
    exportColumn("orderNo", "订单号", 28),
    exportColumn("subject", "商品", 20),
    exportColumn("paidCents", "实收", 12, "money"),
    exportColumn("payer", "付款人", 16),
  ],
  ...fileOf(commentsListed, ({ pictureIds, ...row }: CommentFound) => ({
    ...row,
    pictures: pictureIds.length,
    status: commentStatus.label(row.status),
  })),
};
