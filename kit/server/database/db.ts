import { AsyncLocalStorage } from "node:async_hooks";
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  sql,
} from "kysely";
import pg from "pg";
import type { DB } from "./types.gen.ts";
import { isRetryable, sqlState } from "../calls/errors.ts";
import type { Scope } from "./scope.ts";
import { comeBack, letOthersFirst, NotYourTurn, takeTurn } from "./turns.ts";
import { clientFor, isNoPrimary, type Connection } from "./servers/primary.ts";
import { causeOf, firstOf, gather, hearSent, keepSent, putAside, type Transaction } from "./transaction.ts";

export type { Transaction } from "./transaction.ts";

export type { DB };
// Cents and counts are below 2^53; timestamps travel as ISO text; dates stay calendar days.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
pg.types.setTypeParser(1082, (text) => text);
pg.types.setTypeParser(1184, (text) => new Date(text).toISOString());

export interface PoolOptions {
  readonly connection: pg.PoolConfig & Connection;
  readonly size: number;
  /** How long a request may wait for a connection before it is told 503. */
  readonly wait_ms?: number;
  /** For jobs: what runs over it takes turns where requests need to pass (turns.ts). */
  readonly letsOthersFirst?: boolean;
}

/** How long a connection may take to be made. */
const CONNECT_MS = 10_000;
/**
 * A pool in which whoever asks waits `wait_ms`, and a connection that was begun for him is made to its end all the same: it serves the next
 * one. Given up with him, a machine too busy to make one in that time would begin new ones for ever and finish none.
 */
class Pool extends pg.Pool {
  readonly #wait_ms: number;
  constructor(options: pg.PoolConfig, wait_ms: number) {
    super({ ...options, connectionTimeoutMillis: Math.max(wait_ms, CONNECT_MS) });
    this.#wait_ms = wait_ms;
  }
  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void,
  ): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | void {
    if (callback) return super.connect(callback);
    return new Promise((resolve, reject) => {
      let gone = false;
      const late = setTimeout(() => {
        gone = true;
        reject(new Error("timeout exceeded when trying to connect"));
      }, this.#wait_ms);
      super.connect((error, client, done) => {
        clearTimeout(late);
        if (gone) {
          // Not at once: the pool hands it on within this call, and a thousand who are gone would stand on one stack.
          if (client) setImmediate(done);
        } else if (error) reject(error);
        else resolve(client!);
      });
    });
  }
}

/** The runtime pool: bounded, with deadlines on statements, locks and idle transactions (reliability rule 18). */
export function openPool({ connection, size, wait_ms = 500, letsOthersFirst = false }: PoolOptions): pg.Pool {
  const options = {
    ...connection,
    Client: clientFor(connection),
    max: size,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "zhangfang",
    // Statements are sent without waiting for the answer to the one before, where nobody needs it.
    pipeline: true,
    options: "-c timezone=UTC -c default_transaction_isolation=read\\ committed",
  };
  const pool = new Pool(options, wait_ms);
  // A broken idle connection is replaced by the pool, and one that breaks in the middle of a transaction (ended by the database
  // because it idled, or gone with it) fails its next statement; without listeners Node would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    if (letsOthersFirst) letOthersFirst(client);
  });
  return pool;
}

export interface TransactionOptions {
  readonly readOnly?: boolean;
  readonly deadline_ms?: number;
  /** Plans each statement once for all values: right for pages of lists, wrong for sums over ranges of any length. */
  readonly planOnce?: boolean;
  /** Plans each statement for what the tables hold now: a plan that was made while one was empty may look through it whole ever after. */
  readonly planEach?: boolean;
}
const settingsOf = ({ deadline_ms = 10_000, planOnce, planEach }: TransactionOptions): string =>
  [
    `set local statement_timeout = ${deadline_ms}`,
    ...(planOnce ? ["set local plan_cache_mode = force_generic_plan"] : []),
    ...(planEach ? ["set local plan_cache_mode = force_custom_plan"] : []),
  ].join("; ");

/**
 * Runs `fn` in one transaction with the scope set, tries again on deadlock and serialization failure (at most 5 times),
 * and commits. Every write inside is undone when `fn` throws.
 */
export async function withScope<T>(
  pool: pg.Pool,
  scope: Scope,
  fn: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return runTransaction(pool, `select set_config('app.scope', '${scope.text}', true)`, (tx) => fn(tx), { ...options, scope: scope.text });
}

