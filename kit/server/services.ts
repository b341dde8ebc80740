import type { Logger } from "pino";
import type pg from "pg";
import type { Clock, Ids } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Metrics } from "./metrics.ts";

/** What handlers and jobs are given; one object for the life of the process, other ones in tests. */
export interface Services {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly metrics: Metrics;
}
