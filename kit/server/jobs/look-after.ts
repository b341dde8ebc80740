import { z } from "zod";
import { withScope, type Transaction } from "../database/db.ts";
import { job, type Job } from "./jobs.ts";
import { platformScope } from "../database/scope.ts";
import type { Services } from "../services.ts";

/** How many are taken up at once on a server: in all, of those that wait at one address, and of those that wait for one account there. */
const AT_ONCE = { all: 24, address: 8, account: 4 };
/**
 * A place of an account is kept for as long as a call to the outside usually takes: where its channel answers at once, it begins sixteen a
 * second. As fast as they went, 150 shares of a merchant made its till wait two and a half times as long.
 */
const KEPT_MS = 250;
/** A call to the outside that nobody answers is over after eight seconds; with what is written down afterwards. */
const HANGS_S = 10;
/** A round that lasts longer than this counts as failed; what it began last has a minute to end before. */
const LEASE_S = 600;
const ENDS_S = 60;
/**
 * How long a round begins what is due; the next one takes what is left then. Where the items say whom they wait for: fifteen seconds, or
 * so long that a call that hangs is over when the next round comes.
 */
const begins_s = (every: number, says: boolean): number => Math.min(says ? Math.max(15, every - HANGS_S) : LEASE_S, LEASE_S - ENDS_S);

/**
 * A job that comes round every minute, or more often, and takes up what is due, the next as soon as a place is free: answers that were
 * lost, moments that have come. What fails is logged, comes round again, and holds up nothing else. Without `waitsFor` eight at a time, and
 * a run ends before the next one begins.
 * @param given.due the rows whose moment has come by `now`, the oldest first and no more than a minute's work
 * @example export const queryRefunds = lookAfter({ name: "query-refunds", due: (tx, now) => …, one: chaseRefund, waitsFor });
 */
export function lookAfter<T>(given: {
  readonly name: string;
  /** Seconds between two rounds, where a minute is too long. */
  readonly every?: number;
  readonly due: (tx: Transaction, now: string) => Promise<readonly T[]>;
  readonly one: (services: Services, item: T) => Promise<void>;
  /** Whom `one` waits for outside: an address and an account there. One that hangs then takes a part of the places and no more. */
  readonly waitsFor?: (item: T) => readonly [address: string, account: string];
}): Job {
  const { every = 60, waitsFor } = given;
  const begins = begins_s(every, waitsFor !== undefined);
  // Of one server, for rounds that overlap.
  const places = new WeakMap<Services, Places>();
  return job({
    name: given.name,
    data: z.object({}),
    every: given.every ?? "* * * * *",
    concurrency: waitsFor ? Math.ceil((begins + HANGS_S) / every) : 1,
    lease_s: LEASE_S,
    retryLimit: 0,
    run: async (services) => {
      const now = new Date(services.clock.now_ms()).toISOString();
      let due = await withScope(services.pool, platformScope(given.name), (tx) => given.due(tx, now), { readOnly: true });
      const free = places.get(services) ?? openPlaces();
      places.set(services, free);
      const over = Promise.withResolvers<"over">();
      const timer = setTimeout(over.resolve, begins * 1000, "over");
      const begun: Promise<void>[] = [];
      const begin = (item: T): boolean => {
        const [address, account] = waitsFor?.(item) ?? [""];
        const whom = account === undefined ? [address] : [address, `${address} ${account}`];
        const done = free.take(whom, () => given.one(services, item));
        if (!done) return false;
        begun.push(done.catch((error: unknown) => services.log.error({ err: error }, "will be looked at again")));
        return true;
      };
      for (;;) {
        const next = free.next();
        due = due.filter((item) => !begin(item));
        if (due.length === 0 || (await Promise.race([next, over.promise])) === "over") break;
      }
      clearTimeout(timer);
      await Promise.all(begun);
    },
  });
}

interface Places {
  /** Does the work where all of these have a place for it. */
  take(whom: readonly string[], work: () => Promise<void>): Promise<void> | undefined;
  /** When the next place becomes free. */
  next(): Promise<void>;
}
function openPlaces(): Places {
  const taken = new Map<string, number>();
  const most = [AT_ONCE.address, AT_ONCE.account];
  let all = 0;
  let freed = Promise.withResolvers<void>();
  const count = (whom: readonly string[], by: 1 | -1): void => {
    all += by;
    for (const one of whom) taken.set(one, (taken.get(one) ?? 0) + by);
  };
  const hold = async (whom: readonly string[], work: () => Promise<void>): Promise<void> => {
    count(whom, 1);
    const from_ms = performance.now();
    const leave = (): void => {
      count(whom, -1);
      freed.resolve();
      freed = Promise.withResolvers();
    };
    try {
      await work();
    } finally {
      const left_ms = whom.length > 1 ? KEPT_MS - (performance.now() - from_ms) : 0;
      if (left_ms > 0) setTimeout(leave, left_ms).unref();
      else leave();
    }
  };
  return {
    take: (whom, work) => (all < AT_ONCE.all && whom.every((one, at) => (taken.get(one) ?? 0) < most[at]!) ? hold(whom, work) : undefined),
    next: () => freed.promise,
  };
}
