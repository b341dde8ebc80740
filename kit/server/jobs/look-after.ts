import { z } from "zod";
import { withScope, type Transaction } from "../database/db.ts";
import { job, type Job } from "./jobs.ts";
import { platformScope } from "../database/scope.ts";
import type { Services } from "../services.ts";

const AT_ONCE = 8;

/**
 * A job that comes round every minute, or more often, and takes up what is due, eight at a time: answers that were lost, moments that have
 * come. What fails is logged, comes round again, and holds up nothing else. A run ends before the next one begins.
 * @param given.due the rows whose moment has come by `now`, the oldest first and no more than a minute's work
 * @example export const queryRefunds = lookAfter({ name: "query-refunds", due: (tx, now) => …, one: chaseRefund });
 */
export function lookAfter<T>(given: {
  readonly name: string;
  /** Seconds between two rounds, where a minute is too long. */
  readonly every?: number;
  readonly due: (tx: Transaction, now: string) => Promise<readonly T[]>;
  readonly one: (services: Services, item: T) => Promise<void>;
}): Job {
  return job({
    name: given.name,
    data: z.object({}),
    every: given.every ?? "* * * * *",
    concurrency: 1,
    lease_s: 600,
    retryLimit: 0,
    run: async (services) => {
      const now = new Date(services.clock.now_ms()).toISOString();
      const due = await withScope(services.pool, platformScope(given.name), (tx) => given.due(tx, now), { readOnly: true });
      for (let from = 0; from < due.length; from += AT_ONCE) {
        const settled = await Promise.allSettled(due.slice(from, from + AT_ONCE).map((item) => given.one(services, item)));
        for (const result of settled)
          if (result.status === "rejected") services.log.error({ err: result.reason as unknown }, "will be looked at again");
      }
    },
  });
}
