import type { Transaction } from "../database/db.ts";
import { sha256 } from "../crypto.ts";
import { conflict } from "./errors.ts";

export interface Once {
  /** Who asks; two callers may use the same key. */
  readonly actor: string;
  readonly key: string;
  readonly endpoint: string;
  readonly input: unknown;
  readonly now: string;
}

/**
 * Runs `effect` once for a key: the row of the key is inserted in the effect's own transaction. The same key with the same
 * body gets the stored answer; with another body, or on another call, a conflict. A rival that holds the key is waited for.
 */
export async function once<T>(tx: Transaction, { actor, key, endpoint, input, now }: Once, effect: () => Promise<T>): Promise<T> {
  const body_hash = sha256(JSON.stringify(sorted(input)));
  const added = await tx
    .insertInto("idempotency_keys")
    .values({ actor, key, endpoint, body_hash, created_at: now })
    .onConflict((conflicting) => conflicting.columns(["actor", "key"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) {
    const first = await tx
      .selectFrom("idempotency_keys")
      .select(["endpoint", "body_hash", "answer"])
      .where("actor", "=", actor)
      .where("key", "=", key)
      .executeTakeFirst();
    if (!first || first.endpoint !== endpoint || !first.body_hash.equals(body_hash))
      throw conflict("此请求编号已用于另一项操作", "idempotency.reused");
    return first.answer as T;
  }
  const answer = await effect();
  await tx
    .updateTable("idempotency_keys")
    .set({ answer: JSON.stringify(answer) })
    .where("actor", "=", actor)
    .where("key", "=", key)
    .execute();
  return answer;
}
// Two bodies are the same whatever the order of their fields.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
