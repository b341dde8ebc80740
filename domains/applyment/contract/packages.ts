import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { packageChannel, packageState } from "./codes.ts";

/** 资料包 of a merchant, the newest first. */
export const listPackages = read({
  path: "/api/applyments/packages",
  title: "资料包",
  access: "/applyment/form",
  input: z.object({ merchantId: id }),
  output: z.object({
    items: z.array(
      z.object({
        id,
        channel: oneOf(packageChannel),
        state: oneOf(packageState),
        stateAt: instant,
        stateBy: z.string(),
        number: z.string(),
        reason: z.string(),
        pictures: z.int(),
        byName: z.string(),
        createdAt: instant,
      }),
    ),
  }),
});
/** 生成资料包: a copy of the papers as they are now. It holds them unmasked, so it needs the right to see them. */
export const addPackage = write({
  path: "/api/applyments/packages/add",
  title: "生成资料包",
  access: "/applyment/form/reveal",
  idempotent: "requestId",
  input: z.object({ requestId: id, merchantId: id, channel: oneOf(packageChannel) }),
  output: z.object({ id }),
});
/** An address of the file that ends within a minute; asking for it and each download are written down. */
export const lookAtPackage = write({
  path: "/api/applyments/packages/look",
  title: "下载资料包",
  access: "/applyment/form/reveal",
  input: z.object({ id }),
  output: z.object({ url: z.string() }),
});
export const getPackageFile = read({
  path: "/api/applyments/package/:token",
  title: "资料包文件",
  access: "public",
  envelope: "file",
  input: z.object({ token: line(64, 1) }),
  output: z.unknown(),
});
/** How it stands at the channel, by hand: 已生成 → 已提交 → 已通过 with its number, or 已驳回 with the reason. */
export const setPackageState = write({
  path: "/api/applyments/packages/state",
  title: "登记资料包状态",
  access: "/applyment/form/submit",
  input: z
    .object({
      id,
      state: oneOf(packageState),
      number: line(64).optional(),
      reason: line(500).optional(),
    })
    .refine(({ state, number }) => state !== "PASSED" || (number ?? "") !== "", { path: ["number"], message: "请填写通道给的商户号" })
    .refine(({ state, reason }) => state !== "REJECTED" || (reason ?? "") !== "", { path: ["reason"], message: "请填写驳回的原因" }),
  output: done,
});
