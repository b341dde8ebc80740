import { sql } from "kysely";
import { domain, type Domain } from "@zhangfang/server/calls/domain.ts";
import type { ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { cancelExport } from "./cancel-export.ts";
import { deleteFile } from "./download/delete-file.ts";
import { downloadExportRoute } from "./download/download-export.ts";
import { linkExport } from "./download/link-export.ts";
import { holdBackMails, sendMails } from "./mail/send-mails.ts";
import { listExports } from "./list-exports.ts";
import { removeExportRoute } from "./remove-export.ts";
import { retryExport } from "./retry-export.ts";
import { sourcesOf } from "./sources.ts";
import { startExport } from "./start-export.ts";
import { exportQueue, type ExportQueue } from "./queue/queue-export.ts";
import { tendExportsJob } from "./queue/tend-exports.ts";
import { writeExportJob } from "./queue/write-export.ts";

export { mailUser } from "./mail/mail-user.ts";
export type { ExportQueue } from "./queue/queue-export.ts";

/** The domain of exports over the lists that can be exported; other domains bring those. `queue` is for who has files written by a job. */
export function exportsOver(list: readonly ExportSource[]): Domain & { readonly queue: ExportQueue } {
  const sources = sourcesOf(list);
  const write = writeExportJob(sources);
  const queue = exportQueue(sources, write);
  const made = domain({
    routes: [
      listExports(sources),
      startExport(queue),
      cancelExport(write),
      retryExport(sources, write),
      removeExportRoute,
      linkExport(sources),
      downloadExportRoute,
    ],
    jobs: [write, tendExportsJob(write), deleteFile, sendMails],
    holdBack: holdBackMails,
    keptFiles: sql`select unnest(array[f.file_key, f.run_id::text]), f.service_provider_id from export_files f`,
  });
  return { ...made, queue };
}
