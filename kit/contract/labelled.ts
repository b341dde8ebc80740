/** What a status means to the eye: blue, green, ochre, red, grey. */
export type Tone = "active" | "good" | "warn" | "bad" | "ended";

type Entry = string | readonly [label: string, tone: Tone];

/** A closed set of codes with the Chinese label of each; tables, filters, drawers and exports read it. */
export interface Labelled<K extends string | number = string | number> {
  readonly kind: "labelled";
  readonly entries: Readonly<Record<K, Entry>>;
  readonly values: readonly K[];
  readonly options: readonly { readonly value: K; readonly label: string }[];
  /** The label, or the code itself where a channel sent one that the set does not know. */
  label(code: K | null | undefined): string;
  tone(code: K | null | undefined): Tone;
}

/** A member of the set. */
export type CodeOf<L extends Labelled> = L["values"][number];

/**
 * The one place where a code's label stands.
 * @example
 * export const refundType = labelled({ 1: "全额退款", 2: "部分退款" });
 * refundType.label(2); // 部分退款
 */
export function labelled<const E extends Readonly<Record<string | number, Entry>>>(
  entries: E,
): Labelled<Extract<keyof E, string | number>> {
  type K = Extract<keyof E, string | number>;
  const values = Object.keys(entries).map((key) => (/^-?\d+$/.test(key) ? Number(key) : key)) as K[];
  const entry = (code: K): Entry | undefined => entries[code];
  const label = (code: K | null | undefined) => {
    if (code === null || code === undefined) return "—";
    const found = entry(code);
    return found === undefined ? String(code) : typeof found === "string" ? found : found[0];
  };
  return {
    kind: "labelled",
    entries: entries as Readonly<Record<K, Entry>>,
    values,
    options: values.map((value) => ({ value, label: label(value) })),
    label,
    tone(code) {
      const found = code === null || code === undefined ? undefined : entry(code);
      return found === undefined || typeof found === "string" ? "ended" : found[1];
    },
  };
}
