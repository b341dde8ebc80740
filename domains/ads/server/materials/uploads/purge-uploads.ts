import { z } from "zod";
import { withScope } from "@zhangfang/server/db.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { dropFiles } from "../drop-files.ts";
import { pieceKeys } from "./policy.ts";

const AT_ONCE = 200;
/** Forgets uploads that nobody went on with for a day, with the pieces that came, and those long over. */
export const purgeUploads = job({
  name: "purge-ad-uploads",
  data: z.object({}),
  every: "10 * * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, platformScope("purge ad uploads"), async (tx) => {
      const left = await tx
        .selectFrom("ad_uploads")
        .select(["id", "piece_count", "status"])
        .where("expires_at", "<", now)
        .orderBy("expires_at")
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked()
        .execute();
      if (left.length === 0) return;
      await dropFiles({ tx, services }, left.filter(({ status }) => status === "uploading").flatMap(pieceKeys));
      await tx
        .deleteFrom("ad_uploads")
        .where(
          "id",
          "in",
          left.map(({ id }) => id),
        )
        .execute();
    });
  },
});
