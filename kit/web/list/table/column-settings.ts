/** What somebody changed about the columns of a list. */
export interface ColumnSettings {
  /** Keys in the order they are seen; columns that are new since then come after. */
  readonly order?: readonly string[];
  /** Keys whose visibility differs from the screen's own choice. */
  readonly shown?: Readonly<Record<string, boolean>>;
  readonly widths?: Readonly<Record<string, number>>;
  readonly pinned?: readonly string[];
}
interface Plain {
  readonly key: string;
  readonly kind: string;
  readonly hidden?: boolean;
  readonly width?: number;
}

/** All columns in the order somebody chose: pinned first, the acts last. */
export function ordered<C extends Plain>(columns: readonly C[], settings: ColumnSettings): C[] {
  const place = (column: C): number => {
    if (column.kind === "actions") return 1e6;
    const chosen = settings.order?.indexOf(column.key) ?? -1;
    const own = chosen < 0 ? 1000 + columns.indexOf(column) : chosen;
    return settings.pinned?.includes(column.key) ? own - 1e6 : own;
  };
  return columns.toSorted((a, b) => place(a) - place(b));
}
/** Whether a column is seen. */
export const isShown = (column: Plain, settings: ColumnSettings): boolean =>
  column.kind === "actions" || (settings.shown?.[column.key] ?? !column.hidden);

/** The columns that are seen, in their order. */
export const seen = <C extends Plain>(columns: readonly C[], settings: ColumnSettings): C[] =>
  ordered(columns, settings).filter((column) => isShown(column, settings));

const WIDTHS: Readonly<Record<string, number>> = { money: 124, number: 96, time: 172, code: 96, link: 188, actions: 116 };
/** What a column of words is given at least; with room to spare such columns share it. */
const WORDS_WIDTH = 108;
/** A column's width in pixels: the one it was dragged to, its own, or its kind's; undefined for words, which share what is left. */
export const fixedWidth = (column: Plain, settings: ColumnSettings): number | undefined =>
  settings.widths?.[column.key] ?? column.width ?? WIDTHS[column.kind];
/** What a column of words likes to have. */
const WORDS_LIKED = 160;
/** Every column's liked width in pixels; where a table has room for all of them, it shares what is left among all. */
export const likedWidth = (column: Plain, settings: ColumnSettings): number => fixedWidth(column, settings) ?? WORDS_LIKED;
/** The least width in pixels that a column takes. */
export const widthOf = (column: Plain, settings: ColumnSettings): number => fixedWidth(column, settings) ?? WORDS_WIDTH;

/** The settings after a column was moved to stand before another one (or last). */
export function moved(columns: readonly Plain[], settings: ColumnSettings, key: string, by: -1 | 1): ColumnSettings {
  const keys = ordered(columns, settings).map((column) => column.key);
  const from = keys.indexOf(key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= keys.length) return settings;
  keys.splice(to, 0, ...keys.splice(from, 1));
  return { ...settings, order: keys };
}
