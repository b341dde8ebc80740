import type { Services } from "../services.ts";

/** Topics with the version that somebody knows of each. */
export type Versions = ReadonlyMap<string, string>;
interface Waiter {
  readonly who: string;
  readonly known: Versions;
  end(changed: boolean): void;
}
const EVERY_MS = 1_000;
/** Those who are woken come back to the database one after another, not all in one instant. */
const SLICE = 30;
const SLICE_MS = 10;
/** More than so many do not wait at one server, two for each device: they are answered at once and ask again. */
const MOST = 100_000;
const waiting = new WeakMap<Services, Map<string, Waiter>>();
const ended = new WeakSet<Services>();

/**
 * Makes a way to wait for things to change: while anybody waits, one look a second reads the versions of all that is waited
 * for, whoever made the change and on whichever server. Nobody misses a change that came after the version they know.
 * @param read the versions of topics as they are now
 * @returns waits until a topic has another version than the one known; false when the time is over, the service is to end, or the
 *   same caller began to wait anew
 */
export function lookOut(
  read: (services: Services, topics: readonly string[]) => Promise<Versions>,
): (services: Services, given: { readonly who: string; readonly known: Versions }, timeout_ms: number) => Promise<boolean> {
  const own = new WeakMap<Services, Set<Waiter>>();
  const look = async (services: Services, waiters: Set<Waiter>): Promise<void> => {
    if (waiters.size === 0) return void own.delete(services);
    try {
      const now = await read(services, [...new Set([...waiters].flatMap(({ known }) => [...known.keys()]))]);
      const changed = [...waiters].filter(({ known }) => [...known].some(([topic, version]) => now.get(topic) !== version));
      for (let at = 0; at < changed.length; at += SLICE) {
        for (const waiter of changed.slice(at, at + SLICE)) waiter.end(true);
        if (changed.length > SLICE) await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
      }
    } catch (error) {
      // A database that is away for a moment is looked at again; whoever waits comes back by itself.
      services.log.warn({ err: error }, "waiting for a change");
    }
    setTimeout(() => void look(services, waiters), EVERY_MS).unref();
  };
  return (services, { who, known }, timeout_ms) => {
    const all = waiting.get(services) ?? new Map<string, Waiter>();
    waiting.set(services, all);
    all.get(who)?.end(false);
    if (timeout_ms <= 0 || ended.has(services) || all.size >= MOST) return Promise.resolve(false);
    return new Promise((resolve) => {
      const here = own.get(services);
      const waiters = here ?? new Set<Waiter>();
      const waiter: Waiter = {
        who,
        known,
        end: (changed) => {
          clearTimeout(timer);
          waiters.delete(waiter);
          if (all.get(who) === waiter) all.delete(who);
          resolve(changed);
        },
      };
      const timer = setTimeout(() => waiter.end(false), timeout_ms);
      waiters.add(waiter);
      all.set(who, waiter);
      if (here) return;
      own.set(services, waiters);
      void look(services, waiters);
    });
  };
}
/** The service is to end: nobody waits any longer, and nobody begins to. */
export function endWaiting(services: Services): void {
  ended.add(services);
  for (const waiter of waiting.get(services)?.values() ?? []) waiter.end(false);
}
/** How many calls wait at this moment: they cost nothing and are not counted among those under way. */
export const waitingNow = (services: Services): number => waiting.get(services)?.size ?? 0;
