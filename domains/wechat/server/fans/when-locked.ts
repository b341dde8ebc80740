import { setTimeout as wait } from "node:timers/promises";
import { sqlState } from "@zhangfang/server/calls/errors.ts";

const NO_LOCK = "55P03";

/** Runs a whole transaction again where a lock was not given in time: whoever holds it is done soon. */
export async function againWhenLocked<T>(tries: number, run: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--)
    try {
      return await run();
    } catch (error) {
      if (sqlState(error) !== NO_LOCK || left <= 0) throw error;
      await wait(50);
    }
}
