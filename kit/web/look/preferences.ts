import { useEffect, useSyncExternalStore } from "react";
import { perSession } from "../api/session.ts";
import { slots } from "../slots.ts";
import { lasting } from "../window/storage.ts";
import { user } from "../api/user.ts";

const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};
/** This browser's mirror of the account's preferences, read once in a session. */
const held = perSession(() => new Map(Object.entries(mirrored())));
/** Names that the server was asked for in this session. */
const asked = perSession(() => new Set<string>());
const pending = new Map<string, ReturnType<typeof setTimeout>>();

const mirrorKey = (): string => `zhangfang_prefs:${user().login}`;
function mirrored(): Record<string, unknown> {
  try {
    return JSON.parse(lasting.getItem(mirrorKey()) ?? "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}
function hold(name: string, value: unknown): void {
  if (value === undefined || value === null) held().delete(name);
  else held().set(name, value);
  lasting.setItem(mirrorKey(), JSON.stringify(Object.fromEntries(held())));
  tell();
}

/** Asks the server once for what another device may have chosen; what is chosen here meanwhile wins. */
async function refresh(name: string): Promise<void> {
  if (!slots.preferences || asked().has(name)) return;
  const names = asked();
  names.add(name);
  const value = await slots.preferences.load(name).catch(() => undefined);
  if (value !== undefined && names === asked() && !pending.has(name)) hold(name, value);
}

/** Keeps a small choice with the account: at once here, on the server a moment after the last change. */
export function setPreference(name: string, value: unknown): void {
  hold(name, value);
  clearTimeout(pending.get(name));
  const own = held();
  const save = (): void => {
    pending.delete(name);
    // Nothing is saved in the name of whoever signed in meanwhile.
    if (held() !== own) return;
    void slots.preferences?.save(name, value ?? null).catch(() => undefined);
  };
  pending.set(name, setTimeout(save, 600));
}

/** A choice as it is known now, outside of a component. */
export const preference = <T>(name: string): T | undefined => held().get(name) as T | undefined;

/**
 * A small choice that follows the account to another device, with its setter; undefined until it was ever made.
 * @param name letters, digits, `.`, `:` and `-`; at most 64
 * @example const [density, setDensity] = usePreference<"compact">("density");
 */
export function usePreference<T>(name: string): [T | undefined, (value: T | undefined) => void] {
  useEffect(() => void refresh(name), [name]);
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held().get(name) as T | undefined,
  );
  return [value, (next) => setPreference(name, next)];
}
/** The name under which a list keeps its columns. */
export const columnsName = (path: string): string => `columns:${path.replace(/[^\w]+/g, ".").replace(/^\./, "")}`.slice(0, 64);
