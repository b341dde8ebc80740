import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { CLOCK_MS } from "./check-device.ts";

/** Forgets nonces whose timestamps no longer pass: twice the clock's tolerance, because a device's clock may run ahead. */
export const purgeNonces = job({
  name: "purge-device-nonces",
  data: z.object({}),
  every: "*/10 * * * *",
  concurrency: 1,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - 3 * CLOCK_MS).toISOString();
    await withScope(
      services.pool,
      platformScope("purge device nonces"),
      (tx) => tx.deleteFrom("device_nonces").where("at", "<", before).execute(),
      { deadline_ms: 60_000 },
    );
  },
});
