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

/** How close columns draw together at most, where not even the least fits: half of their padding is left, and letters are smaller. */
export const TIGHTEST = 0.78;
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
 * Columns give way until the rest fits: those of words from the right, then the moments, then the counts; at last the acts shrink to ⋯.
 * What a row is called, its money, its status and what somebody asked for or pinned never leave. Where even that does not fit, it is
 * drawn together; where that is not enough, nothing leaves, and the table is scrolled.
 * @param shown what `seen` returned
 * @param room pixels that the columns may take; 0 where it is not known yet
 */
export function fitted<C extends Plain>(shown: readonly C[], settings: ColumnSettings, room: number): Fitted<C> {
  const whole: Fitted<C> = { columns: shown, left: [], short: false };
  if (room === 0 || settings.whole) return whole;
  let over = shown.reduce((sum, column) => sum + widthOf(column, settings), -room);
  const left = new Set<C>();
  const leave = shown.filter((column) => !stays(column, settings) && column !== shown[0]).toReversed();
  for (const column of leave.toSorted((one, other) => turnOf(one) - turnOf(other)))
    if (over > 0) {
      left.add(column);
      over -= widthOf(column, settings);
    }
  const acts = shown.find((column) => column.kind === "actions");
  const spare = acts ? Math.max(0, widthOf(acts, settings) - SHORT_ACTS_WIDTH) : 0;
  if ((room + over - spare) * TIGHTEST > room) return whole;
  const short = over > 0;
  return {
    columns: shown
      .filter((column) => !left.has(column))
      .map((column) => (short && column === acts ? { ...column, width: SHORT_ACTS_WIDTH } : column)),
    left: shown.filter((column) => left.has(column)),
    short,
  };
}
const stays = ({ key, kind, keep, toned }: Plain, { shown, pinned }: ColumnSettings): boolean =>
  (keep ?? (toned === true || ["link", "money", "actions"].includes(kind))) || shown?.[key] === true || pinned?.includes(key) === true;
const turnOf = ({ kind }: Plain): number => (kind === "number" ? 2 : kind === "time" ? 1 : 0);

/** The settings after a column was moved to stand before another one (or last). */
export function moved(columns: readonly Plain[], settings: ColumnSettings, key: string, by: -1 | 1): ColumnSettings {
  const keys = ordered(columns, settings).map((column) => column.key);
  const from = keys.indexOf(key);
  const to = from + by;
  if (from < 0 || to < 0 || to >= keys.length) return settings;
  keys.splice(to, 0, ...keys.splice(from, 1));
  return { ...settings, order: keys };
}
