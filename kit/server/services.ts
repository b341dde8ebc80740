import type { Logger } from "pino";
import type pg from "pg";
import type { Clock, Ids } from "./clock.ts";
import type { Config } from "./config.ts";
import type { z } from "zod";
import type { Standbys } from "./database/servers/standbys.ts";
import type { Transaction } from "./database/transaction.ts";
import type { Metrics } from "./metrics.ts";

/** What handlers and jobs are given; one object for the life of the process, other ones in tests. */
export interface Services {
  readonly config: Config;
  readonly pool: pg.Pool;
  /** Where reads that bear a delay may run (DATABASE_READ_URLS). */
  readonly standbys?: Standbys;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Work done after a commit, at least once; a handler must bear being run again. */
export interface Job<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly data: S;
  /** Seconds before the first retry; doubled each time with jitter. */
  readonly retryDelay_s: number;
  readonly retryLimit: number;
  /** How long one run may take before it is handed to somebody else. */
  readonly lease_s: number;
  /** How many run at once in one process. */
  readonly concurrency: number;
  /** For work that comes round by itself: cron in Asia/Shanghai, or seconds where a minute is too long. */
  readonly every?: string | number;
  readonly run: (services: Services, data: z.output<S>) => Promise<void>;
}

export interface Jobs {
  /** Enqueues in the caller's transaction: it exists exactly when the transaction commits. */
  enqueue<S extends z.ZodType>(
    tx: Transaction,
    job: Job<S>,
    data: z.input<S>,
    options?: { after_s?: number; once?: string },
  ): Promise<void>;
  /** Starts taking work. */
  work(services: Services): Promise<void>;
  /** Stops taking work and waits for what runs, at most `timeout_ms`. */
  stop(timeout_ms: number): Promise<void>;
}
