import { Refusal } from "@zhangfang/server/calls/errors.ts";

const QUEUE = 20;
const queues = new Map<string, { last: Promise<unknown>; length: number }>();

/**
 * Runs `fn` after every earlier one of the same key in this process: a thousand guesses at once must meet the lock that
 * the fifth of them sets. @throws 429 where twenty wait
 */
export async function takeTurns<T>(key: string, fn: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
  if (queue.length > QUEUE) throw new Refusal(429, "busy", "登录繁忙，请稍后再试", undefined, { "retry-after": "2" });
  queues.set(key, queue);
  queue.length++;
  const mine = queue.last.then(fn, fn);
  queue.last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    if (--queue.length === 0) queues.delete(key);
  }
}
