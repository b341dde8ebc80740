import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import type { Logger } from "pino";
import { sqlState } from "../../calls/errors.ts";
import type { Metrics } from "../../metrics.ts";
import { ask, clientOf, forgetNames, openPool, runTransaction, withScope, type TransactionOptions } from "../db.ts";
import type { Scope } from "../scope.ts";
import { cut, type Transaction } from "../transaction.ts";
import { askServer, atPrimary, type Connection } from "./primary.ts";

/** What a standby is good for: `behind` it answers, and is too far behind for anybody; `away` it does not answer, or is no standby. */
type StandbyState = "ready" | "behind" | "away";
interface Asked {
  /** Who asks: of several standbys they get the same one each time, so that what they read does not go back in time. */
  readonly who: string;
  readonly scope: Scope;
  /** The transaction that wrote last for whoever asks; null where none did. */
  readonly wrote: string | null;
  /** What opens a transaction of one snapshot, with the same scope; begun when the standby has seen what it is to see. */
  readonly opening?: string;
}
export interface Standbys {
  /**
   * Runs `fn` in a read-only transaction of a standby that has seen the transaction `asked.wrote`. Whatever goes wrong there, a refusal
   * too, is nobody's: the primary is asked the same then.
   * @returns undefined where no standby has answered
   * @throws only what took longer than its deadline (57014)
   */
  read<T>(asked: Asked, fn: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<{ readonly answer: T } | undefined>;
  /** In the order of the setting. */
  states(): readonly { readonly state: StandbyState; readonly lag_s: number }[];
  /** Looks at all of them; also done every few seconds. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** A standby that has not seen the caller's own last write by then is passed over. */
const MOST_LAG_MS = 200;
const AGAIN_MS = 10;
/** A standby that says nothing for so long, before it has said anything or beyond a statement's own deadline, hangs. */
const HANGS_MS = 1_000;
const LOOK_MS = 5_000;
/** So far behind, its answers are old news for everybody. It is seen from look to look: what is read is younger than two of them. */
const TOO_OLD_S = 3;

interface Standby {
  readonly connection: pg.ClientConfig;
  readonly pool: pg.Pool;
  readonly clients: Set<pg.PoolClient>;
  state: StandbyState;
  lag_s: number;
  /** Looks in a row that it did not answer. */
  missed: number;
}
class PassedOver extends Error {
  readonly why: "behind" | "away" | "failed";
  /** @param cause what is an answer all the same, and is thrown to whoever asked */
  constructor(why: PassedOver["why"], cause?: unknown) {
    super(`this standby is ${why}`, { cause });
    this.why = why;
  }
}

/**
 * The standbys that reads may run on, looked at once before this resolves and every few seconds from then on. One that fails is left
 * alone until it answers again.
 * @param primary how the running service reaches the primary
 * @param standbys the same for each standby, with the same login: its fences are the primary's
 */
export async function openStandbys(
  primary: Connection,
  standbys: readonly Connection[],
  { size, metrics, log }: { size: number; metrics: Metrics; log: Logger },
): Promise<Standbys> {
  const all = standbys.map((connection) => standbyAt(connection, size));
  const judge = watchLag(primary);
  const say = (one: Standby, state: StandbyState) => {
    const number = String(all.indexOf(one) + 1);
    metrics.standbyUp.set({ standby: number }, state === "ready" ? 1 : 0);
    metrics.standbyLag.set({ standby: number }, one.lag_s);
    if (one.state === state) return;
    one.state = state;
    log[state === "ready" ? "info" : "warn"]({ standby: number, lag_s: one.lag_s }, `standby ${number} is ${state}`);
  };
  const lookNow = async () => {
    for (const [one, { state, lag_s }] of await judge(all)) {
      one.lag_s = lag_s;
      one.missed = state === "away" ? one.missed + 1 : 0;
      say(one, state);
      // A read without a deadline, as of an export, would wait for ever for one that hangs.
      if (one.missed === 2) for (const client of one.clients) cut(client);
    }
  };
  let looking: Promise<void> | undefined;
  const look = () => (looking ??= lookNow().finally(() => (looking = undefined)));
  await look();
  // How old it is shows when there is an earlier moment to compare with.
  if (all.some(({ state }) => state === "behind")) await look();
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  return {
    look,
    async read(asked, fn, options = {}) {
      const one = standbyFor(asked.who, all);
      if (!one) {
        metrics.standbyReads.inc({ outcome: "none" });
        return undefined;
      }
      try {
        const answer = await readThere(one.pool, asked, fn, options);
        metrics.standbyReads.inc({ outcome: "standby" });
        return { answer };
      } catch (error) {
        const why = whyOf(error);
        metrics.standbyReads.inc({ outcome: why });
        if (error instanceof PassedOver && error.cause) throw error.cause;
        if (why === "away") say(one, "away");
        return undefined;
      }
    },
    states: () => all.map(({ state, lag_s }) => ({ state, lag_s })),
    async close() {
      clearInterval(timer);
      await Promise.all(all.map(({ pool }) => pool.end()));
    },
  };
}

function standbyAt(connection: pg.ClientConfig, size: number): Standby {
  const pool = openPool({ connection, size });
  const clients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => void clients.add(client));
  pool.on("remove", (client) => void clients.delete(client));
  return { connection, pool, clients, state: "away", lag_s: 0, missed: 0 };
}

/** The one that is ready and stands first in an order of the asker's own: where one goes, only those who read there move. */
function standbyFor(who: string, all: readonly Standby[]): Standby | undefined {
  const place = (one: Standby) =>
    createHash("sha256")
      .update(`${all.indexOf(one)}:${who}`)
      .digest("hex");
  const ready = all.filter(({ state }) => state === "ready");
  return ready.length < 2 ? ready[0] : ready.map((one) => ({ one, at: place(one) })).toSorted((a, b) => (a.at < b.at ? -1 : 1))[0]!.one;
}

// What runs on the primary is no part of what pg_current_snapshot says on a standby; pg_xact_status knows it.
const HAS_SEEN = (wrote: string) => sql<{ standby: boolean; seen: boolean }>`select pg_is_in_recovery() as standby,
  case when pg_snapshot_xmax(pg_current_snapshot()) <= ${wrote}::xid8 then false
    else coalesce(pg_xact_status(${wrote}::xid8) <> 'in progress', true) end as seen`;
const ONLY_STANDBY = sql<{ standby: boolean; seen: boolean }>`select pg_is_in_recovery() as standby, true as seen`;

async function readThere<T>(pool: pg.Pool, asked: Asked, fn: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
  const { scope, wrote, opening } = asked;
  const { deadline_ms = 10_000 } = options;
  let late: NodeJS.Timeout | undefined;
  const within = (tx: Transaction, ms: number) => {
    clearTimeout(late);
    late = setTimeout(() => cut(clientOf(tx)), ms);
  };
  const seen = async (tx: Transaction): Promise<void> => {
    within(tx, HANGS_MS + MOST_LAG_MS);
    for (const until_ms = performance.now() + MOST_LAG_MS; ; await wait(AGAIN_MS)) {
      const [found] = await ask(tx, wrote === null ? ONLY_STANDBY : HAS_SEEN(wrote));
      // It was promoted, or never was one: what is read of the primary goes over the primary's own connections.
      if (!found?.standby) throw new PassedOver("away");
      if (found.seen) return;
      if (performance.now() > until_ms) throw new PassedOver("behind");
    }
  };
  const read = async (tx: Transaction): Promise<T> => {
    if (deadline_ms > 0) within(tx, deadline_ms + HANGS_MS);
    else clearTimeout(late);
    // It answered before: whatever goes wrong from here on may be the call's own, or what was replayed stood in the way. Not tried again here.
    return fn(tx).catch((error: unknown) => {
      const state = sqlState(error);
      // A migration has changed a table under a prepared statement.
      if (state === "0A000") forgetNames();
      // It took as long as it may take anywhere: the primary would only be asked for as long again.
      throw new PassedOver("failed", state === "57014" && deadline_ms > 0 ? error : undefined);
    });
  };
  const how = { ...options, readOnly: true };
  try {
    if (opening === undefined) return await withScope(pool, scope, async (tx) => (await seen(tx), read(tx)), how);
    await withScope(pool, scope, seen, { readOnly: true });
    // The connection may be somebody else's by now.
    clearTimeout(late);
    return await runTransaction(pool, opening, read, how);
  } finally {
    clearTimeout(late);
  }
}

/** `failed` says nothing about the standby: the call would be refused anywhere, or a long read stood in the way of what was replayed. */
function whyOf(error: unknown): PassedOver["why"] | "busy" {
  if (error instanceof PassedOver) return error.why;
  const { message, code } = error as { message?: string; code?: string };
  if (message === "timeout exceeded when trying to connect") return "busy";
  const state = sqlState(error);
  if (state !== undefined) return /^(?:08|57P|58|XX|28)/.test(state) ? "away" : state.startsWith("53") ? "busy" : "failed";
  return /^E[A-Z]+$/.test(code ?? "") || /Connection terminated|not queryable/.test(message ?? "") ? "away" : "failed";
}

/**
 * How far the standbys are, in seconds: since when the primary has had what a standby has not. One that has reached nothing yet of what this
 * process has seen of the primary is of any age.
 */
function watchLag(primary: Connection) {
  /** Where the primary's log stood, at moments of this process, the oldest first. */
  const stood: { readonly at_ms: number; readonly lsn: number }[] = [];
  return async (all: readonly Standby[]): Promise<readonly (readonly [Standby, { state: StandbyState; lag_s: number }])[]> => {
    const at_ms = performance.now();
    const asked = atPrimary(primary, 0).then((reached) =>
      askServer<{ lsn: number }>(reached, "select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') as lsn"),
    );
    // First the primary: who has all that it had is not behind for what it has written since.
    const now = await asked.catch(() => undefined);
    const found = await Promise.all(
      all.map(({ connection }) =>
        askServer<{ standby: boolean; lsn: number | null }>(
          connection,
          "select pg_is_in_recovery() as standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as lsn",
        ).catch(() => undefined),
      ),
    );
    if (now) stood.push({ at_ms, lsn: now.lsn });
    if (stood.length > (6 * TOO_OLD_S * 1_000) / LOOK_MS) stood.shift();
    return all.map((one, at) => {
      const { standby, lsn } = found[at] ?? {};
      if (!standby) return [one, { state: "away", lag_s: 0 }] as const;
      const missing = stood.find((moment) => moment.lsn > (lsn ?? 0));
      const lag_s = missing ? (at_ms - missing.at_ms) / 1_000 : 0;
      // Also where the primary has not been seen at all.
      const tooOld = missing === stood[0] || lag_s > TOO_OLD_S;
      return [one, { state: tooOld ? "behind" : "ready", lag_s }] as const;
    });
  };
}
