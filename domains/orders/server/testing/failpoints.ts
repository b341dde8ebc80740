import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { Crash } from "./fake-channel.ts";

/** One process, from its start to its end: whatever is called within it belongs to it, however it goes about it. */
interface Life {
  /** Ends at its so many-th point; 0 lives as long as its work. */
  readonly endsAt: number;
  /** It does not end there: the call that was just done is answered with a no. */
  readonly refused: boolean;
  readonly points: string[];
  over: boolean;
}
const lives = new AsyncLocalStorage<Life>();
const mustLive = (): void => {
  if (lives.getStore()?.over) throw new Crash();
};

/**
 * A place where a process may end. What runs in no life of its own passes.
 * @returns whether the call that was just done is to be answered with a no instead
 */
export function failpoint(name: string): boolean {
  const life = lives.getStore();
  if (!life) return false;
  mustLive();
  life.points.push(name);
  const here = life.points.length === life.endsAt;
  if (here && life.refused) return true;
  life.over = here;
  mustLive();
  return false;
}

export interface Lived {
  /** The points it came by, in their order; the last is where it ended. */
  readonly points: readonly string[];
  readonly crashed: boolean;
}
/**
 * Runs `work` as a process of its own that ends at its n-th point. Nothing that it still does after that has an effect: no
 * transaction begins or commits, no call goes out. @throws what the work throws by itself
 * @param refused it goes on, and the call before the point, which was done, is answered with a no: only at points after a call
 */
export async function live(endsAt: number, work: () => Promise<unknown>, refused = false): Promise<Lived> {
  const life: Life = { endsAt, refused, points: [], over: false };
  await lives.run(life, work).catch((error: unknown) => (life.over ? undefined : Promise.reject(error)));
  return { points: life.points, crashed: life.over };
}

/** What the test does itself, whoever's life it is done in: no process ends by it. */
export const apart = <T>(work: () => Promise<T>): Promise<T> => lives.exit(work);

/** Puts a point before and after each commit of a transaction that has written something. */
export function failAtCommits(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => Promise<pg.PoolClient>;
  const seen = new WeakSet<pg.PoolClient>();
  pool.connect = (async (...given: unknown[]) => {
    mustLive();
    const client = await connect(...given);
    if (client && !seen.has(client)) {
      seen.add(client);
      watch(client);
    }
    return client;
  }) as typeof pool.connect;
}
function watch(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  let wrote: string[] = [];
  const commit = async (): Promise<unknown> => {
    const what = [...new Set(wrote)].join(", ");
    // That somebody was seen is written beside his request, not in it.
    if (what === "" || what === "sessions") return query("commit");
    failpoint(`before the commit of ${what}`);
    const done = await query("commit");
    failpoint(`after the commit of ${what}`);
    return done;
  };
  client.query = ((...given: unknown[]) => {
    const [first] = given as [string | { text?: string }];
    const text = typeof first === "string" ? first : (first.text ?? "");
    if (text.startsWith("begin")) wrote = [];
    for (const [, table = ""] of text.matchAll(/(?:insert into|(?<!for |do )update|delete from|app\.(?=tell\()) ?"?(\w+)/gi))
      wrote.push(table);
    return text === "commit" && wrote.length > 0 ? commit() : query(...given);
  }) as typeof client.query;
}

/** Puts a point before and after each call to a channel; what it only reads for us is no call. */
export function failAtCalls<C extends object>(channel: C): C {
  return new Proxy(channel, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || /^(?:read|reply)/.test(String(name))) return method;
      return async (...given: unknown[]) => {
        failpoint(`before the call ${String(name)}`);
        const answer: unknown = await method.apply(target, given);
        const no = failpoint(`after the call ${String(name)}`);
        return no ? { kind: "refused", code: "PARAM_ERROR", message: "参数错误" } : answer;
      };
    },
  });
}
