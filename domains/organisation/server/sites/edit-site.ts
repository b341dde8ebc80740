import { sql } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { addSite, publishSite, updateSite, type siteContent } from "../../contract/index.ts";
import { checkPicture } from "../providers/brand/update-brand.ts";

const told = (content: z.output<typeof siteContent>) => ({ title: content.title, sections: content.sections.length });

/** 新增官网 at one of the provider's own domain names, which has none yet. */
export const addSiteRoute = implement(addSite, async (ctx, { host, atRoot, content }) => {
  const found = await ctx.tx
    .selectFrom("provider_hosts as h")
    .select("h.service_provider_id as provider")
    .where("h.host", "=", host)
    .where(inScope(ctx.scope, "h"))
    .executeTakeFirst();
  if (!found) throw invalid("host", "请选择服务商的自有域名");
  await checkPicture(ctx, found.provider, "content", content.bannerUrl);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const draft = JSON.stringify(content);
  const added = await ctx.tx
    .insertInto("official_sites")
    .values({ service_provider_id: found.provider, id, host, at_root: atRoot, draft, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "host"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("host", "该域名已有官网");
  ctx.note({ targetKind: "site", targetId: id, after: { host, atRoot, ...told(content) }, provider: found.provider });
  return { id };
});

/** A site in sight. @throws 404 */
async function findSite(ctx: Ctx, id: string) {
  const found = await ctx.tx
    .selectFrom("official_sites as s")
    .select(["s.service_provider_id as provider", "s.host", "s.at_root", "s.draft", "s.published_at"])
    .where("s.id", "=", id)
    .where(inScope(ctx.scope, "s"))
    .executeTakeFirst();
  if (!found) throw notFound("官网");
  return found;
}

/** 修改官网: the draft, over the version that was read. */
export const updateSiteRoute = implement(updateSite, async (ctx, { id, version, atRoot, content }) => {
  const before = await findSite(ctx, id);
  await checkPicture(ctx, before.provider, "content", content.bannerUrl);
  const values = { at_root: atRoot, draft: JSON.stringify(content), updated_at: ctx.now };
  await writeOver(ctx.tx, "official_sites", { service_provider_id: before.provider, id }, version, values, "官网");
  ctx.note({
    targetKind: "site",
    targetId: id,
    before: { atRoot: before.at_root, ...told(before.draft as z.output<typeof siteContent>) },
    after: { atRoot, ...told(content) },
    provider: before.provider,
  });
  return { ok: true as const };
});

/** 发布或下线官网: the draft as it was seen becomes what everybody sees, or nothing is seen any more. */
export const publishSiteRoute = implement(publishSite, async (ctx, { id, version, published }) => {
  const before = await findSite(ctx, id);
  const values = { published: published ? sql<string>`draft` : null, published_at: published ? ctx.now : null };
  await writeOver(ctx.tx, "official_sites", { service_provider_id: before.provider, id }, version, values, "官网");
  ctx.note({
    targetKind: "site",
    targetId: id,
    before: { host: before.host, published: before.published_at !== null },
    after: { host: before.host, published },
    provider: before.provider,
  });
  return { ok: true as const };
});
