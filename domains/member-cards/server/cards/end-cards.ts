import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { touchWxHolders } from "../wx/touch-wx.ts";

interface Ended {
  readonly service_provider_id: string;
  readonly id: string;
  readonly what: "card" | "activity";
}
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
      const { rows } = await sql<Ended>`
        select c.service_provider_id, c.id, 'card' as what from member_cards c where c.status in (1, 2, 3, 4) and c.ends_on < ${today}::date
        union all select a.service_provider_id, a.id, 'activity' from card_activities a where a.status in (0, 1, 2) and a.last_day < ${today}::date
        order by 3 desc, 2`.execute(tx);
      for (const { service_provider_id, id, what } of rows) {
        if (what === "activity") {
          await sql`update card_activities set status = 3, revision = revision + 1
            where service_provider_id = ${service_provider_id} and id = ${id} and status in (0, 1, 2) and last_day < ${today}::date`.execute(
            tx,
          );
          continue;
        }
        // Whoever put the day off meanwhile keeps the card.
        const { numAffectedRows } = await sql`update member_cards set status = 5, revision = revision + 1
          where service_provider_id = ${service_provider_id} and id = ${id} and status in (1, 2, 3, 4) and ends_on < ${today}::date`.execute(
          tx,
        );
        if (numAffectedRows === 1n) await touchWxHolders(tx, { service_provider_id, id }, new Date(now_ms).toISOString());
      }
    }),
});
