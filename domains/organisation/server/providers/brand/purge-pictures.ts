import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const DAY_MS = 86_400_000;
/** Removes pictures that were uploaded the day before and are shown nowhere. */
export const purgePictures = job({
  name: "purge-brand-pictures",
  data: z.object({}),
  every: "35 3 * * *",
  concurrency: 1,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - DAY_MS).toISOString();
    await withScope(services.pool, platformScope("unused pictures"), (tx) =>
      sql`delete from brand_pictures b using service_providers p where p.id = b.service_provider_id and b.created_at < ${before}
        and '/api/brand-pictures/' || b.id <> all (array[coalesce(p.logo_url, ''), coalesce(p.little_logo_url, ''),
          coalesce(p.favicon_url, ''), coalesce(p.login_background_url, '')])
        and not exists (select 1 from official_sites s where s.service_provider_id = b.service_provider_id
          and '/api/brand-pictures/' || b.id in (s.draft ->> 'bannerUrl', s.published ->> 'bannerUrl'))`.execute(tx),
    );
  },
});
