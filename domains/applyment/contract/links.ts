import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { severity, step } from "./codes.ts";

const edit = "/applyment/form/edit";
const steps = z.array(oneOf(step)).min(1, "请选择让商户填哪几步").max(5);
/** 商户填写链接 of a merchant, the newest first; the address of one that is over is not told. */
export const listApplymentLinks = read({
  path: "/api/applyments/links",
  title: "商户填写链接",
  access: edit,
  input: z.object({ merchantId: id }),
  output: z.object({
    items: z.array(
      z.object({
        id,
        steps,
        url: z.string().nullable(),
        expiresAt: instant,
        revokedAt: instant.nullable(),
        savedAt: instant.nullable(),
        byName: z.string(),
        createdAt: instant,
      }),
    ),
  }),
});
/** A link for some steps: whoever holds it reads and writes these alone, secrets masked, until it ends. */
export const addApplymentLink = write({
  path: "/api/applyments/links/add",
  title: "生成商户填写链接",
  access: edit,
  idempotent: "requestId",
  input: z.object({ requestId: id, merchantId: id, steps, days: z.int().min(1, "至少 1 天").max(30, "最多 30 天") }),
  /** Its address stands in the list and in nothing that is kept of this call. */
  output: z.object({ id }),
});
export const revokeApplymentLink = write({
  path: "/api/applyments/links/revoke",
  title: "停用商户填写链接",
  access: edit,
  input: z.object({ id }),
  output: done,
});

const token = line(64, 1);
const path = z.string().max(40);
const value = z.union([z.string().max(512, "不能超过 512 个字"), z.array(z.string().max(64)).max(10, "最多 10 项")]);
const filled = {
  /** The fields that are to be filled in now, of the named steps. */
  paths: z.array(path),
  values: z.record(z.string(), value),
  versions: z.record(z.string(), z.int()),
  findings: z.array(z.object({ path, severity: oneOf(severity), text: z.string() })),
  /** Why WeChat Pay sent fields of these steps back; `untouched`: the field still holds what was sent back. */
  rejected: z.array(z.object({ path, reason: z.string(), untouched: z.boolean() })),
};
/** 商户填写资料: the named steps as they stand, secrets masked. A link that is over, taken back or not ours is one answer. */
export const getFillPage = read({
  path: "/api/applyment-page/:token",
  title: "商户填写资料",
  access: "public",
  rate: "poll",
  input: z.object({ token }),
  output: z.object({
    ...filled,
    brandName: z.string(),
    merchantName: z.string(),
    steps,
    micro: z.boolean(),
    until: instant,
    /** Why nothing can be changed now. */
    closed: z.string().nullable(),
    regions: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        cities: z.array(z.object({ code: z.string(), name: z.string(), districts: z.array(z.string()) })),
      }),
    ),
  }),
});
/** Fields of the named steps, each over the version that was read. */
export const saveFillPage = write({
  path: "/api/applyment-page/save",
  title: "商户填写开户资料",
  access: "public",
  rate: "login",
  input: z.object({
    token,
    changes: z
      .array(z.object({ path, value, version: z.int().min(0) }))
      .min(1, "没有要保存的内容")
      .max(30, "一次最多保存 30 栏"),
  }),
  output: z.object(filled),
});
export const addFillFile = write({
  path: "/api/applyment-page/picture",
  title: "商户上传进件图片",
  access: "public",
  rate: "login",
  input: z.object({ token, base64: z.string().min(1, "请选择图片").max(245_000, "图片不能超过 180 KB，请缩小后再传") }),
  output: z.object({ id }),
});
