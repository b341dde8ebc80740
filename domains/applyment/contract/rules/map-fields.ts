import type { Dossier, Field, Target } from "./dossier.ts";
import { listOf, textOf } from "./dossier.ts";
import { applicable, FIELDS } from "./fields.ts";

/** What a request needs from outside. */
export interface Travelling {
  /** RSA-OAEP by the channel's key. */
  seal(text: string): string;
  /** The channel's media_id of a file that was uploaded there. */
  media(fileId: string): string;
}
type Tree = { [name: string]: unknown };

/** The body of an application, without its business_code. Fields that the subject has no use for, and empty ones, are left out. */
export function requestOf(dossier: Dossier, travelling: Travelling): object {
  const body: Tree = {};
  for (const field of applicable(dossier)) {
    const value = travels(field, dossier, travelling);
    if (value === undefined) continue;
    for (const target of field.to) if (target.when?.(dossier) ?? true) put(body, target.at, value);
  }
  return body;
}

/** The ids of the files that an application sends. */
export const filesOf = (dossier: Dossier): readonly string[] => [
  ...new Set(applicable(dossier).flatMap(({ form, path }) => (form === "picture" || form === "pictures" ? listOf(dossier, path) : []))),
];

function travels({ form, path, secret, plain }: Field, dossier: Dossier, { seal, media }: Travelling): unknown {
  if (form === "pictures" || form === "choices") {
    const values = listOf(dossier, path);
    return values.length === 0 ? undefined : form === "choices" ? values : values.map(media);
  }
  const text = textOf(dossier, path);
  if (text === "") return undefined;
  if (form === "flag") return text === "yes";
  if (form === "picture") return media(text);
  return secret && !plain ? seal(text) : text;
}

/** Sets `a.b[0].c`. */
function put(body: Tree, at: string, value: unknown): void {
  const names = at.split(".");
  let here = body;
  for (const [n, name] of names.entries()) {
    const [, key = name, index] = /^(\w+)\[(\d)\]$/.exec(name) ?? [];
    if (n === names.length - 1) here[key] = value;
    else if (index === undefined) here = (here[key] ??= {}) as Tree;
    else {
      const list = (here[key] ??= []) as Tree[];
      here = list[Number(index)] ??= {};
    }
  }
}

/** As paths are compared: without places in lists, `/` and `$` for dots. */
const plain = (at: string): string =>
  at
    .replace(/^[$/.]+/, "")
    .replaceAll("/", ".")
    .replaceAll(/\[\d*\]|\.\d+(?=\.|$)/g, "");
const targets: readonly { readonly field: Field; readonly target: Target; readonly exact: string; readonly plain: string }[] =
  FIELDS.flatMap((field) => field.to.map((target) => ({ field, target, exact: target.at, plain: plain(target.at) })));

/**
 * The dossier's paths that `audit_detail[].field` means: the field itself, each field of a block, or those that end with the name that
 * was given. None where the name is not known; the reason then stands above all steps.
 */
export function pathsOf(field: string, dossier: Dossier): readonly string[] {
  const exact = targets.filter((one) => one.exact === field.trim());
  if (exact.length > 0) return named(exact);
  const asked = plain(field.trim());
  if (asked === "") return [];
  const same = targets.filter((one) => one.plain === asked);
  const inside = same.length > 0 ? same : targets.filter((one) => one.plain.startsWith(`${asked}.`));
  const found = inside.length > 0 ? inside : targets.filter((one) => one.plain.endsWith(`.${asked}`));
  // Of twins (one for the card, one for other documents; owner by owner) those that this dossier has.
  const held = found.filter(
    ({ field: { when, path }, target }) => when(dossier) && (target.when?.(dossier) ?? true) && listOf(dossier, path).length > 0,
  );
  return named(held.length > 0 ? held : found);
}
const named = (found: typeof targets): readonly string[] => [...new Set(found.map(({ field }) => field.path))];
