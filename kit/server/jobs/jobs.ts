import { PgBoss } from "pg-boss";
import type pg from "pg";
import { z } from "zod";
import { askNamed, clientOf } from "../database/db.ts";
import { RUNTIME_ROLE } from "../database/migrate.ts";
import type { Job, Jobs, Services } from "../services.ts";

export type { Job, Jobs } from "../services.ts";

/**
 * Declares a job.
 * @example export const sendRefund = job({ name: "send-refund", data: z.object({ refundId: id }), run: async (services, data) => … });
 */
export function job<S extends z.ZodType>(given: Pick<Job<S>, "name" | "data" | "run"> & Partial<Job<S>>): Job<S> {
  return { retryDelay_s: 2, retryLimit: 12, lease_s: 120, concurrency: 2, ...given };
}

/** Servers that start side by side make the queues one after the other: rights of one schema given twice at once are an error. */
const LOCK = 7_310_022;

/**
 * Makes the queues, takes away the rounds of jobs that no longer are, and gives the runtime role its rights; run by the
 * owner at start, beside the migrations. Safe to run from several processes at once.
 */
export async function prepareJobs(owner: pg.ClientConfig, jobs: readonly Job[]): Promise<void> {
  const { Client } = (await import("pg")).default;
  const client = new Client(owner);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await makeQueues(owner, jobs);
    await client.query(
      `grant usage on schema pgboss to ${RUNTIME_ROLE}; grant select, insert, update, delete on all tables in schema pgboss to ${RUNTIME_ROLE}; grant execute on all functions in schema pgboss to ${RUNTIME_ROLE}`,
    );
  } finally {
    await client.end();
  }
}

async function makeQueues(owner: pg.ClientConfig, jobs: readonly Job[]): Promise<void> {
  const boss = new PgBoss({ ...(owner as object), max: 1, schedule: false, supervise: false });
  boss.on("error", () => {});
  await boss.start();
  try {
    for (const { name, retryDelay_s, retryLimit, lease_s } of jobs) {
      const options = { retryDelay: retryDelay_s, retryBackoff: true, retryDelayMax: 300, retryLimit, expireInSeconds: lease_s };
      if (await boss.getQueue(name)) await boss.updateQueue(name, options);
      else await boss.createQueue(name, { ...options, policy: "standard" });
    }
    // Cron rounds only: what comes round by seconds is asked for by the servers themselves.
    const rounds = new Set(jobs.filter(({ every }) => typeof every === "string").map(({ name }) => name));
    for (const { name } of await boss.getSchedules()) if (!rounds.has(name)) await boss.unschedule(name);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Of the given queues, those with a job that may be taken now: one short look into the index for each, however many wait. */
const DUE = `select queue.name from unnest($1::text[]) as queue (name) cross join lateral
  (select 1 from pgboss.job j where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= now() limit 1) due`;
/** How often a server asks which queues hold work that is due: an idle one costs this one small question, however many jobs there are. */
const LOOK_ms = 300;
/** A worker that nobody woke looks by itself this often, should the look fail. */
const ALONE_s = 30;

/** Opens the queue for a running service; `jobs` is the closed list of what it can do. */
export function openJobs(pool: pg.Pool, jobs: readonly Job[]): Jobs {
  const overPool = { executeSql: async (text: string, values?: unknown[]) => pool.query(text, values as unknown[]) };
  const boss = new PgBoss({
    db: overPool,
    migrate: false,
    schedule: true,
    supervise: true,
    cronMonitorIntervalSeconds: 10,
    clockMonitorIntervalSeconds: 600,
  } as ConstructorParameters<typeof PgBoss>[0]);
  let report: (error: Error) => void = () => {};
  boss.on("error", (error: Error) => report(error));
  let working = false;
  const timers: NodeJS.Timeout[] = [];
  const workers = new Map<string, string[]>();
  const look = async (): Promise<void> => {
    const due = await pool
      .query<{ name: string }>({ name: "due-queues", text: DUE, values: [[...workers.keys()]] })
      .catch((error: Error) => report(error));
    for (const { name } of due?.rows ?? []) for (const id of workers.get(name) ?? []) boss.notifyWorker(id);
    if (working) looking = setTimeout(() => void look(), LOOK_ms).unref();
  };
  let looking: NodeJS.Timeout | undefined;
  // Each server asks for the round; the queue takes one of them for each stretch of time.
  const comeRound = ({ name }: Job, every_s: number): void => {
    const ask = () => void boss.send(name, {}, { singletonSeconds: every_s }).catch((error: Error) => report(error));
    timers.push(setInterval(ask, every_s * 1000).unref());
  };
  return {
    async enqueue(tx, target, data, { after_s, once } = {}) {
      const client = clientOf(tx);
      const parsed = target.data.parse(data) as object;
      await boss.send(target.name, parsed, {
        db: { executeSql: (text: string, values: unknown[] = []) => askNamed(client, text, values) },
        ...(after_s !== undefined && { startAfter: after_s }),
        ...(once !== undefined && { singletonKey: once }),
      });
    },
    async work(services) {
      report = (error) => services.log.warn({ err: error }, "job queue");
      await boss.start();
      working = true;
      for (const target of jobs) {
        for (let worker = 0; worker < target.concurrency; worker++) {
          let id = "";
          id = await boss.work(target.name, { pollingIntervalSeconds: ALONE_s, batchSize: 1 }, async ([taken]) => {
            // More may wait: the next is looked for at once, not after the interval.
            boss.notifyWorker(id);
            if (taken) await runOne(services, target, taken.data);
          });
          workers.set(target.name, [...(workers.get(target.name) ?? []), id]);
        }
        if (typeof target.every === "number") comeRound(target, target.every);
        else if (target.every) await boss.schedule(target.name, target.every, {}, { tz: "Asia/Shanghai" });
      }
      await look();
    },
    async stop(timeout_ms) {
      if (!working) return;
      working = false;
      clearTimeout(looking);
      for (const timer of timers) clearInterval(timer);
      await boss.stop({ graceful: true, timeout: timeout_ms });
    },
  };
}

async function runOne(services: Services, target: Job, data: unknown): Promise<void> {
  try {
    await target.run(services, target.data.parse(data ?? {}));
    services.metrics.jobs.inc({ job: target.name, outcome: "done" });
  } catch (error) {
    services.metrics.jobs.inc({ job: target.name, outcome: "failed" });
    services.log.warn({ err: error, job: target.name }, "job failed, will be tried again");
    throw error;
  }
}
