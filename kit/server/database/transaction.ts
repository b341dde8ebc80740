import type { Kysely } from "kysely";
import type pg from "pg";
import { isRetryable } from "../calls/errors.ts";
import type { DB } from "./types.gen.ts";

/** A transaction with its scope set: the only way to the tables. */
export type Transaction = Kysely<DB>;

/** What was sent on each connection and nobody has waited for yet. */
const sent = new WeakMap<pg.PoolClient, Promise<unknown>[]>();

/** Keeps what was sent, so that it is waited for, and heard where it fails, before the transaction ends. */
export function keepSent(client: pg.PoolClient, answer: Promise<unknown>): void {
  // Heard later; an answer that nobody listens to yet would end the process.
  answer.catch(() => {});
  const kept = sent.get(client);
  if (kept) kept.push(answer);
  else sent.set(client, [answer]);
}
/** Takes what is kept out of sight, for a part that answers for itself alone. @returns what puts it back */
export function putAside(client: pg.PoolClient): () => void {
  const kept = sent.get(client) ?? [];
  sent.delete(client);
  return () => void sent.set(client, [...kept, ...(sent.get(client) ?? [])]);
}

/** What PostgreSQL says of everything that comes after the statement that failed: the transaction is over, and what was to be in it is not. */
const AFTERMATH = new Set(["25P02", "3B001", "26000"]);
const isAftermath = (error: unknown): boolean => AFTERMATH.has((error as { code?: string } | null)?.code ?? "");
/** Of several failures, in the order in which they were asked for, the one that the others came of. */
export const firstOf = (failed: readonly unknown[]): unknown => failed.find((reason) => !isAftermath(reason)) ?? failed[0];

/** Waits for all that was sent. @throws what failed first, not what failed because of it */
export async function hearSent(client: pg.PoolClient): Promise<void> {
  const failed: unknown[] = [];
  for (let kept = sent.get(client); kept; kept = sent.get(client)) {
    sent.delete(client);
    for (const one of await Promise.allSettled(kept)) if (one.status === "rejected") failed.push(one.reason);
  }
  if (failed.length > 0) throw firstOf(failed);
}
/** Of an error that somebody met and what was sent before it: the one that was first. All answers are in when this returns. */
export async function causeOf(client: pg.PoolClient, error: unknown): Promise<unknown> {
  const first = await hearSent(client).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return first !== undefined && (isAftermath(error) || isRetryable(first)) ? first : error;
}

/** The socket of a client, which pg has no door for. */
interface Inside {
  readonly connection?: { readonly stream: { cork(): void; uncork(): void; destroy(): void } };
}
/** Ends a connection at once: whatever is asked over it fails, and whoever hangs is free. */
export const cut = (client: pg.ClientBase): void => (client as unknown as Inside).connection?.stream.destroy();
/** Connections whose messages are being gathered. */
const gathering = new WeakSet<pg.PoolClient>();
/** Messages that are sent before anybody waits go out as one: a write to a socket costs more than most of what it says. */
export function gather(client: pg.PoolClient): void {
  const { stream } = (client as unknown as Inside).connection ?? {};
  if (!stream || gathering.has(client)) return;
  gathering.add(client);
  stream.cork();
  // After everything that is ready now has run.
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}
