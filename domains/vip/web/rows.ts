import type { FormField } from "@zhangfang/web/form/use-form.ts";

/** The part of a form that holds a list of things. */
interface Rows<R> {
  readonly rows: readonly R[];
  set(rows: readonly R[]): void;
  errorAt(path: string): string | undefined;
  readonly name: string;
}
/** A field of one of the things in a form's list. */
export function fieldOf<R, K extends keyof R & string>(
  { rows, set, errorAt, name }: Rows<R>,
  at: number,
  key: K,
): FormField<NonNullable<R[K]>> {
  return {
    name: `${name}.${at}.${key}`,
    value: (rows[at]?.[key] ?? undefined) as NonNullable<R[K]> | undefined,
    error: errorAt(`${name}.${at}.${key}`),
    set: (value) => set(rows.map((row, n) => (n === at ? { ...row, [key]: value ?? null } : row))),
  };
}
