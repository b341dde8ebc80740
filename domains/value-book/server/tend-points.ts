import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { tendPoints } from "./points.ts";

const AT_ONCE = 500;
const SCOPE = platformScope("points that begin and end");

/** Each night: points whose day has come, and those that have ended, a transaction for each member. What fails comes round the next night. */
export const tendPointsNightly = job({
  name: "tend-points",
  data: z.object({}),
  every: "5 0 * * *",
  concurrency: 1,
  lease_s: 3_600,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const today = shanghaiDay(now_ms);
    const failed = new Set<string>();
    for (;;) {
      const due = await withScope(services.pool, SCOPE, (tx) =>
        tx
          .selectFrom("point_lots")
          .select(["service_provider_id", "merchant_id", "member_id"])
          .distinct()
          .where("left_points", ">", 0)
          .where((where) =>
            where.or([where("expires_on", "<", today), where.and([where("pending", "=", true), where("usable_from", "<=", today)])]),
          )
          .orderBy("service_provider_id")
          .orderBy("merchant_id")
          .orderBy("member_id")
          .limit(AT_ONCE + failed.size)
          .execute(),
      );
      const left = due.filter(({ member_id }) => !failed.has(member_id));
      if (left.length === 0) return;
      for (const holder of left)
        await withScope(services.pool, SCOPE, (tx) => tendPoints(tx, { ids: services.ids, now_ms }, holder)).catch((error: unknown) => {
          failed.add(holder.member_id);
          services.log.error({ err: error, member: holder.member_id }, "points will be tended the next night");
        });
    }
  },
});
