import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";

const KEPT_MS = 90 * 86_400_000;
const AT_ONCE = 5_000;

/** Removes what is written down of calls, and of ways to WeChat's page of authorisation, that began more than 90 days ago. */
export const purgeWechatCalls = job({
  name: "purge-wechat-calls",
  data: z.object({}),
  every: "20 3 * * *",
  concurrency: 1,
  lease_s: 1_800,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - KEPT_MS).toISOString();
    for (let gone = AT_ONCE; gone === AT_ONCE;) {
      const { numAffectedRows } = await withScope(services.pool, platformScope("purge old calls to WeChat"), (tx) =>
        sql`delete from wx_calls c using (select o.service_provider_id, o.id from wx_calls o where o.started_at < ${before} order by o.started_at
          limit ${AT_ONCE}) o where c.service_provider_id = o.service_provider_id and c.id = o.id`.execute(tx),
      );
      gone = Number(numAffectedRows ?? 0n);
    }
    await withScope(services.pool, platformScope("purge old authorisations"), (tx) =>
      sql`delete from wx_authorisations w where w.created_at < ${before}`.execute(tx),
    );
  },
});
