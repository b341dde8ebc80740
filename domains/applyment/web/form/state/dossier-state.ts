import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getDossier } from "../../../contract/index.ts";
import { type Dossier, fieldOf, type Finding, listOf, maskOf } from "../../../contract/words.ts";
import type { FieldValue } from "../../fields/FieldRow.tsx";

type Told = OutputOf<typeof getDossier>;
/** What somebody else wrote in a field while it was being filled in here. */
export interface Conflict {
  readonly theirs: FieldValue;
  readonly byName: string;
}
/** A dossier as one person fills it in, while others may do so too. */
export interface DossierState {
  /** As the server holds it; secrets masked. */
  readonly kept: Dossier;
  readonly versions: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  /** Written here and not kept yet, each over the version that was read; `refused` is why the server does not take it. */
  readonly typed: Readonly<Record<string, { readonly value: FieldValue; readonly over: number; readonly refused?: string }>>;
  readonly conflicts: Readonly<Record<string, Conflict>>;
}
/** One field as it is sent. */
export interface Change {
  readonly path: string;
  readonly value: FieldValue;
  readonly version: number;
}
export type Typed = DossierState["typed"];

/** So many fields go with one call. */
const MOST = 30;
export const EMPTY: DossierState = { kept: {}, versions: {}, findings: [], typed: {}, conflicts: {} };
const same = (one: FieldValue | undefined, other: FieldValue | undefined): boolean =>
  JSON.stringify(one ?? "") === JSON.stringify(other ?? "") || (one ?? "").length + (other ?? "").length === 0;
const without = <T>(all: Readonly<Record<string, T>>, paths: readonly string[]): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([path]) => !paths.includes(path)));

/** What stands on the screen. */
export const shownOf = ({ kept, typed }: DossierState): Dossier => ({
  ...kept,
  ...Object.fromEntries(Object.entries(typed).map(([path, { value }]) => [path, value])),
});
/** Secrets of which only the mask is known here. */
export const maskedOf = ({ kept, typed }: DossierState): ReadonlySet<string> =>
  new Set(Object.keys(kept).filter((path) => fieldOf(path)?.secret && !(path in typed) && kept[path] !== ""));

/** The server tells how it stands: what is being written here stays, and where others wrote meanwhile both are shown. */
export function heard(state: DossierState, told: Pick<Told, "values" | "versions" | "writers" | "findings">): DossierState {
  // It was asked before what is known here was written.
  if (Object.entries(state.versions).some(([path, version]) => (told.versions[path] ?? 0) < version)) return state;
  const next = { ...state, kept: told.values, versions: told.versions, findings: told.findings };
  const taken = Object.entries(state.typed).filter(([path, { value, over }]) => {
    const now = told.versions[path] ?? 0;
    // Of a secret nobody can see whether it is the same.
    return now > over && (fieldOf(path)?.secret || !same(told.values[path], value));
  });
  const agreed = Object.entries(state.typed).flatMap(([path, { over }]) =>
    (told.versions[path] ?? 0) > over && !taken.some(([one]) => one === path) ? [path] : [],
  );
  return {
    ...next,
    typed: without(state.typed, agreed) as Typed,
    conflicts: Object.fromEntries(
      taken.map(([path]) => [path, { theirs: told.values[path] ?? "", byName: told.writers[path] ?? "另一人" }]),
    ),
  };
}
/** Somebody types. */
export function wrote(state: DossierState, path: string, value: FieldValue): DossierState {
  if (same(state.kept[path], value) && !fieldOf(path)?.secret)
    return { ...state, typed: without(state.typed, [path]) as Typed, conflicts: without(state.conflicts, [path]) };
  const over = state.typed[path]?.over ?? state.versions[path] ?? 0;
  return { ...state, typed: { ...state.typed, [path]: { value, over } } };
}
/** A picture that arrived comes after those that are there by now. */
export const added = (state: DossierState, path: string, file: string): DossierState =>
  wrote(state, path, [...listOf(shownOf(state), path), file]);
/** A secret that was opened and left empty stays as it is kept. */
export function left(state: DossierState, path: string): DossierState {
  const isEmpty = state.typed[path]?.value === "" && fieldOf(path)?.secret;
  return isEmpty ? takeTheirs(state, path) : state;
}
/** What can go to the server now. @param holding a field in which somebody is typing a secret: it goes when it is whole */
export const changesOf = ({ typed, conflicts, kept }: DossierState, holding?: string): readonly Change[] =>
  Object.entries(typed)
    .filter(([path, { refused }]) => path !== holding && !(path in conflicts) && refused === undefined)
    .filter(([path, { value }]) => !(fieldOf(path)?.secret && value === "" && kept[path]))
    .slice(0, MOST)
    .map(([path, { value, over }]) => ({ path, value, version: over }));
/** The server has them. What was typed over one meanwhile goes next; what others wrote is known once it was read. */
export function keptNow(state: DossierState, changes: readonly Change[], findings = state.findings): DossierState {
  const [kept, versions] = [{ ...state.kept }, { ...state.versions }];
  const typed: Record<string, Typed[string]> = { ...state.typed };
  for (const { path, value, version } of changes) {
    kept[path] = typeof value === "string" ? maskOf(path, value) : value;
    versions[path] = version + 1;
    if (same(typed[path]?.value, value)) delete typed[path];
    else if (typed[path]) typed[path] = { ...typed[path], over: version + 1 };
  }
  return { ...state, kept, typed, versions, findings };
}
/** The server does not take one: it waits here until it is written anew. */
export function refusedAt(state: DossierState, { path, value }: Change, refused: string): DossierState {
  const one = state.typed[path];
  return one && same(one.value, value) ? { ...state, typed: { ...state.typed, [path]: { ...one, refused } } } : state;
}
/** 用我写的: over what the other one wrote. */
export const keepMine = (state: DossierState, path: string): DossierState => ({
  ...state,
  typed: { ...state.typed, [path]: { ...state.typed[path]!, over: state.versions[path] ?? 0 } },
  conflicts: without(state.conflicts, [path]),
});
/** 用对方的: what was typed here is given up. */
export const takeTheirs = (state: DossierState, path: string): DossierState => ({
  ...state,
  typed: without(state.typed, [path]) as Typed,
  conflicts: without(state.conflicts, [path]),
});
