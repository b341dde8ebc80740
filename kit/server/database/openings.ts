import type pg from "pg";
import { runTransaction } from "./db.ts";

type Row = Readonly<Record<string, unknown>>;
interface Asked {
  readonly opening: string;
  readonly done: (row: Row | undefined) => void;
  readonly failed: (error: unknown) => void;
}
/** How many sessions are read in one round trip. */
const MOST = 50;
/** Round trips of a pool at once: with a second one nobody waits for a whole trip of others. */
const TRIPS = 2;
const desks = new WeakMap<pg.Pool, { readonly waiting: Asked[]; trips: number }>();

/**
 * Reads the row of an opening (`app.open_session`, `app.open_member`) for a call that has no transaction of its own. Those who ask while
 * others are on their way go together: many calls at once cost a few round trips and connections. Each call's session is still looked at.
 */
export function readOpening(pool: pg.Pool, opening: string): Promise<Row | undefined> {
  const desk = desks.get(pool) ?? { waiting: [], trips: 0 };
  desks.set(pool, desk);
  return new Promise((done, failed) => {
    desk.waiting.push({ opening, done, failed });
    if (desk.trips >= TRIPS) return;
    desk.trips++;
    void travel(pool, desk.waiting).finally(() => desk.trips--);
  });
}
async function travel(pool: pg.Pool, waiting: Asked[]): Promise<void> {
  // Whoever came in this very turn goes along.
  await Promise.resolve();
  while (waiting.length > 0) {
    const some = waiting.splice(0, MOST);
    // Where one trip fails for whatever reason, each is asked for alone, with the tries of any transaction.
    const rows = some.length === 1 ? undefined : await readTogether(pool, some).catch(() => undefined);
    if (rows) for (const [at, { done }] of some.entries()) done(rows[at]);
    else await Promise.all(some.map((one) => readAlone(pool, one)));
  }
}
async function readTogether(pool: pg.Pool, some: readonly Asked[]): Promise<(Row | undefined)[]> {
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
