import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { tellUser } from "../../messages/server/index.ts";
import { countLines } from "./own-import.ts";
import { opensAt, type Sources } from "./sources.ts";

const LOST_MS = 86_400_000;

/**
 * Every night: imports whose time is over go, with the personal data of the lines that were never made; what nobody took up for a day ends, and
 * whoever left the page hears of it.
 */
export const tendImports = (sources: Sources): Job =>
  job({
    name: "tend-imports",
    data: z.object({}),
    every: "40 3 * * *",
    concurrency: 1,
    async run(services) {
      const now_ms = services.clock.now_ms();
      const at = new Date(now_ms).toISOString();
      await withScope(services.pool, platformScope("tend-imports"), async (tx) => {
        const lost = await tx
          .updateTable("imports")
          .set({ status: 3, failure: "导入中断，请重新导入", finished_at: at })
          .where("status", "=", 1)
          .where((row) => row(row.fn.coalesce("tried_at", "created_at"), "<", new Date(now_ms - LOST_MS).toISOString()))
          .returning(["owner_user_id", "id", "file_name", "source"])
          .execute();
        for (const found of lost) {
          const { made } = await countLines(tx, found.owner_user_id, found.id);
          await tellUser(tx, found.owner_user_id, {
            kind: "import",
            title: `「${found.file_name}」没有导入完`,
            body: `导入中断，已导入 ${made} 行，其余请重新导入`,
            href: opensAt(sources, found.source, found.id),
            item: sources.get(found.source)?.access ?? "/",
            at,
          });
        }
        await tx.deleteFrom("imports").where("expires_at", "<", at).where("status", "<>", 1).execute();
      });
    },
  });
