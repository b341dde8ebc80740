/** What somebody changed about the columns of a list. */
export interface ColumnSettings {
  /** Keys in the order they are seen; columns that are new since then come after. */
  readonly order?: readonly string[];
  /** Keys whose visibility differs from the screen's own choice. */
  readonly shown?: Readonly<Record<string, boolean>>;
  readonly widths?: Readonly<Record<string, number>>;
  readonly pinned?: readonly string[];
  /** No column gives way where room is short: the table is scrolled sideways instead. */
  readonly whole?: boolean;
}
interface Plain {
  readonly key: string;
  readonly kind: string;
  readonly hidden?: boolean;
  readonly width?: number;
  readonly keep?: boolean;
  readonly toned?: boolean;
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

/** The column of ticks. */
export const TICK_WIDTH = 44;
/** What the acts of a row take where they stand behind ⋯. */
const SHORT_ACTS_WIDTH = 56;
/** What is shown of a table where its room is short. */
export interface Fitted<C> {
  readonly columns: readonly C[];
  /** What gave way, in the order it would stand. */
  readonly left: readonly C[];
  /** The acts stand behind ⋯. */
  readonly short: boolean;
}
/**
 * Columns give way until the rest fits: those of words from the right, then the moments. What a row is called, its money, its status
 * and what somebody asked for or pinned never leave; at last the acts shrink to ⋯.
 * @param shown what `seen` returned
 * @param room pixels that the columns may take; 0 where it is not known yet
 */
export function fitted<C extends Plain>(shown: readonly C[], settings: ColumnSettings, room: number): Fitted<C> {
  let over = room === 0 || settings.whole ? 0 : shown.reduce((sum, column) => sum + widthOf(column, settings), -room);
  const left = new Set<C>();
  const stays = (column: C): boolean =>
    (column.keep ?? (column === shown[0] || column.toned === true || ["link", "money", "actions"].includes(column.kind))) ||
    settings.shown?.[column.key] === true ||
    settings.pinned?.includes(column.key) === true;
  for (const moments of [false, true])
    for (const column of shown.toReversed())
      if (over > 0 && !stays(column) && (column.kind === "time") === moments) {
        left.add(column);
        over -= widthOf(column, settings);
      }
  const short = over > 0 && shown.some((column) => column.kind === "actions" && widthOf(column, settings) > SHORT_ACTS_WIDTH);
  return {
    columns: shown
      .filter((column) => !left.has(column))
      .map((column) => (short && column.kind === "actions" ? { ...column, width: SHORT_ACTS_WIDTH } : column)),
    left: shown.filter((column) => left.has(column)),
    short,
  };
}

/** The settings after a column was moved to stand before another one (or last). */
export function moved(columns: readonly Plain[], settings: ColumnSettings, key: string, by: -1 | 1): ColumnSettings {
  const keys = ordered(columns, settings).map((column) => column.key);
  const from = keys.indexOf(key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= keys.length) return settings;
  keys.splice(to, 0, ...keys.splice(from, 1));
  return { ...settings, order: keys };
}
