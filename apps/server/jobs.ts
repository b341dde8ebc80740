import type { Job } from "@zhangfang/server/jobs.ts";

/** Everything that this service does after a commit or by the clock. */
export const jobs: readonly Job[] = [];
