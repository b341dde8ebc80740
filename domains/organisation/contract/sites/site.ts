import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** Whether a site can be seen. */
export const siteState = labelled({ published: ["已发布", "good"], draft: ["未发布", "ended"] });
const picture = z
  .string()
  .regex(/^\/api\/brand-pictures\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "图片须先上传")
  .nullable();
/** What a site says: plain text, a picture of our own, and contacts. */
export const siteContent = z.object({
  title: line(40, 1, "请填写标题"),
  tagline: line(80),
  bannerUrl: picture,
  sections: z
    .array(z.object({ title: line(40, 1, "请填写小标题"), text: z.string().trim().min(1, "请填写内容").max(2000, "不能超过 2000 个字") }))
    .max(12, "最多 12 段"),
  phone: z
    .string()
    .trim()
    .regex(/^$|^[\d-]{5,20}$/, "电话只含数字和短横线"),
  email: z.union([z.literal(""), z.email("邮箱格式不正确").max(100)]),
  address: line(120),
  icpNumber: line(40).regex(/^$|ICP/i, "备案号应含 ICP，如 蜀ICP备2021000001号"),
});

/** One site in the list. */
export const siteRow = z.object({
  id,
  serviceProviderId: id,
  serviceProviderName: z.string(),
  host: z.string(),
  atRoot: z.boolean(),
  title: z.string(),
  state: oneOf(siteState),
  /** What is published is older than the draft. */
  changed: z.boolean(),
  publishedAt: instant.nullable(),
  updatedAt: instant,
  createdAt: instant,
});
export const siteFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  /** A part of the domain name or the title. */
  keyword: line(64).optional(),
  state: oneOf(siteState).optional(),
};
export const listSites = read({
  path: "/api/organisation/sites",
  title: "官网",
  access: "/admin/officialSite",
  input: listInput(siteFilter, ["-createdAt", "createdAt"]),
  output: listOutput(siteRow),
});
export const getSite = read({
  path: "/api/organisation/sites/:id",
  title: "官网详情",
  access: "/admin/officialSite",
  input: z.object({ id }),
  output: siteRow.extend({ version: z.int(), logoUrl: z.string().nullable(), content: siteContent }),
});
/** Domain names of providers in sight that have no site yet. */
export const listSiteHosts = read({
  path: "/api/organisation/site-hosts",
  title: "官网可用域名",
  access: "/admin/officialSite/edit",
  input: z.object({}),
  output: z.array(
    z.object({
      serviceProviderId: id,
      serviceProviderName: z.string(),
      host: z.string(),
      logoUrl: z.string().nullable(),
      icpNumber: z.string().nullable(),
    }),
  ),
});
/** Adds a site at one of the provider's own domain names, unpublished. */
export const addSite = write({
  path: "/api/organisation/sites/add",
  title: "新增官网",
  access: "/admin/officialSite/edit",
  idempotent: "requestId",
  input: z.object({ requestId: id, host: z.string().min(1, "请选择域名").max(253), atRoot: z.boolean(), content: siteContent }),
  output: z.object({ id }),
});
/** Changes the draft; what is published stays until it is published again. */
export const updateSite = write({
  path: "/api/organisation/sites/update",
  title: "修改官网",
  access: "/admin/officialSite/edit",
  input: z.object({ id, version: z.int(), atRoot: z.boolean(), content: siteContent }),
  output: done,
});
/** Publishes the draft as it stands, or takes the site off the air. */
export const publishSite = write({
  path: "/api/organisation/sites/publish",
  title: "发布或下线官网",
  access: "/admin/officialSite/publish",
  input: z.object({ id, version: z.int(), published: z.boolean() }),
  output: done,
});
