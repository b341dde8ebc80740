import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { AlipayCertificates } from "../../../../channels/server/index.ts";
import { certificatesEnd } from "./read-certificates.ts";

/** Writes down when certificates end that were set before that was kept. Once dated they are not looked at again. */
export const dateCertificates = job({
  name: "date-certificates",
  data: z.object({}),
  every: "20 4 * * *",
  concurrency: 1,
  run: async ({ pool }) =>
    withScope(pool, platformScope("date certificates"), async (tx) => {
      const { rows } = await sql<{ service_provider_id: string; id: string; certificates: AlipayCertificates }>`
        select service_provider_id, id, certificates from channel_accounts where certificates is not null and certificates_until is null limit 1000`.execute(
        tx,
      );
      for (const { service_provider_id, id, certificates } of rows) {
        const until = certificatesEnd(certificates);
        if (until !== "")
          await sql`update channel_accounts set certificates_until = ${until}::timestamptz
            where service_provider_id = ${service_provider_id} and id = ${id} and certificates is not null and certificates_until is null`.execute(
            tx,
          );
      }
    }),
});
