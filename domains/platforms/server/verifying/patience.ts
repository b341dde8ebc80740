import { setTimeout as wait } from "node:timers/promises";

/** A till waits so long; then it is told that nobody knows yet. */
const PATIENCE_MS = 8_000;
/** Waits for what is written down already and goes on by itself, but no longer than a till does. */
export async function withPatience(doing: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([doing, wait(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).catch(() => undefined)]);
  patience.abort();
}
