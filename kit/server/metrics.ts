import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Series for /metrics. Labels carry endpoint and outcome, never a tenant or a person. */
export interface Metrics {
  readonly registry: Registry;
  readonly calls: Counter<"endpoint" | "status">;
  readonly duration: Histogram<"endpoint">;
  readonly payments: Counter<"channel" | "outcome">;
  readonly refunds: Counter<"channel" | "outcome">;
  readonly notifications: Counter<"kind" | "result">;
  readonly channelCalls: Counter<"operation" | "outcome">;
  readonly jobs: Counter<"job" | "outcome">;
  readonly hearings: Counter<"hearer" | "outcome">;
  readonly logins: Counter<"outcome">;
  readonly exports: Counter<"format" | "outcome">;
  readonly shed: Counter<"why">;
  readonly pool: Gauge<"state">;
  readonly standbyReads: Counter<"outcome">;
  readonly standbyUp: Gauge<"standby">;
  readonly standbyLag: Gauge<"standby">;
}

/** A registry of its own, so that two services in one process (tests) do not share counts. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `zhangfang_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `zhangfang_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  return {
    registry,
    calls: counter("calls_total", "Calls by endpoint and status", ["endpoint", "status"]),
    duration: new Histogram({
      name: "zhangfang_call_seconds",
      help: "Duration of calls",
      labelNames: ["endpoint"],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
      registers: [registry],
    }),
    payments: counter("payments_total", "Payments settled", ["channel", "outcome"]),
    refunds: counter("refunds_total", "Refunds settled", ["channel", "outcome"]),
    notifications: counter("notifications_total", "Notifications from channels", ["kind", "result"]),
    channelCalls: counter("channel_calls_total", "Calls to channels", ["operation", "outcome"]),
    jobs: counter("jobs_total", "Jobs run", ["job", "outcome"]),
    hearings: counter("hearings_total", "Hearers of settlements that failed, and those told late", ["hearer", "outcome"]),
    logins: counter("logins_total", "Sign-ins tried", ["outcome"]),
    exports: counter("exports_total", "Export files", ["format", "outcome"]),
    shed: counter("shed_total", "Calls refused to protect the service", ["why"]),
    pool: gauge("pool_connections", "Database connections", ["state"]),
    standbyReads: counter("standby_reads_total", "Reads that a standby was asked for; all but `standby` went to the primary", ["outcome"]),
    standbyUp: gauge("standby_up", "Whether a standby answers reads", ["standby"]),
    standbyLag: gauge("standby_lag_seconds", "How far a standby is behind the primary", ["standby"]),
  };
}
