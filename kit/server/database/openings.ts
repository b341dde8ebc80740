import { setImmediate } from "node:timers/promises";
import type pg from "pg";
import { askNamed, clientOf, runTransaction, withScope } from "./db.ts";
import { platformScope } from "./scope.ts";

type Row = Readonly<Record<string, unknown>>;
/** The same question for several at once: `$1` is a JSON list of their keys, each with its place `at`, which the row of its answer carries. */
export interface Together {
  readonly text: string;
  readonly key: Readonly<Record<string, string>>;
}
interface Asked {
  readonly opening: string;
  readonly together: Together | undefined;
  readonly done: (row: Row | undefined) => void;
  readonly failed: (error: unknown) => void;
}
/** How many sessions are read in one round trip. */
const MOST = 50;
/** Round trips of a pool at once: with a second one nobody waits for a whole trip of others. */
const TRIPS = 2;
interface Desk {
  readonly waiting: Asked[];
  trips: number;
}
const desks = new WeakMap<pg.Pool, Desk>();

/**
 * Reads the row of an opening (`app.open_session`, `app.open_member`) for a call that has no transaction of its own. Those who ask while
 * others are on their way go together: many calls at once cost a few round trips and connections. Each call's session is still looked at.
 * @param together where one statement may answer for several of the same kind: most of what a look costs is the fences, which are set up once
 */
export function readOpening(pool: pg.Pool, opening: string, together?: Together): Promise<Row | undefined> {
  const desk = desks.get(pool) ?? { waiting: [], trips: 0 };
  desks.set(pool, desk);
  return new Promise((done, failed) => {
    desk.waiting.push({ opening, together, done, failed });
    if (desk.trips >= TRIPS) return;
    desk.trips++;
    void travel(pool, desk);
  });
}
async function travel(pool: pg.Pool, desk: Desk): Promise<void> {
  while (desk.waiting.length > 0) {
    // Whoever came in this turn of the loop goes along: calls that arrive together are heard one after another.
    await setImmediate();
    for (const [text, some] of Map.groupBy(desk.waiting.splice(0, MOST), ({ together }) => together?.text)) {
      const read = () => (text === undefined ? readInTurn(pool, some) : readAsOne(pool, text, some));
      // Where one trip fails for whatever reason, each is asked for alone, with the tries of any transaction.
      const rows = some.length === 1 ? undefined : await read().catch(() => undefined);
      if (rows) for (const [at, { done }] of some.entries()) done(rows[at]);
      else await Promise.all(some.map((one) => readAlone(pool, one)));
    }
  }
  // In the very step that finds nobody: who comes next begins a trip.
  desk.trips--;
}
const SCOPE = platformScope("open sessions");
/** One statement for all of them; whom it says nothing of has no session. */
async function readAsOne(pool: pg.Pool, text: string, some: readonly Asked[]): Promise<(Row | undefined)[]> {
  const keys = JSON.stringify(some.map(({ together }, at) => ({ ...together!.key, at })));
  const { rows } = await withScope(pool, SCOPE, (tx) => askNamed<{ at: number }>(clientOf(tx), text, [keys]), { readOnly: true });
  const found = new Map(rows.map(({ at, ...row }) => [at, row]));
  if (found.size !== rows.length) throw new Error("two sessions of one key");
  return some.map((_one, at) => found.get(at));
}
async function readInTurn(pool: pg.Pool, some: readonly Asked[]): Promise<(Row | undefined)[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const openings = some.map(({ opening }) => opening).join("; ");
    const answers = (await client.query(
      `begin read only; set local statement_timeout = 10000; ${openings}; commit`,
    )) as unknown as pg.QueryResult<Row>[];
    return answers.slice(2, -1).map(({ rows }) => rows[0]);
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}
async function readAlone(pool: pg.Pool, { opening, done, failed }: Asked): Promise<void> {
  try {
    done(await runTransaction(pool, opening, async (_tx, row) => row, { readOnly: true }));
  } catch (error) {
    failed(error);
  }
}