const PLATFORM = "PLATFORM||||||||";
// What follows on the connection sees what was set before it: nobody waits.
const see = (tx: Transaction, scope: string): void => behind(tx, sql`select set_config('app.scope', ${scope}, true)`);
/** The scope of each connection's transaction as it is at the moment, which the database would tell at the price of a round trip. */
const scopes = new WeakMap<pg.PoolClient, string>();
/**
 * Runs `fn` inside a transaction with everybody's rows in sight, then narrows it to its own scope again: for sums that a rule takes over
 * more than the caller sees. Nothing of a row may be told.
 * @example const sum = await asPlatform(tx, () => sumOfDay(tx, merchant))
 */
export async function asPlatform<T>(tx: Transaction, fn: () => Promise<T>): Promise<T> {
  const client = clientOf(tx);
  const own = scopes.get(client);
  if (own === undefined) throw new Error("a transaction without a scope");
  if (own === PLATFORM) return fn();
  if (besides.has(client)) throw new Error("beside others only askAsPlatform looks at everybody's rows");
  const look = (scope: string) => {
    see(tx, scope);
    scopes.set(client, scope);
  };
  look(PLATFORM);
  try {
    return await fn();
  } finally {
    // Also where it throws: somebody may take that and go on. Where the transaction itself is broken nobody sees anything any more.
    look(own);
  }
}

/**
 * Sends a write whose answer nobody needs and goes on. It is on its way when this returns, so what is asked after it is done after it; the
 * transaction's end waits for it and throws what it threw. Not for a write that may be refused in words of its own.
 * @param heard told how many rows it changed; what it throws fails the transaction, before the commit
 * @example behind(tx, tx.insertInto("order_events").values(event))
 */
export function behind(
  tx: Transaction,
  write: { compile(tx: Transaction): CompiledQuery },
  heard?: (changed: { readonly numUpdatedRows: bigint }) => void,
): void {
  const { sql: text, parameters } = write.compile(tx);
  const client = clientOf(tx);
  const answer = askNamed(client, text, [...parameters]);
  keepSent(client, heard ? answer.then(({ rowCount }) => heard({ numUpdatedRows: BigInt(rowCount ?? 0) })) : answer);
}

/**
 * Sends a question at once, so that several are on their way together. They are answered in the order in which they were sent, each
 * seeing what those before it did.
 * @example const [[order], [known]] = await Promise.all([ask(tx, held), ask(tx, kept)])
 */
export async function ask<R>(tx: Transaction, query: { compile(tx: Transaction): CompiledQuery<R> }): Promise<R[]> {
  const { sql: text, parameters } = query.compile(tx);
  const client = clientOf(tx);
  const answer = askNamed<R & pg.QueryResultRow>(client, text, [...parameters]);
  // Of several that are asked together the one that failed first is the cause, whichever is heard first. The rows are not kept.
  keepSent(
    client,
    answer.then(() => {}),
  );
  return (await answer).rows;
}

/**
 * One question with everybody's rows in sight, for what `asPlatform` is for. Its own scope goes out right behind it, so that others may be
 * asked beside it.
 * @example const [[sum], rows] = await Promise.all([askAsPlatform(tx, sumOfDay), ask(tx, own)])
 */
export function askAsPlatform<R>(tx: Transaction, query: { compile(tx: Transaction): CompiledQuery<R> }): Promise<R[]> {
  const own = scopes.get(clientOf(tx));
  if (own === undefined) throw new Error("a transaction without a scope");
  if (own === PLATFORM) return ask(tx, query);
  see(tx, PLATFORM);
  const answer = ask(tx, query);
  see(tx, own);
  return answer;
}

/** Connections over which several look side by side at the moment. */
const besides = new WeakSet<pg.PoolClient>();
/**
 * Runs several looks side by side, so that what they ask travels together; each goes on from its own answers. All have ended when this
 * does, also where one throws: what came after the transaction's end would stand in another's. None of them has a sight or a savepoint of its own
 * (`asPlatform`, `inSavepoint`), which would be the others' too.
 * @throws what the first of them that failed threw
 * @example const [rules, lots] = await together(tx, [() => rulesOf(tx, shop), () => lotsOf(tx, member)])
 */
export async function together<const T extends readonly (() => Promise<unknown>)[]>(
  tx: Transaction,
  looks: T,
): Promise<{ -readonly [At in keyof T]: Awaited<ReturnType<T[At]>> }> {
  const client = clientOf(tx);
  const within = besides.has(client);
  besides.add(client);
  try {
    const ended = await Promise.allSettled(looks.map(async (look) => look()));
    const failed = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    if (failed.length > 0) throw firstOf(failed);
    return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
  } finally {
    if (!within) besides.delete(client);
  }
}

