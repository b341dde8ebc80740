import type { RawBuilder } from "kysely";
import { z } from "zod";
import type { Route } from "./call.ts";
import { withScope, type Transaction } from "../database/db.ts";
import { purgeFiles } from "../files/purge-files.ts";
import type { ExportSource } from "../lists/export-source.ts";
import type { ImportSource } from "../lists/import-source.ts";
import { job, type Job } from "../jobs/jobs.ts";
import { platformScope } from "../database/scope.ts";
import type { Services } from "../services.ts";

/** A reading of a domain's whole book that finds what should not be. */
export interface Verification {
  /** In the log: `ledger`. */
  readonly name: string;
  /** Every rule that does not hold, by sight of everybody's rows; empty where all is well. `now_ms` is the night's own moment. */
  readonly run: (tx: Transaction, now_ms: number) => Promise<readonly unknown[]>;
}

/**
 * What a domain brings to the service; the door `server/index.ts` ends in one. A field is for something that at least one
 * domain brings and somebody reads. A field that only a room's own kind can fill is declared by that room, beside its type:
 * `declare module "@zhangfang/server/calls/domain.ts" { interface Domain { readonly hearers?: … } }`.
 */
export interface Domain {
  readonly routes: readonly Route[];
  /** What it does after a commit or by the clock. */
  readonly jobs: readonly Job[];
  /** Lists that can be written to a file. */
  readonly exports: readonly ExportSource[];
  /** Things that a sheet can bring. */
  readonly imports: readonly ImportSource[];
  /** Read each night. */
  readonly verify?: Verification;
  /** Keys of files that its rows name, each with its provider, as a select of these two columns: what nobody names is purged. */
  readonly keptFiles?: RawBuilder<unknown>;
  /**
   * Of a provider that was restored from a save: holds back what would tell somebody something or pay somebody by itself, for the place that it
   * comes from may have done it since. What was asked for before the save goes on by its number, which both places know.
   */
  readonly holdBack?: (tx: Transaction, provider: string) => Promise<unknown>;
}

/**
 * A domain as one value; what it does not name it does not bring.
 * @example export const orders = domain({ routes: [listPayOrdersRoute], jobs: [queryPayments], exports: [payOrderExport] });
 */
export const domain = (given: Partial<Domain>): Domain => ({ routes: [], jobs: [], exports: [], imports: [], ...given });

/** Every job of the domains, the night's reading of their books, and what no row of theirs names. @example await prepareJobs(owner, jobsOf(domains)) */
export const jobsOf = (domains: readonly Domain[]): readonly Job[] => [
  ...domains.flatMap(({ jobs }) => jobs),
  verifyNightly(domains),
  purgeFiles(domains.flatMap(({ keptFiles }) => keptFiles ?? [])),
];

// One after the other; what does not hold is said loudly.
function verifyNightly(domains: readonly Domain[]): Job {
  return job({
    name: "verify-books",
    data: z.object({}),
    every: "40 3 * * *",
    lease_s: 3600,
    concurrency: 1,
    retryLimit: 2,
    run: async ({ pool, clock, log }) => {
      const failures: Error[] = [];
      for (const { verify } of domains) {
        if (!verify) continue;
        const within = { readOnly: true, deadline_ms: 1_500_000 };
        const read = withScope(pool, platformScope(`verify ${verify.name}`), (tx) => verify.run(tx, clock.now_ms()), within);
        // A book that cannot be read stops none of those after it; all are read again then.
        const breaches = await read.catch((error: unknown) => {
          log.error({ err: error, book: verify.name }, "a book could not be read");
          failures.push(error as Error);
          return undefined;
        });
        if (!breaches) continue;
        for (const breach of breaches) log.error({ breach, book: verify.name }, "breach in a book");
        if (breaches.length === 0) log.info({ book: verify.name }, "book verified");
      }
      if (failures.length > 0) throw failures[0];
    },
  });
}

// Under a symbol of the services themselves, so that a copy of them is tied as they are.
const TIED = Symbol("domains");
type Tied = Services & { [TIED]?: readonly Domain[] };

/**
 * Makes these domains the ones that these services run: who hears of money, who adds to an order's trace. Composition is a
 * value, named once where the services are opened.
 * @returns the same services
 * @example const services = tie({ config, pool, … }, domains);
 */
export function tie<S extends Services>(services: S, domains: readonly Domain[]): S {
  (services as Tied)[TIED] = domains;
  return services;
}
/**
 * The domains that these services were tied to.
 * @throws where they never were: money that moves past those who are to hear of it is worse than an error
 */
export function tiedTo(services: Services): readonly Domain[] {
  const domains = (services as Tied)[TIED];
  if (!domains) throw new Error("these services were never tied to their domains: tie(services, domains) where they are opened");
  return domains;
}
