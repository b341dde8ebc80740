import { setTimeout as wait } from "node:timers/promises";
import { refusalOf } from "@zhangfang/server/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** How long "later" is, and how often it may be said. */
export const LATER_MS = 1_000;
export const TRIES = 60;

/**
 * The pool for whoever has time: a request is told "later" after half a second without a connection, the demo waits until the jobs that it
 * set off have left one.
 */
export function patient(pool: Services["pool"]): Services["pool"] {
  const connect = async () => {
    for (let tries = TRIES; ; tries--) {
      try {
        return await pool.connect();
      } catch (error) {
        if (tries === 0 || refusalOf(error)?.status !== 503) throw error;
      }
      await wait(LATER_MS);
    }
  };
  return Object.create(pool, { connect: { value: connect } }) as Services["pool"];
}
