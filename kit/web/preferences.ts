import { useSyncExternalStore } from "react";
import { perSession } from "./session.ts";
import { slots } from "./slots.ts";
import { user } from "./user.ts";

const listeners = new Set<() => void>();
const held = perSession(() => new Map<string, unknown>());
const mirrorKey = (): string => `zhangfang_prefs_${user().login}`;

function mirrored(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(mirrorKey()) ?? "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Reads the account's preferences: at once from this browser's mirror, then from the server. */
export async function loadPreferences(): Promise<void> {
  for (const [name, value] of Object.entries(mirrored())) held().set(name, value);
  const remote = await slots.preferences?.load().catch(() => undefined);
  for (const [name, value] of Object.entries(remote ?? {})) held().set(name, value);
  for (const listener of listeners) listener();
}

const pending = new Map<string, ReturnType<typeof setTimeout>>();
/** Keeps a small choice with the account. Saved on the server a moment after the last change; a failure loses nothing here. */
export function setPreference(name: string, value: unknown): void {
  if (value === undefined) held().delete(name);
  else held().set(name, value);
  localStorage.setItem(mirrorKey(), JSON.stringify(Object.fromEntries(held())));
  clearTimeout(pending.get(name));
  pending.set(name, setTimeout(() => void slots.preferences?.save(name, value ?? null).catch(() => undefined), 600));
  for (const listener of listeners) listener();
}

/**
 * A small choice that follows the account to another device, with its setter; undefined until it was ever made.
 * @example const [density, setDensity] = usePreference<"compact">("density");
 */
export function usePreference<T>(name: string): [T | undefined, (value: T | undefined) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held().get(name) as T | undefined,
  );
  return [value, (next) => setPreference(name, next)];
}
