import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, flag, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

export const commentStars = labelled({ 5: "五星", 4: "四星", 3: "三星", 2: "二星", 1: "一星" });
export type CommentStars = CodeOf<typeof commentStars>;
export const commentStatus = labelled({ shown: ["展示中", "good"], hidden: ["已隐藏", "ended"] });
export const commentView = labelled({ list: "评价", stores: "按门店" });

/** A comment is written within so many days after the payment. */
export const COMMENT_DAYS = 30;
/** What a picture may be at most; the page draws it anew within that. */
export const COMMENT_PICTURE = { side: 4_096, pixels: 8_000_000, bytes: 180_000, most: 6 } as const;

/** Text over several lines; only tabs and line ends of all control characters. */
const words = (most: number, least = 0, message = "请填写内容") =>
  z
    .string()
    .trim()
    .min(least, message)
    .max(most, `不能超过 ${most} 个字`)
    // eslint-disable-next-line no-control-regex -- they are what is refused
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, "含有不允许的字符");
const token = z.string().regex(/^[A-Za-z0-9_-]{44}$/, "评价链接无效");

/** What the payer's page shows; `closed` says why nothing can be written. */
export const getCommentPage = read({
  path: "/api/order-comments/page/:token",
  title: "评价页面",
  access: "public",
  rate: "poll",
  input: z.object({ token }),
  output: z.object({
    storeName: z.string(),
    merchantName: z.string(),
    brandName: z.string(),
    subject: z.string(),
    paidCents: cents,
    closed: z.string().nullable(),
    written: z
      .object({ stars: oneOf(commentStars), said: z.string(), reply: z.string().nullable(), pictures: z.array(z.string()) })
      .nullable(),
  }),
});
/** One picture at one of six places; another at the same place takes it over until the comment is written. */
export const addCommentPicture = write({
  path: "/api/order-comments/pictures",
  title: "上传评价图片",
  access: "public",
  rate: "login",
  input: z.object({
    token,
    place: z
      .int()
      .min(0)
      .max(COMMENT_PICTURE.most - 1),
    base64: z.string().min(40).max(250_000),
  }),
  output: z.object({ url: z.string() }),
});
/** Written once; the pictures at the places that are named stay with it. */
export const writeComment = write({
  path: "/api/order-comments",
  title: "提交评价",
  access: "public",
  rate: "login",
  input: z.object({
    token,
    stars: oneOf(commentStars),
    said: words(500).default(""),
    places: z
      .array(
        z
          .int()
          .min(0)
          .max(COMMENT_PICTURE.most - 1),
      )
      .max(COMMENT_PICTURE.most)
      .default([]),
  }),
  output: z.object({ ok: z.literal(true) }),
});
/** A picture by its signed address, as it is kept or smaller: a tile of a list, or what fits a phone. */
export const getCommentPicture = read({
  path: "/api/order-comments/pictures/:token",
  title: "评价图片",
  access: "public",
  envelope: "file",
  input: z.object({ token, size: z.enum(["small", "middle"]).optional() }),
  output: z.unknown(),
});

export const commentRow = z.object({
  id,
  orderId: id,
  orderNo: z.string(),
  merchantName: z.string(),
  storeName: z.string(),
  subject: z.string(),
  paidCents: cents,
  /** Masked. */
  payer: z.string().nullable(),
  stars: oneOf(commentStars),
  said: z.string(),
  pictures: z.array(z.string()),
  status: oneOf(commentStatus),
  hiddenReason: z.string().nullable(),
  hiddenBy: z.string().nullable(),
  hiddenAt: instant.nullable(),
  reply: z.string().nullable(),
  repliedBy: z.string().nullable(),
  repliedAt: instant.nullable(),
  createdAt: instant,
  paidAt: instant.nullable(),
  /** The caller may write or change the reply. */
  replyable: z.boolean(),
  /** The caller may hide it or show it again. */
  hideable: z.boolean(),
});
/** The one filter that the list, its sums and its export share; days are those of the comment. */
export const commentFilter = {
  ...scopeFilter,
  ...dateRange,
  /** An order number, whole; or words of the comment. */
  keyword: line(64).optional(),
  stars: oneOf(commentStars).optional(),
  status: oneOf(commentStatus).optional(),
  replied: flag.optional(),
  view: oneOf(commentView).optional(),
};
export const listComments = read({
  path: "/api/orders/comments",
  title: "订单评价",
  access: "/dataCentre/comment",
  input: listInput(commentFilter, ["-createdAt", "createdAt"]),
  output: listOutput(commentRow),
});
export const getComment = read({
  path: "/api/orders/comments/:id",
  title: "评价详情",
  access: "/dataCentre/comment",
  input: z.object({ id }),
  output: commentRow,
});
const figures = {
  count: z.int(),
  /** Stars in hundredths, of what is shown; null where nothing is. */
  average: z.int().nullable(),
  unanswered: z.int(),
  /** One and two stars. */
  poor: z.int(),
};
/** Over the whole filter; the counts by stars leave the stars out. What is hidden counts, but not for the average. */
export const summariseComments = read({
  path: "/api/orders/comments/summary",
  title: "订单评价合计",
  access: "/dataCentre/comment",
  input: z.object(commentFilter),
  output: z.object({ ...figures, perStars: z.array(z.object({ status: oneOf(commentStars), count: z.int() })) }),
});
/** The same figures for each store, the best first. */
export const statComments = read({
  path: "/api/orders/comments/stores",
  title: "门店评价",
  access: "/dataCentre/comment",
  bearsDelay: true,
  input: z.object(commentFilter),
  output: z.object({ items: z.array(z.object({ id, storeName: z.string(), ...figures })), next: z.null() }),
});
/** Writes the reply, or changes it once. */
export const replyComment = write({
  path: "/api/orders/comments/reply",
  title: "回复评价",
  access: "/dataCentre/comment/reply",
  input: z.object({ id, reply: words(500, 1, "请填写回复") }),
  output: z.object({ ok: z.literal(true) }),
});
export const hideComment = write({
  path: "/api/orders/comments/hide",
  title: "隐藏评价",
  access: "/dataCentre/comment/hide",
  input: z.object({ id, reason: line(80, 1, "请填写隐藏原因") }),
  output: z.object({ ok: z.literal(true) }),
});
export const showComment = write({
  path: "/api/orders/comments/show",
  title: "恢复评价",
  access: "/dataCentre/comment/hide",
  input: z.object({ id }),
  output: z.object({ ok: z.literal(true) }),
});
