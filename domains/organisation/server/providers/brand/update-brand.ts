import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { updateBrand } from "../../../contract/index.ts";
import { changeProvider, findProvider } from "../find-provider.ts";

/** 设置服务商品牌: what its tree and its own domain names show. Pictures are its own, and no domain name is another provider's. */
export const updateBrandRoute = implement(updateBrand, async (ctx, { id, version, ...given }) => {
  const before = await findProvider(ctx.tx, ctx.scope, id);
  const hosts = [...new Set(given.hosts)];
  for (const name of ["logoUrl", "littleLogoUrl", "faviconUrl", "loginBackgroundUrl"] as const)
    await checkPicture(ctx, id, name, given[name]);
  const taken = await sql<{ host: string }>`
    select host from provider_hosts where host = any(${hosts}) and service_provider_id <> ${id} limit 1`.execute(ctx.tx);
  if (taken.rows[0]) throw invalid("hosts", `域名 ${taken.rows[0].host} 已被其他服务商使用`);
  const values = {
    brand_title: given.brandTitle || null,
    logo_url: given.logoUrl,
    little_logo_url: given.littleLogoUrl,
    favicon_url: given.faviconUrl,
    login_background_url: given.loginBackgroundUrl,
    colour_light: given.colourLight,
    colour_dark: given.colourDark,
    icp_number: given.icpNumber || null,
    hosts,
  };
  await changeProvider(ctx.tx, id, version, values);
  const told = (row: typeof values) => ({ ...row });
  const { brand_title, logo_url, little_logo_url, favicon_url, login_background_url, colour_light, colour_dark, icp_number } = before;
  ctx.note({
    targetKind: "provider",
    targetId: id,
    before: told({
      brand_title,
      logo_url,
      little_logo_url,
      favicon_url,
      login_background_url,
      colour_light,
      colour_dark,
      icp_number,
      hosts: before.hosts,
    }),
    after: told(values),
    provider: id,
  });
  return { ok: true as const };
});

/** A picture of a brand was uploaded for this provider. @throws 400 at its field */
export async function checkPicture(ctx: Ctx, provider: string, field: string, url: string | null): Promise<void> {
  if (url === null) return;
  const found = await ctx.tx
    .selectFrom("brand_pictures")
    .select("id")
    .where("service_provider_id", "=", provider)
    .where("id", "=", url.slice(url.lastIndexOf("/") + 1))
    .executeTakeFirst();
  if (!found) throw invalid(field, "图片不存在，请重新上传");
}
