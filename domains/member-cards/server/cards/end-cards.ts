import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { touchWxHolders } from "../wx/touch-wx.ts";

/** At 00:05: cards and activities whose last day was yesterday are over. What holders have stays theirs. */
export const endCards = job({
  name: "end-member-cards",
  data: z.object({}),
  every: "5 0 * * *",
  concurrency: 1,
  lease_s: 600,
  run: (services) =>
    withScope(services.pool, platformScope("member cards that end"), async (tx) => {
      const now_ms = services.clock.now_ms();
      const today = shanghaiDay(now_ms);
      const { rows } = await sql<{ service_provider_id: string; id: string }>`update member_cards set status = 5, revision = revision + 1
        where status in (1, 2, 3, 4) and ends_on < ${today}::date returning service_provider_id, id`.execute(tx);
      await sql`update card_activities set status = 3, revision = revision + 1 where status in (0, 1, 2) and last_day < ${today}::date`.execute(
        tx,
      );
      for (const card of rows) await touchWxHolders(tx, card, new Date(now_ms).toISOString());
    }),
});
