import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** Pictures that a merchant shows of itself. */
export const merchantPicture = labelled({ logo: "标志", licence: "营业执照" });
/** What one may be, in bytes, pixels of a side, and pixels of both: a licence is read, so it is larger than a logo. */
export const MERCHANT_PICTURE = { bytes: 180_000, side: 4_000, pixels: 8_000_000 } as const;

/** The own pictures as `data:` addresses, null where there is none: nobody else can ask for them by an address. */
export const getMerchantPictures = read({
  path: "/api/organisation/merchant-profile/pictures",
  title: "商户图片",
  access: "/merchants/info",
  input: z.object({}),
  output: z.object({ logo: z.string().nullable(), licence: z.string().nullable() }),
});
/** Null takes it away. */
export const setMerchantPicture = write({
  path: "/api/organisation/merchant-profile/picture",
  title: "上传商户图片",
  access: "/merchants/info/edit",
  input: z.object({
    kind: z.enum(["logo", "licence"], "请选择图片种类"),
    base64: z.base64("图片内容不正确").max(240_000, "图片过大").nullable(),
  }),
  output: done,
});
