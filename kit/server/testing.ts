import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { pino } from "pino";
import type pg from "pg";
import { call, type Doors, type Incoming, type Route } from "./calls/call.ts";
import { seededIds, type Clock, type Ids } from "./clock.ts";
import type { Config } from "./config.ts";
import { openPool } from "./database/db.ts";
import { jobsOf, tie, type Domain } from "./calls/domain.ts";
import { openJobs, type Job, type Jobs } from "./jobs/jobs.ts";
import { openMetrics } from "./metrics.ts";
import { RUNTIME_ROLE } from "./database/migrate.ts";
import type { Services } from "./services.ts";
import { copyDatabase } from "./testing/test-cluster.ts";

/** A clock that a test moves. */
export interface TestClock extends Clock {
  set(moment: string): void;
  advance(ms: number): void;
}
/** Starts at the moment given and stands still until it is moved. */
export function testClock(moment = "2026-11-20T04:00:00.000Z"): TestClock {
  let now = Date.parse(moment);
  return { now_ms: () => now, set: (given) => void (now = Date.parse(given)), advance: (ms) => void (now += ms) };
}

export interface TestServices extends Services {
  readonly clock: TestClock;
  readonly ids: Ids;
  /** Runs the enqueued jobs whose time has come by the test's clock, until none is left, in this process. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
  /** The owner's connection, past both fences; for looking at the truth, never for the code under test. */
  readonly owner: pg.ClientConfig;
}

/**
 * Services over a fresh copy of the migrated database, as the runtime role, tied to the domains given. Jobs are not taken by themselves:
 * a test calls `runJobs()`, so that it decides when the outside happens.
 * @param wait_ms how long one waits for a connection: more than a slow machine takes with all whom the test has ask at once
 */
export async function testServices(domains: readonly Domain[] = [], config: Partial<Config> = {}, wait_ms = 5_000): Promise<TestServices> {
  const copy = await copyDatabase();
  const clock = testClock();
  const pool = openPool({ connection: { ...copy.ownerConnection, user: RUNTIME_ROLE }, size: 10, wait_ms });
  const real = openJobs(pool, jobsOf(domains));
  const queue: { job: Job; data: unknown; due_ms: number }[] = [];
  const inProcess: Jobs = {
    ...real,
    async enqueue(_tx, target, data, { after_s = 0 } = {}) {
      queue.push({ job: target, data: target.data.parse(data), due_ms: clock.now_ms() + after_s * 1000 });
    },
  };
  const services = tie<TestServices>(
    {
      config: {
        host: "127.0.0.1",
        port: 0,
        data_dir: ".test",
        database_url: undefined,
        database_app_url: undefined,
        database_read_urls: [],
        secret: Buffer.alloc(32, 7),
        demo: false,
        production: false,
        public_url: "http://127.0.0.1:1",
        simulator_port: 0,
        acquirer_urls: {},
        platform_unverified: true,
        pool_size: 10,
        object_store: undefined,
        mail: undefined,
        ...config,
      },
      pool,
      clock,
      ids: seededIds(20261120),
      jobs: inProcess,
      log: pino({ level: "silent" }),
      metrics: openMetrics(),
      owner: copy.ownerConnection,
      async runJobs() {
        for (;;) {
          const at = queue.findIndex((one) => one.due_ms <= clock.now_ms());
          const [next] = at < 0 ? [] : queue.splice(at, 1);
          if (!next) return;
          await next.job.run(services, next.data);
        }
      },
      async close() {
        await pool.end();
        await copy.drop();
      },
    },
    domains,
  );
  return services;
}

/**
 * Calls an endpoint as the server would, without HTTP: session, access, input, scope, audit, output.
 * @param token the Bearer token, or undefined for nobody
 * @throws Refusal as the caller would be told
 */
export async function callAs<E extends Endpoint>(
  services: Services,
  doors: Doors,
  route: (Route & { endpoint: E }) | Route,
  token: string | undefined,
  input: InputOf<E>,
  more: Partial<Incoming> = {},
): Promise<OutputOf<E>> {
  const rawBody = Buffer.from(JSON.stringify(input ?? {}));
  const inQuery = route.endpoint.source === "query";
  const incoming: Incoming = {
    verb: route.endpoint.verb,
    url: route.endpoint.path,
    params: {},
    query: inQuery ? (input as Record<string, unknown>) : {},
    body: inQuery ? undefined : input,
    rawBody,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ip: "127.0.0.1",
    host: "localhost",
    traceId: "test",
    ...more,
  };
  return (await call(services, doors, route, incoming)) as OutputOf<E>;
}
