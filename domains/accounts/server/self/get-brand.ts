import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { DEFAULT_TITLE, getBrand as endpoint } from "../../contract/self.ts";

/** The brand of a host that a provider has been given; a made-up Host header gets the default and learns nothing. */
export const getBrand = implement(endpoint, async (ctx) => {
  const host = ctx.incoming.host.toLowerCase().slice(0, 260);
  const found = await ctx.platform("brand", (tx) =>
    tx
      .selectFrom("service_providers")
      .select(["brand_title", "logo_url", "little_logo_url"])
      .where("state", "=", "active")
      .where(sql<boolean>`${host} = any(hosts)`)
      .executeTakeFirst(),
  );
  return { name: found?.brand_title ?? DEFAULT_TITLE, logoUrl: found?.logo_url ?? null, littleLogoUrl: found?.little_logo_url ?? null };
});
