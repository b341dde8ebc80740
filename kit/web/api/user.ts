import { useSyncExternalStore } from "react";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";

/** Short codes of the levels, first one wins where an account holds several (spec.md section 6). */
export const LEVELS = ["ADMIN", "SP", "AG", "GP", "TM", "MCH", "AE"] as const;
export type Level = (typeof LEVELS)[number];

/** The signed-in person, as screens may ask about it. */
export interface User {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly isRoot: boolean;
  readonly roles: readonly string[];
  readonly level: Level | undefined;
  readonly entityName: string;
  /** Paths of every menu, page and button item that the account owns. */
  readonly paths: ReadonlySet<string>;
  /** Set while somebody acts for this account: the name of the real person. */
  readonly actor?: string;
  /** Set while that person may look and not change. */
  readonly readOnly?: boolean;
}

const NOBODY: User = { id: "", login: "", name: "", isRoot: false, roles: [], level: undefined, entityName: "", paths: new Set() };
let current = NOBODY;
const listeners = new Set<() => void>();

/** Sets who is signed in; the shell does it after loading the account and at logout. */
export function setUser(user: User | undefined): void {
  current = user ?? NOBODY;
  for (const listener of listeners) listener();
}
/** Who is signed in. */
export const user = (): User => current;
/** Who is signed in, in a component. */
export function useUser(): User {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, user);
}

/** A role (`ROLE_…`) or the path of a menu, page or button. */
export type Need = `ROLE_${string}` | ItemPath;

/**
 * Whether a person has a listed role or owns a listed path (spec.md sections 5 and 6).
 * @throws need roles, where nothing is listed
 */
export function may(person: Pick<User, "roles" | "paths">, needs: readonly Need[]): boolean {
  if (!Array.isArray(needs) || needs.length === 0) throw new Error("need roles");
  return needs.some((need) => person.roles.includes(need) || person.paths.has(need));
}
