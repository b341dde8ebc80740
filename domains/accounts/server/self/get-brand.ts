import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { DEFAULT_TITLE, getBrand } from "../../contract/self.ts";

/** The brand of a host that a provider has been given; a made-up Host header gets the default and learns nothing. */
export const getBrandRoute = implement(getBrand, async (ctx) => {
  const host = ctx.incoming.host.toLowerCase().slice(0, 260);
  const [found, preparing] = await ctx.platform(
    "brand",
    async (tx) =>
      [
        await tx
          .selectFrom("provider_hosts as h")
          .innerJoin("service_providers as p", "p.id", "h.service_provider_id")
          .select(["p.brand_title", "p.logo_url", "p.little_logo_url", "p.favicon_url", "p.colour_light", "p.colour_dark", "p.icp_number"])
          .select("p.login_background_url")
          .where("p.state", "=", "active")
          .where("h.host", "=", host)
          .executeTakeFirst(),
        // Only a service with a demo may be making one.
        ctx.services.config.demo ? await percentMade(tx) : undefined,
      ] as const,
  );
  return {
    preparing: preparing ?? null,
    name: found?.brand_title ?? DEFAULT_TITLE,
    logoUrl: found?.logo_url ?? null,
    littleLogoUrl: found?.little_logo_url ?? null,
    faviconUrl: found?.favicon_url ?? null,
    colourLight: found?.colour_light ?? null,
    colourDark: found?.colour_dark ?? null,
    icpNumber: found?.icp_number ?? null,
    loginBackgroundUrl: found?.login_background_url ?? null,
  };
});

const percentMade = async (tx: Transaction): Promise<number | undefined> =>
  (await tx.selectFrom("demo_world").select("percent").where("finished_at", "is", null).executeTakeFirst())?.percent;
