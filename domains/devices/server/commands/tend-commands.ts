import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { COMMANDS_KEPT_DAYS, FILES_KEPT_DAYS } from "../../contract/index.ts";

/** Ends commands whose time is over, each minute; lets go of files and old commands. */
export const tendCommands = job({
  name: "tend-device-commands",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(
      services.pool,
      platformScope("tend device commands"),
      async (tx) => {
        await sql`update device_commands set status = 5, finished_at = ${now}::timestamptz where status in (0, 1) and expires_at <= ${now}::timestamptz`.execute(
          tx,
        );
        await sql`delete from device_files where created_at < ${now}::timestamptz - ${FILES_KEPT_DAYS} * interval '1 day'
          or command_id in (select id from device_commands where created_at < ${now}::timestamptz - ${COMMANDS_KEPT_DAYS} * interval '1 day')`.execute(
          tx,
        );
        await sql`delete from device_commands where created_at < ${now}::timestamptz - ${COMMANDS_KEPT_DAYS} * interval '1 day'`.execute(
          tx,
        );
        await sql`delete from device_outages where told_at < ${now}::timestamptz - ${COMMANDS_KEPT_DAYS} * interval '1 day'`.execute(tx);
      },
      { deadline_ms: 60_000 },
    );
  },
});
