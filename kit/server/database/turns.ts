import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import type { Transaction } from "./transaction.ts";
import { conflict } from "../calls/errors.ts";

/** How many transactions of jobs hold what everybody needs of one merchant at a time, over all servers. */
const PLACES = 2;
const AGAIN_MS = 15;

/** Thrown inside a transaction that has to come back when a place is free: it is undone, holds nothing meanwhile, and runs again. */
export class NotYourTurn extends Error {
  readonly key: string;
  constructor(key: string) {
    super("both places are taken");
    this.key = key;
  }
}

const jobConnections = new WeakSet<pg.PoolClient>();
/** What runs over these connections lets requests go first. */
export const letOthersFirst = (client: pg.PoolClient): void => void jobConnections.add(client);

/**
 * Before a transaction holds a row that everybody waits for, such as a merchant's balances: a request passes; a job passes as one of
 * two and keeps its place until its end, so that a burst of jobs never stands before a payment. Nobody waits here with locks in hand.
 * @throws NotYourTurn, which withScope takes
 */
export async function takeTurn(tx: Transaction, client: pg.PoolClient, key: string): Promise<void> {
  if (!jobConnections.has(client)) return;
  const place = (n: number) => sql`pg_try_advisory_xact_lock(hashtextextended(${key}, ${7310030 + n}))`;
  const { rows } = await sql<{ got: boolean }>`select case ${sql.join(
    Array.from({ length: PLACES }, (_none, n) => sql`when ${place(n)} then true`),
    sql` `,
  )} else false end as got`.execute(tx);
  if (!rows[0]!.got) throw new NotYourTurn(key);
}

const lines = new Map<string, Promise<unknown>>();
/** Runs what has the same key one after another, in the order in which it came, in this process. */
export async function inLine<T>(key: string, run: () => Promise<T>): Promise<T> {
  const before = lines.get(key) ?? Promise.resolve();
  const mine = before.then(run);
  const ended = mine.catch(() => {});
  lines.set(key, ended);
  try {
    return await mine;
  } finally {
    if (lines.get(key) === ended) lines.delete(key);
  }
}

/**
 * Those who were turned away come back one at a time, so that a hundred of them cost the database no more than one.
 * @param attempt @throws NotYourTurn where there is still no place
 */
export const comeBack = <T>(key: string, attempt: () => Promise<T>): Promise<T> =>
  inLine(`turn:${key}`, async () => {
    for (;;) {
      await wait(AGAIN_MS);
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NotYourTurn)) throw error;
      }
    }
  });

/**
 * The same for calls about one thing: two hundred that want the same order would take every connection and wait there for each other.
 * Here they wait without one.
 * @throws 409 where it takes longer than `most_ms`; nothing has been done then
 */
export async function oneAtATime<T>(key: string, most_ms: number, run: () => Promise<T>): Promise<T> {
  const until_ms = performance.now() + most_ms;
  return inLine(`call:${key}`, async () => {
    if (performance.now() > until_ms) throw taken();
    return run().catch((error: unknown) => {
      // Somebody holds it by another way, such as a job that asks the channel about it.
      throw (error as { code?: string } | null)?.code === "55P03" ? taken() : error;
    });
  });
}
const taken = () => conflict("这笔订单正有其他操作在处理，请稍后再试", "one-at-a-time");
