import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const DAY_MS = 86_400_000;
/** Ended sessions stay this long for the device list and for an investigation. */
const SESSIONS_DAYS = 90;

/** Removes what has run out: captchas, codes, tickets, counted failures, old sessions and networks. */
export const purgeExpired = job({
  name: "purge-expired-sign-ins",
  data: z.object({}),
  every: "17 * * * *",
  concurrency: 1,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const before = (ms: number) => new Date(now_ms - ms).toISOString();
    await withScope(
      services.pool,
      platformScope("purge expired sign-ins"),
      async (tx) => {
        await tx.deleteFrom("captchas").where("expires_at", "<", before(0)).execute();
        await tx.deleteFrom("qr_requests").where("expires_at", "<", before(DAY_MS)).execute();
        await tx.deleteFrom("login_tickets").where("expires_at", "<", before(DAY_MS)).execute();
        await tx.deleteFrom("login_failures").where("last_at", "<", before(DAY_MS)).execute();
        await tx
          .deleteFrom("login_networks")
          .where("last_at", "<", before(SESSIONS_DAYS * DAY_MS))
          .execute();
        await tx
          .deleteFrom("sessions")
          .where("expires_at", "<", before(SESSIONS_DAYS * DAY_MS))
          .execute();
      },
      { deadline_ms: 60_000 },
    );
  },
});