/** How many savepoints stand in each other on a connection: each has a name of its own, so that none is taken for another. */
const depths = new WeakMap<pg.PoolClient, number>();
/**
 * Runs `fn` so that what it throws undoes what it wrote, and the transaction goes on.
 * @example await inSavepoint(tx, () => hear(tx, settlement)).catch(report)
 */
export async function inSavepoint<T>(tx: Transaction, fn: () => Promise<T>): Promise<T> {
  const client = clientOf(tx);
  if (besides.has(client)) throw new Error("a savepoint beside others would be theirs too");
  const depth = (depths.get(client) ?? 0) + 1;
  depths.set(client, depth);
  const part = `part${depth}`;
  // What was sent before is not this part's: its failure is nothing that this part can undo.
  const putBack = putAside(client);
  gather(client);
  keepSent(client, client.query(`savepoint ${part}`));
  try {
    const done = await fn();
    await hearSent(client);
    putBack();
    keepSent(client, client.query(`release savepoint ${part}`));
    return done;
  } catch (error) {
    const cause = await causeOf(client, error);
    putBack();
    // It fails where the transaction was broken before: whoever goes on hears of that.
    await client.query(`rollback to savepoint ${part}; release savepoint ${part}`).catch(() => {});
    throw cause;
  } finally {
    depths.set(client, depth - 1);
  }
}

/**
 * Runs `fn` in one transaction whose scope comes from `opening`, a select that sets it itself (app.open_session);
 * its row is handed to `fn`. One message begins and opens.
 */
export async function runTransaction<T>(pool: pg.Pool, opening: string, fn: Body<T>, options: Begun = {}): Promise<T> {
  const attempt = () => tryTransaction(pool, opening, fn, options);
  return attempt().catch((error: unknown) => {
    if (error instanceof NotYourTurn) return comeBack(error.key, attempt);
    throw error;
  });
}
type Body<T> = (tx: Transaction, opened: Readonly<Record<string, unknown>> | undefined) => Promise<T>;
/** What opens a transaction tells its scope, whoever sets it. */
interface Begun extends TransactionOptions {
  /** The scope that the opening sets, where it is known before: nobody waits for it then. */
  readonly scope?: string;
}
interface Opened extends Readonly<Record<string, unknown>> {
  readonly scope?: string;
  readonly set_config?: string;
}
/** What else is said in the message that commits, for each transaction that may write (`endingWith`). */
const endings = new AsyncLocalStorage<string>();
/**
 * Runs `fn` so that each of its transactions that may write ends with a statement more, in the message of its commit and in the same
 * transaction.
 */
export const endingWith = <T>(statement: string, fn: () => Promise<T>): Promise<T> => endings.run(`${statement}; `, fn);

async function tryTransaction<T>(pool: pg.Pool, opening: string, fn: Body<T>, options: Begun): Promise<T> {
  const { readOnly = false, scope } = options;
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    let begun: Promise<unknown> = Promise.resolve();
    try {
      gather(client);
      begun = client.query(`begin${readOnly ? " read only" : ""}; ${settingsOf(options)}; ${opening}`);
      keepSent(client, begun);
      const opened =
        scope === undefined ? (((await begun) as unknown as pg.QueryResult[]).at(-1)?.rows[0] as Opened | undefined) : undefined;
      scopes.set(client, scope ?? opened?.scope ?? opened?.set_config ?? "");
      const result = await fn(kyselyOf(client), opened);
      await hearSent(client);
      // What only read has its answer already; whoever gets the connection next waits for the end of this.
      if (readOnly) client.query("commit").catch(() => {});
      else await client.query(`${endings.getStore() ?? ""}commit`);
      return result;
    } catch (thrown) {
      const cause = await causeOf(client, thrown);
      // Where it never began, what was sent after it stood in no transaction and saw nobody's rows: that is what happened.
      const error: unknown = await begun.then(
        () => cause,
        (failure: Error) => (broken = failure),
      );
      await client.query("rollback").catch((failure: Error) => (broken = failure));
      // The server became a standby: the next connection looks for the one that takes writes. It is no answer about what was asked.
      if (!readOnly && sqlState(error) === "25006") {
        isNoPrimary(client);
        broken = error as Error;
        throw error;
      }
      // A migration has changed a table under a prepared statement: under a new name it is planned anew.
      if ((error as { code?: string }).code === "0A000") forgetNames();
      if (!isRetryable(error) || attempt === 5) throw error;
    } finally {
      planOnces.delete(client);
      client.release(broken);
    }
    await new Promise((resolve) => setTimeout(resolve, attempt * 10 + (Date.now() % 17)));
  }
}

/**
 * A transaction that somebody else began on a connection of their own, and ends; from now on in this scope.
 * @example const tx = await transactionOn(client, platformScope("restore"))
 */
