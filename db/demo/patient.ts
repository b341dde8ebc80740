import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { refusalOf } from "@zhangfang/server/errors.ts";

/** How long "later" is, and how often it may be said. */
export const LATER_MS = 1_000;
export const TRIES = 60;

/**
 * The pool for whoever has time: a request is told "later" after half a second without a connection, the demo waits until the jobs that it
 * set off have left one.
 */
export function patient(pool: pg.Pool): pg.Pool {
  const connect = async (): Promise<pg.PoolClient> => {
    for (let tries = TRIES; ; tries--) {
      try {
        return await pool.connect();
      } catch (error) {
        if (tries === 0 || refusalOf(error)?.status !== 503) throw error;
      }
      await wait(LATER_MS);
    }
  };
  return Object.create(pool, { connect: { value: connect } }) as pg.Pool;
}
