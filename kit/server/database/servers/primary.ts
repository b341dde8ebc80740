import { setTimeout as wait } from "node:timers/promises";
import { callbackify } from "node:util";
import pg from "pg";
import { sqlState } from "../../calls/errors.ts";
import { cut } from "../transaction.ts";

export interface Host {
  readonly host: string;
  readonly port: number;
}
/** What DATABASE_URL says: one server, or several of which one at a time takes writes. */
export type Connection = pg.ClientConfig & { readonly hosts?: readonly Host[] };

/** How long a server may take to say what it is. */
const ANSWER_MS = 2_000;
/** The same for the others, where the one that was the primary says that it still is. */
const OTHERS_MS = 300;
/** How often the primary is looked at where there are several: a machine that is gone says nothing on the connections that it had. */
const WATCH_MS = 3_000;
/** How long a start waits for a server that takes writes. */
const START_MS = 30_000;

/** What this process knows of the servers of one list. */
interface Known {
  primary: Host | undefined;
  /** The newest that was found. Each promotion begins a timeline with a higher number: one with a lower number is a primary no more. */
  newest: Found | undefined;
  looking: Promise<Host> | undefined;
  watch: NodeJS.Timeout | undefined;
  /** Those that are connected, and those that are about to be. */
  readonly clients: Map<pg.Client, Host>;
}
interface Found {
  readonly host: Host;
  readonly timeline: number;
}
const known = new WeakMap<readonly Host[], Known>();
const lists = new WeakMap<pg.Client, Known>();
function knownOf(hosts: readonly Host[]): Known {
  const found = known.get(hosts) ?? { primary: undefined, newest: undefined, looking: undefined, watch: undefined, clients: new Map() };
  known.set(hosts, found);
  return found;
}

/**
 * The connection with the server that takes writes now; waited for, where a failover is under way.
 * @throws what the servers said, where none does for so long; at once where the login is wrong
 */
export async function atPrimary(connection: Connection, most_ms = START_MS): Promise<pg.ClientConfig> {
  const { hosts, ...rest } = connection;
  if (!hosts) return rest;
  const giveUpAt_ms = performance.now() + most_ms;
  for (;;) {
    try {
      return { ...rest, ...(await findPrimary(connection, hosts)) };
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (isForGood(cause) || performance.now() >= giveUpAt_ms) throw cause;
      await wait(500);
    }
  }
}

/**
 * The client for a pool over several servers: it connects to the one that takes writes, wherever that is by then. What libpq does for
 * `target_session_attrs=read-write`, which pg does not know.
 */
export function clientFor(connection: Connection): typeof pg.Client {
  const { hosts } = connection;
  if (!hosts) return pg.Client;
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      const reached = reach(connection, hosts, this, () => super.connect());
      if (!callback) return reached.then(() => this);
      callbackify(() => reached)(callback);
    }
  };
}

/** A write was refused because the server takes none any more: where its list has others, the next connection looks for the right one. */
export function isNoPrimary(client: pg.PoolClient): void {
  const list = lists.get(client as unknown as pg.Client);
  if (list) list.primary = undefined;
}

/** Asks a server one question over a connection of its own. @throws where it does not answer at once */
export async function askServer<R extends object>(connection: pg.ClientConfig, text: string): Promise<R> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: ANSWER_MS });
  client.on("error", () => {});
  const late = setTimeout(() => cut(client), ANSWER_MS);
  try {
    await client.connect();
    return (await client.query(text)).rows[0] as R;
  } finally {
    clearTimeout(late);
    // Whoever did not answer does not answer this either.
    client.end().catch(() => {});
  }
}

