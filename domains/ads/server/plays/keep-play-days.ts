import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

/** Plays are kept so many days; their sums stay. */
const KEPT_DAYS = 90;
const AHEAD_DAYS = 7;
const PAST_DAYS = 30;

/** Makes the partitions of the coming days, so that no report has to, drops those whose days are over, and forgets what ads were that no device tells of any more. */
export const keepPlayDays = job({
  name: "keep-ad-play-days",
  data: z.object({}),
  every: "7 */6 * * *",
  concurrency: 1,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    const days = Array.from({ length: AHEAD_DAYS + 1 }, (_none, at) => addDays(today, at));
    await withScope(services.pool, platformScope("ad play days"), async (tx) => {
      await sql`delete from ads_past where until < ${addDays(today, -PAST_DAYS)}::date`.execute(tx);
      await sql`select app.ad_plays_days(${days}::date[])`.execute(tx);
      await sql`select app.drop_ad_plays(${addDays(today, -KEPT_DAYS)}::date)`.execute(tx);
    });
  },
});
