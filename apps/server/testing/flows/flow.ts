import { expect } from "vitest";
import { live } from "@zhangfang/domains/orders/server/testing/failpoints.ts";

const ALL = process.env["FAILPOINTS"] === "all";

/** Money that moves in several steps. `C` is what one run of it is about. */
export interface Flow<C> {
  readonly name: string;
  /** It has at least so many points; with fewer the sweep has gone blind. */
  readonly least: number;
  /** Everything before it. */
  readonly prepare: () => Promise<C>;
  /** Asks for it, under the run's own key where it has one: asked again it is the same. @returns what whoever asked is told */
  readonly ask: (run: C) => Promise<unknown>;
  /** What others do until it is over: people, jobs, the channel, time. Begun anew it goes on from where it stands. */
  readonly go: (run: C) => Promise<unknown>;
  /** Calls of which nothing can come that the channel refused: what is only read, a code that nobody was shown. */
  readonly final?: readonly string[];
  /** What became of it, on both sides, without names and moments. */
  readonly outcome: (run: C) => Promise<unknown>;
}
/** A flow whose points can be swept. @returns the number of points that it had */
export interface Sweep {
  readonly name: string;
  readonly least: number;
  readonly run: (verify: () => Promise<readonly unknown[]>) => Promise<number>;
}

/**
 * Runs a flow once in peace and counts the points it comes by, then once more for each of them, in a process that ends there.
 * After each end the books have to be in order; asked again under the same key it has to say the one thing; and what goes on
 * from there has to come out as in peace, on both sides.
 */
export function sweepOf<C>({ name, least, prepare, ask, go, outcome, final = [] }: Flow<C>): Sweep {
  const run = async (verify: () => Promise<readonly unknown[]>): Promise<number> => {
    // The first of its kind opens accounts and days.
    const first = await prepare();
    await ask(first).then(() => go(first));
    const calm = await prepare();
    const { points } = await live(0, () => ask(calm).then(() => go(calm)));
    const right = await outcome(calm);
    for (const [at, point] of points.entries()) {
      // What ends before a step has left what ended after the one before it: the proofs play both.
      if (!ALL && at > 0 && point.startsWith("before ")) continue;
      const given = await prepare();
      let heard: unknown;
      const died = await live(at + 1, async () => {
        heard = await ask(given);
        await go(given);
      });
      const where = `${name}, ended ${point} (${at + 1} of ${points.length})`;
      expect([died.crashed, died.points.at(-1)], where).toEqual([true, point]);
      expect(await verify(), where).toEqual([]);
      const told = await ask(given);
      if (heard !== undefined) expect(told, where).toEqual(heard);
      await go(given);
      expect(await ask(given), where).toEqual(told);
      expect(await outcome(given), where).toEqual(right);
    }
    // Every call once more, done by the channel and answered with a no.
    for (const [at, point] of points.entries()) {
      const [, call] = /^after the call (\w+)$/.exec(point) ?? [];
      if (call === undefined || final.includes(call)) continue;
      const where = `${name}, refused ${point} (${at + 1} of ${points.length})`;
      const given = await prepare();
      await live(at + 1, () => ask(given).then(() => go(given)), true);
      expect(await verify(), where).toEqual([]);
      await go(given);
      expect(plain(await outcome(given)), where).toEqual(plain(right));
    }
    expect(await verify()).toEqual([]);
    return points.length;
  };
  return { name, least, run };
}
/** Without how many tries it took and what was told of them. */
function plain(outcome: unknown): unknown {
  return JSON.parse(
    JSON.stringify(outcome, (key, value: unknown) => (["events", "attempts", "channel_try", "record"].includes(key) ? undefined : value)),
  );
}
/** What is done by whoever finds it undone: a second one is told so, which is no failure. */
export async function orDone(act: Promise<unknown>): Promise<void> {
  await act.catch((error: { code?: string }) => (error.code === "conflict" ? undefined : Promise.reject(error as Error)));
}
