import { z } from "zod";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";

/** Deletes a file whose record says that it is gone. As a job, so that a rolled back deletion keeps its file. */
export const deleteFile = job({
  name: "delete-export-file",
  data: z.object({ fileKey: z.string() }),
  async run(services, { fileKey }) {
    await openFiles(services.config).remove(fileKey);
  },
});
