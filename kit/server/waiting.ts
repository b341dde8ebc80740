import type { Services } from "./services.ts";

/** Topics with the version that somebody knows of each. */
export type Versions = ReadonlyMap<string, string>;
interface Waiter {
  readonly known: Versions;
  end(changed: boolean): void;
}
const EVERY_MS = 1_000;
const waiting = new WeakMap<Services, Set<Waiter>>();
const ended = new WeakSet<Services>();

/**
 * Makes a way to wait for things to change: while anybody waits, one look a second reads the versions of all that is waited
 * for, whoever made the change and on whichever server. Nobody misses a change that came after the version they know.
 * @param read the versions of topics as they are now
 * @returns waits until a topic has another version than the one known; false when the time is over or the service is to end
 */
export function lookOut(
  read: (services: Services, topics: readonly string[]) => Promise<Versions>,
): (services: Services, known: Versions, timeout_ms: number) => Promise<boolean> {
  const own = new WeakMap<Services, Set<Waiter>>();
  const look = async (services: Services, waiters: Set<Waiter>): Promise<void> => {
    if (waiters.size === 0) return void own.delete(services);
    try {
      const now = await read(services, [...new Set([...waiters].flatMap(({ known }) => [...known.keys()]))]);
      for (const waiter of waiters) if ([...waiter.known].some(([topic, version]) => now.get(topic) !== version)) waiter.end(true);
    } catch (error) {
      // A database that is away for a moment is looked at again; whoever waits comes back by itself.
      services.log.warn({ err: error }, "waiting for a change");
    }
    setTimeout(() => void look(services, waiters), EVERY_MS).unref();
  };
  return (services, known, timeout_ms) => {
    if (timeout_ms <= 0 || ended.has(services)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const here = own.get(services);
      const waiters = here ?? new Set<Waiter>();
      const all = waiting.get(services) ?? new Set();
      waiting.set(services, all);
      const waiter: Waiter = {
        known,
        end: (changed) => {
          clearTimeout(timer);
          waiters.delete(waiter);
          all.delete(waiter);
          resolve(changed);
        },
      };
      const timer = setTimeout(() => waiter.end(false), timeout_ms);
      waiters.add(waiter);
      all.add(waiter);
      if (here) return;
      own.set(services, waiters);
      void look(services, waiters);
    });
  };
}
/** The service is to end: nobody waits any longer, and nobody begins to. */
export function endWaiting(services: Services): void {
  ended.add(services);
  for (const waiter of waiting.get(services) ?? []) waiter.end(false);
}
