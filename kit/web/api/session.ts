import { useSyncExternalStore } from "react";
import { lasting, ofTab } from "../window/storage.ts";
import { setUser } from "./user.ts";

/** The fixed keys of spec.md sections 4 and 9. Logout clears the first four. */
export const TOKEN_KEY = "zhangfang_token";
export const USER_ITEM_KEY = "user_item";
export const BACK_NAVBAR_KEY = "backNavbar";
export const OFFSPRING_KEY = "offspring";
const RETURN_KEY = "zhangfang_return";
/** The own token of somebody who acts for another account. */
const OWN_KEY = "zhangfang_own_token";

/** What every part of the page may know about the session of this tab. */
export interface SessionState {
  readonly token: string | null;
  /** Another tab signed in or out: this tab may send nothing any more. */
  readonly frozen: false | "changed" | "ended";
  /** Counts the sessions of this tab; a React key that throws away what belonged to the last one. */
  readonly generation: number;
}

let state: SessionState = { token: lasting.getItem(TOKEN_KEY), frozen: false, generation: 0 };
const listeners = new Set<() => void>();
const caches = new Set<() => void>();

function move(next: Partial<SessionState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** The session of this tab, as it stands now. */
export const session = (): SessionState => state;

/** The session of this tab; the component renders again when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, session);
}

/** Tells of every change of the session until the returned function is called. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Begins a session in this tab: stores the token and throws away everything that the last session cached.
 * @example startSession(answer.id_token)
 */
export function startSession(token: string): void {
  lasting.setItem(TOKEN_KEY, token);
  renew(token);
}

/** Ends the session: clears the token and the stored user data (spec.md section 9). */
export function endSession(): void {
  for (const key of [TOKEN_KEY, USER_ITEM_KEY, BACK_NAVBAR_KEY, OFFSPRING_KEY, OWN_KEY]) lasting.removeItem(key);
  renew(null);
  setUser(undefined);
}

/**
 * Begins to act for another account with the token that "log in as" gave; the own token waits.
 * @example actAs(await call(manualLogin, { userId: row.id })); location.hash = "#/";
 */
export function actAs(token: string): void {
  if (state.token !== null && lasting.getItem(OWN_KEY) === null) lasting.setItem(OWN_KEY, state.token);
  startSession(token);
}
/** The own token comes back; without one the session ends. */
export function stopActing(): void {
  const own = lasting.getItem(OWN_KEY);
  lasting.removeItem(OWN_KEY);
  if (own === null) endSession();
  else startSession(own);
}

function renew(token: string | null): void {
  for (const discard of caches) discard();
  move({ token, frozen: false, generation: state.generation + 1 });
}

/**
 * Something that lives as long as the session and not a moment longer: made when first asked for,
 * thrown away whole when the token changes, so that no row of one account is ever shown to another.
 * @example export const lookups = perSession(() => new Map<string, Row[]>());
 */
export function perSession<T>(make: () => T): () => T {
  let held: { value: T } | undefined;
  caches.add(() => (held = undefined));
  return () => (held ??= { value: make() }).value;
}

/**
 * Freezes this tab when the stored token is no longer its own (another tab signed in or out).
 * Called before every request and on the storage event, so nothing goes out under the wrong name.
 * @returns whether the tab is frozen
 */
export function freezeIfForeign(): boolean {
  const stored = lasting.getItem(TOKEN_KEY);
  if (stored !== state.token && !state.frozen) move({ frozen: stored === null ? "ended" : "changed" });
  return state.frozen !== false;
}
window.addEventListener("storage", (event) => {
  if (event.key === TOKEN_KEY || event.key === null) freezeIfForeign();
});

/** Keeps the address to come back to after the next login. Only an address inside the product is kept. */
export function rememberReturn(hash: string): void {
  if (/^#\/(?![/\\])/.test(hash) && !/^#\/(login|autoLogin|404)?(\?|$)/.test(hash)) ofTab.setItem(RETURN_KEY, hash);
}
/** The address that waits for the next login, left where it is. */
export const waitingReturn = (): string | null => ofTab.getItem(RETURN_KEY);
/** The address to come back to, once. */
export function takeReturn(): string | null {
  const hash = ofTab.getItem(RETURN_KEY);
  ofTab.removeItem(RETURN_KEY);
  return hash;
}