async function reach(connection: Connection, hosts: readonly Host[], client: pg.Client, connect: () => Promise<unknown>): Promise<void> {
  const list = knownOf(hosts);
  const primary = await findPrimary(connection, hosts);
  Object.assign(client, primary);
  // What is known is known from connections that stand: where one broke, or none is left, the next one looks anew.
  const forget = () => {
    if (list.primary === primary) list.primary = undefined;
  };
  client.on("error", forget);
  // A server says at once whether it takes writes.
  let takesNone = false;
  const events = (client as unknown as { connection: NodeJS.EventEmitter & { stream: { destroyed: boolean } } }).connection;
  // The pool gave it up meanwhile: over a socket that is destroyed it would wait for ever, and keep its place in the pool.
  if (events.stream.destroyed) throw new Error("Connection terminated: no server that takes writes was found in time");
  events.on("parameterStatus", ({ parameterName, parameterValue }: Record<string, string>) => {
    if (parameterName === "in_hot_standby" || parameterName === "default_transaction_read_only") takesNone ||= parameterValue === "on";
  });
  // Before it is connected: a server that hangs takes the connection and says nothing, and whoever finds another one cuts this one too.
  list.clients.set(client, primary);
  client.once("end", () => void list.clients.delete(client));
  list.watch ??= setInterval(() => void watch(connection, hosts, list), WATCH_MS).unref();
  try {
    await connect();
    if (takesNone) throw noPrimary();
  } catch (error) {
    list.clients.delete(client);
    forget();
    if (takesNone) cut(client);
    throw error;
  }
  lists.set(client, list);
}

async function findPrimary(connection: Connection, hosts: readonly Host[]): Promise<Host> {
  const list = knownOf(hosts);
  // While nothing is connected nobody notices that it went.
  if (list.primary && list.clients.size > 0) return list.primary;
  return lookOnce(connection, hosts, list);
}
function lookOnce(connection: Connection, hosts: readonly Host[], list: Known): Promise<Host> {
  list.looking ??= look(connection, hosts, list.newest)
    .then((found) => {
      list.newest = found;
      list.primary = found.host;
      // Connections to a server that is no longer the primary end now, whatever they wait for.
      for (const [client, host] of list.clients) if (host !== found.host) cut(client);
      return found.host;
    })
    .finally(() => (list.looking = undefined));
  return list.looking;
}

/** Everybody is asked at once. Of those that take writes it is the one that was promoted last, and none from before `newest`. */
async function look(connection: Connection, hosts: readonly Host[], newest: Found | undefined): Promise<Found> {
  const found: Found[] = [];
  const faults: unknown[] = [];
  let standbys = 0;
  const asked = hosts.map(async (host) => {
    try {
      const timeline = await writesOn(connection, host);
      if (timeline === null) standbys++;
      else found.push({ host, timeline });
    } catch (error) {
      faults.push(error);
    }
  });
  const all = Promise.race<unknown>([Promise.all(asked), wait(ANSWER_MS, undefined, { ref: false })]);
  const still = () => found.some(({ host, timeline }) => host === newest?.host && timeline === newest.timeline);
  const same = newest && asked[hosts.indexOf(newest.host)]?.then(async (): Promise<unknown> => (still() ? wait(OTHERS_MS) : all));
  await Promise.race(same ? [all, same] : [all]);
  const [best] = found
    .filter(({ timeline }) => timeline >= (newest?.timeline ?? 0))
    .toSorted((a, b) => b.timeline - a.timeline || Number(b.host === newest?.host) - Number(a.host === newest?.host));
  if (best) return best;
  throw noPrimary(faults.find(isForGood) ?? (standbys + found.length === 0 ? faults[0] : undefined));
}
/** The login is wrong, or there is no such database: waiting mends neither. */
const isForGood = (fault: unknown) => /^(?:28|3D000)/.test(sqlState(fault) ?? "");
/**
 * While the service runs whoever asks is told to come back, whatever the servers said; a start is told that.
 * @param cause that the login is wrong, or what a server said where none was reached
 */
const noPrimary = (cause?: unknown) => Object.assign(new Error("no server of DATABASE_URL takes writes", { cause }), { code: "57P03" });

/** The timeline on which a server takes writes; null where it takes none. */
async function writesOn({ hosts: _none, ...connection }: Connection, host: Host): Promise<number | null> {
  const { timeline } = await askServer<{ timeline: number | null }>(
    { ...connection, ...host },
    `select case when current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery()
      then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`,
  );
  return timeline;
}

/** Asks all of them, for a primary that was taken the place of may not know it yet. */
async function watch(connection: Connection, hosts: readonly Host[], list: Known): Promise<void> {
  if (list.clients.size === 0) {
    clearInterval(list.watch);
    list.watch = undefined;
    return;
  }
  const { primary } = list;
  await lookOnce(connection, hosts, list).catch(() => {
    if (list.primary === primary) list.primary = undefined;
  });
}
