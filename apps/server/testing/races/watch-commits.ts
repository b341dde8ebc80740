import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

/** What one request left behind, or would have. */
export interface Trace {
  /** Owners of rows that differ from the world as it was: `store:…`, `merchant:…`, `provider:…`, `user:…`. */
  readonly changed: Set<string>;
}
const current = new AsyncLocalStorage<Trace>();

// Random strings, answers of captchas and counters of failed sign-ins: written before anybody is known, and by refusals too.
const UNOWNED = ["schema_migrations", "device_nonces", "captchas", "login_failures", "login_networks", "test_jobs"];

/** A sum of hashes for each owner of rows, for each table. */
type Digest = Map<string, Map<string, string>>;

/**
 * Looks at every transaction of a pool at its commit: deferred checks run, and the tables that it changed are compared with
 * the world as it was, owner by owner. Then it is undone, so that every request meets the same world, unless `keep` says
 * otherwise.
 */
export async function watchCommits(pool: pg.Pool, owner: pg.Pool, keep: { on: boolean }) {
  const digests = await digestsOf(owner);
  const read = async (ask: (text: string) => Promise<pg.QueryResult>, tables: readonly string[]): Promise<Digest> => {
    const found: Digest = new Map(tables.map((table) => [table, new Map()]));
    const { rows } = (await ask(tables.map((table) => digests.get(table)).join(" union all "))) as pg.QueryResult<{
      name: string;
      owner: string;
      sum: string;
    }>;
    for (const { name, owner: whose, sum } of rows) found.get(name)!.set(whose, sum);
    return found;
  };
  const readAll = () => read((text) => owner.query(text), [...digests.keys()]);
  let world = await readAll();
  /** Tables that commits have changed since the world was last looked at; `keep` alone lets them. */
  const kept = new Set<string>();
  const differing = (now: Digest): Set<string> => {
    const changed = new Set<string>();
    for (const [table, sums] of now) {
      const before = world.get(table)!;
      for (const whose of [...sums.keys(), ...before.keys()]) if (sums.get(whose) !== before.get(whose)) changed.add(whose);
    }
    return changed;
  };
  const connect = pool.connect.bind(pool);
  const watched = new WeakSet<pg.PoolClient>();
  const traces = new WeakMap<pg.PoolClient, Trace | undefined>();
  // The pool's own `query` asks with a callback and begins no transaction.
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? pg.Pool.prototype.connect.call(pool, callback) : watch()) as typeof pool.connect;
  const watch = async (): Promise<pg.PoolClient> => {
    const trace = current.getStore();
    const client = await connect();
    traces.set(client, trace);
    if (watched.has(client)) return client;
    watched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>;
    const commit = async (own: Trace): Promise<pg.QueryResult> => {
      const wrote = (await query("select pg_current_xact_id_if_assigned() as id")).rows[0] as { id: string | null };
      if (wrote.id === null) return query("commit");
      await query("set constraints all immediate");
      const touched = (await query("select relname as name from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0"))
        .rows as { name: string }[];
      const tables = touched.map(({ name }) => name).filter((name) => digests.has(name));
      if (keep.on) {
        for (const table of tables) kept.add(table);
        return query("commit");
      }
      await query("select set_config('app.scope', 'PLATFORM||||||||', true)");
      if (tables.length > 0) for (const whose of differing(await read(query, tables))) own.changed.add(whose);
      return query("rollback");
    };
    let readOnly = false;
    client.query = ((...given: unknown[]) => {
      const own = traces.get(client);
      if (typeof given[0] === "string" && given[0].startsWith("begin")) readOnly = given[0].startsWith("begin read only");
      // What only read leaves nothing, and its connection is somebody else's before its commit has ended.
      return given[0] === "commit" && own && !readOnly ? commit(own) : query(...given);
    }) as typeof client.query;
    return client;
  };
  return {
    /** Runs a request; the trace says what its transactions would have left. */
    async during<T>(request: () => Promise<T>): Promise<{ answer: T; changed: ReadonlySet<string> }> {
      const trace: Trace = { changed: new Set() };
      // An injected request begins where it is waited for, so that the waiting has to stand inside.
      return { answer: await current.run(trace, async () => await request()), changed: trace.changed };
    },
    /** Owners whose rows differ from the world as it was, seen from outside. */
    changed: async (): Promise<string[]> => [...differing(await readAll())],
    /** From here on the world is as it is now. */
    async remember(): Promise<void> {
      kept.clear();
      world = await readAll();
    },
    /** The same after commits that stayed, by the tables that they changed. @returns owners whose rows they changed */
    async rememberKept(): Promise<string[]> {
      if (kept.size === 0) return [];
      const now = await read((text) => owner.query(text), [...kept]);
      kept.clear();
      const changed = [...differing(now)];
      for (const [table, sums] of now) world.set(table, sums);
      return changed;
    },
  };
}

/** For each table the select that sums it up. */
async function digestsOf(owner: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await owner.query<{ name: string; has: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) as has from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`,
  );
  const owned = rows.filter(({ name }) => !UNOWNED.includes(name));
  return new Map(
    owned.map(({ name, has }) => [
      name,
      `select '${name}' as name, ${ownerOf(name, has)} as owner, sum(hashtextextended(t::text, 0))::text as sum from ${name} t group by 2`,
    ]),
  );
}
function ownerOf(table: string, has: readonly string[]): string {
  if (table === "users") return "'user:' || t.id";
  if (table === "idempotency_keys") return "t.actor";
  const person =
    ["owner_user_id", "root_user_id"].find((column) => has.includes(column)) ??
    (/^(sessions|user_\w+|login_tickets|qr_requests)$/.test(table) ? "user_id" : undefined);
  if (person) return `coalesce('user:' || t.${person}, 'nobody')`;
  const of = (column: string, kind: string) => (has.includes(column) ? [`'${kind}:' || t.${column}`] : []);
  const levels = [
    ...of("store_id", "store"),
    ...of("merchant_id", "merchant"),
    ...of("service_provider_id", "provider"),
    ...(table === "audit_log" ? ["'user:' || t.user_id"] : []),
  ];
  return `coalesce(${[...levels, "'platform'"].join(", ")})`;
}