export async function transactionOn(client: pg.Client, scope: Scope): Promise<Transaction> {
  await client.query("select set_config('app.scope', $1, true)", [scope.text]);
  // It is released by nobody here.
  const own = client as unknown as pg.PoolClient;
  scopes.set(own, scope.text);
  return kyselyOf(own);
}

// A Kysely over one connection, made once for each connection: begin and commit are ours, not its own.
const compilers = new WeakMap<pg.PoolClient, Kysely<DB>>();
function kyselyOf(client: pg.PoolClient): Kysely<DB> {
  let made = compilers.get(client);
  if (!made) {
    const connection: DatabaseConnection = {
      async executeQuery<R>(query: CompiledQuery) {
        const result = await askNamed<R & pg.QueryResultRow>(client, query.sql, [...query.parameters]);
        const changed = result.command !== "SELECT" && result.rowCount !== null ? { numAffectedRows: BigInt(result.rowCount) } : {};
        return { rows: result.rows, ...changed };
      },
      // eslint-disable-next-line require-yield -- nothing streams through Kysely; exports read through cursors of their own
      async *streamQuery() {
        throw new Error("not used");
      },
    };
    const driver: Driver = {
      init: async () => {},
      acquireConnection: async () => connection,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      releaseConnection: async () => {},
      destroy: async () => {},
    };
    made = new Kysely<DB>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    compilers.set(client, made);
    rawClients.set(made, client);
  }
  return made;
}
// Statements that come back are prepared under a name, once for each connection: planning them behind the second fence
// costs more than running them. Long ones ask for much, and are planned anew for what they ask.
// A plan takes up to half a megabyte on each connection, so only two hundred get a name, and not before they come the third time.
// Long ones are named where `planOnce` says so: a dozen lines behind the fence take five milliseconds to plan.
const NAMED = 200;
const SEEN = 1_000;
const LONGEST_NAMED = 3_000;
const names = new Map<string, string>();
const seen = new Map<string, number>();
let generation = 0;
/** After a migration: what was prepared is prepared anew, on every connection. */
export function forgetNames(): void {
  names.clear();
  generation++;
}
function nameOf(text: string, anyLength: boolean): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMED || (text.length > LONGEST_NAMED && !anyLength)) return known;
  const times = (seen.get(text) ?? 0) + 1;
  if (seen.size >= SEEN) seen.clear();
  seen.set(text, times);
  if (times < 3) return undefined;
  seen.delete(text);
  const name = `s${generation}_${names.size}`;
  names.set(text, name);
  return name;
}
/** Asks one statement, prepared where it comes again and again. @example askNamed(clientOf(tx), "select …", []) */
export function askNamed<R extends pg.QueryResultRow>(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult<R>> {
  const name = nameOf(text, planOnces.has(client));
  gather(client);
  return client.query<R>({ text, values, ...(name && { name }) });
}
/** Connections whose transaction plans its statements once for all values. */
const planOnces = new WeakSet<pg.PoolClient>();
/**
 * From now to the end of this transaction its statements are planned once for all values, long ones too, not anew for each: where planning
 * costs more than running (decision 7). It travels with the next statement.
 */
export function planOnce(tx: Transaction): void {
  behind(tx, sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`);
  planOnces.add(clientOf(tx));
}
async function refuse(): Promise<void> {
  throw new Error("a transaction is already open; use the one you were given");
}

/** A job passes here as one of two for a key, a request at once (turns.ts). @example await turn(tx, merchant_id) */
export const turn = (tx: Transaction, key: string): Promise<void> => takeTurn(tx, clientOf(tx), key);

const rawClients = new WeakMap<Kysely<DB>, pg.PoolClient>();
/** The connection behind a transaction, for what Kysely has no words for: cursors, COPY, pg-boss. */
export function clientOf(tx: Transaction): pg.PoolClient {
  const client = rawClients.get(tx);
  if (!client) throw new Error("not one of our transactions");
  return client;
}

/**
 * Asserts that a guarded write changed exactly one row; otherwise throws what `otherwise` makes.
 * @example mustChange(await tx.updateTable("refunds")….executeTakeFirst(), () => conflict("已被处理"));
 */
export function mustChange(
  result: { numUpdatedRows?: bigint; numDeletedRows?: bigint; numInsertedOrUpdatedRows?: bigint | undefined } | undefined,
  otherwise: () => Error,
): void {
  const changed = result?.numUpdatedRows ?? result?.numDeletedRows ?? result?.numInsertedOrUpdatedRows;
  if (changed !== 1n) throw otherwise();
}
