import { read, write } from "@zhangfang/contract/endpoint.ts";
import { accentContrast, LEAST_CONTRAST, type AccentTheme } from "@zhangfang/contract/colour.ts";
import { done, id, line } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** What a picture of a brand may be, in bytes, pixels of a side, and pixels of both. */
export const PICTURE = { bytes: 180_000, side: 4_000, pixels: 8_000_000 } as const;
/** Where a picture of a brand is shown from. */
export const PICTURE_PATH = /^\/api\/brand-pictures\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const picture = z.string().regex(PICTURE_PATH, "图片须先上传").nullable();
const colour = (theme: AccentTheme) =>
  z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^#[0-9A-F]{6}$/, "颜色格式为 #RRGGBB")
    .refine((given) => !/^#[0-9A-F]{6}$/.test(given) || accentContrast(given, theme) >= LEAST_CONTRAST, {
      error: ({ input }) => {
        const given = String(input).toUpperCase();
        const found = /^#[0-9A-F]{6}$/.test(given) ? accentContrast(given, theme).toFixed(2) : "";
        return `对比度只有 ${found}，须不低于 4.5，请选${theme === "light" ? "更深" : "更浅"}的颜色`;
      },
    })
    .nullable();
/** A domain name without a port, in lower case. */
const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, "域名格式不正确，如 pay.example.com");

/** The brand that the provider's tree and its own domain names show. */
export const updateBrand = write({
  path: "/api/organisation/providers/brand",
  title: "设置服务商品牌",
  access: "/admin/serviceProvider/brand",
  input: z.object({
    id,
    version: z.int(),
    brandTitle: line(32).nullable(),
    logoUrl: picture,
    littleLogoUrl: picture,
    faviconUrl: picture,
    loginBackgroundUrl: picture,
    colourLight: colour("light"),
    colourDark: colour("dark"),
    icpNumber: line(40)
      .regex(/^$|ICP/i, "备案号应含 ICP，如 蜀ICP备2021000001号")
      .nullable(),
    hosts: z.array(host).max(20, "最多 20 个域名"),
  }),
  output: done,
});

/** Keeps a picture: PNG or JPEG by its content. The web has drawn it anew, smaller, before it sends it. */
export const addPicture = write({
  path: "/api/organisation/pictures",
  title: "上传品牌图片",
  access: ["/admin/serviceProvider/brand", "/admin/officialSite/edit"],
  input: z.object({ serviceProviderId: id, base64: z.base64("图片内容不正确").max(240_000, "图片过大") }),
  output: z.object({ url: z.string() }),
});
/** A picture by its number, for whoever asks: the login page shows it before anybody is known. */
export const getPicture = read({
  path: "/api/brand-pictures/:id",
  title: "品牌图片",
  access: "public",
  envelope: "file",
  input: z.object({ id }),
  output: z.unknown(),
});
