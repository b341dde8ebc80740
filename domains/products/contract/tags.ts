import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { chosen } from "./products.ts";

const access = "/product/tag";
const edit = "/product/tag/edit";
export const tagFilters = { keyword: line(32).optional() };
const row = z.object({ id: z.string(), code: z.string(), name: z.string(), products: z.int(), createdAt: instant });
export const getTags = read({
  path: "/api/product-tags",
  title: "商品标签",
  access,
  input: listInput(tagFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const getTag = read({
  path: "/api/product-tags/:id",
  title: "商品标签详情",
  access,
  input: z.object({ id }),
  output: row,
});
export const addTag = write({
  path: "/api/product-tags/add",
  title: "新建商品标签",
  access: edit,
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    code: z.string().regex(/^[0-9A-Za-z_-]{1,32}$/, "标签编码为 1 到 32 位字母、数字、下划线或短横线"),
    name: line(32, 1, "请填写名称"),
  }),
  output: done.extend({ id: z.string() }),
});
/** The code stays: coupons name it. */
export const renameTag = write({
  path: "/api/product-tags/update",
  title: "修改商品标签",
  access: edit,
  input: z.object({ id, name: line(32, 1, "请填写名称") }),
  output: done,
});
export const removeTag = write({
  path: "/api/product-tags/remove",
  title: "删除商品标签",
  access: edit,
  input: z.object({ id }),
  output: done,
});
/** 打标签, 取消标签: the products of what is chosen, each with all its SKUs. */
export const tagProducts = write({
  path: "/api/product-tags/members",
  title: "商品打标签",
  access: edit,
  input: z.object({ tagId: id, on: z.boolean(), ...chosen }),
  output: z.object({ changed: z.int() }),
});
