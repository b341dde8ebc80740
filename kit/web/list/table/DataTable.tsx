import { type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from "react";
import { letterKeysOn } from "../../window/letter-keys.ts";
import { useWidth } from "../../window/use-width.ts";
import type { Column } from "./columns.tsx";
import { More } from "../../show/over/Popover.tsx";
import { type ColumnSettings, fitted, fixedWidth, likedWidth, seen, TICK_WIDTH, TIGHTEST, widthOf } from "./column-settings.ts";
import { HeadCell } from "./HeadCell.tsx";

/** Which rows are ticked. */
export interface Ticks {
  readonly keys: ReadonlySet<string>;
  toggle(keys: readonly string[], on: boolean): void;
}
export interface DataTableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** What the table holds, for whoever can't see it. */
  readonly label: string;
  readonly rowKey?: (row: Row) => string;
  readonly density?: Density;
  readonly settings?: ColumnSettings;
  /** The pixels that it has, where columns may give way: only a list can bring them back (列设置). */
  readonly room?: number;
  onWidth?(key: string, width: number | undefined): void;
  readonly sort?: string | undefined;
  onSort?(sort: string | undefined): void;
  /** A press on a row, or Enter on it. */
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Where a row is by itself: the wheel of a mouse, and Ctrl with a press or Enter, open it in another tab of the browser. */
  readonly hrefOf?: ((row: Row) => string) | undefined;
  /** Letters that do something with the row that has the focus, beside those of every table. */
  readonly rowKeys?: RowKeys<Row> | undefined;
  readonly openKey?: string | undefined;
  readonly ticks?: Ticks | undefined;
  /** The sums under the rows, drawn by the same columns. */
  readonly foot?: Row | undefined;
  /** Shown in place of rows. */
  readonly blank?: ReactNode;
}
/** @example { r: { what: "退款", run: (row) => row.refundable && refund.open(row.id) } } */
export type RowKeys<Row> = Readonly<Record<string, { readonly what: string; readonly run: (row: Row) => unknown }>>;
export type Density = "roomy" | "standard" | "compact";

const idOf = (row: unknown): string => String((row as { id?: unknown }).id);
const INTERACTIVE = "a,button,input,label,select,textarea,[role=button]";
/** What a row is called leads to the row itself. */
const OWN_LINK = "td.cell-link button.link";

/**
 * A table of rows: heads that sort and can be dragged wider, amounts on the right, acts that stay in sight, columns that give way
 * where a list's room is short (`fitted`),
 * and rows that the keyboard walks (J and K or the arrows, Enter opens, X ticks, C copies).
 * It is a plain table, so that a hundred rows are drawn in a moment and every reader understands it.
 * @example <DataTable label="退款记录" rows={refunds} columns={columns} />
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { rows, label, rowKey = idOf, settings = {}, density = "standard", ticks } = props;
  const box = useRef<HTMLDivElement>(null);
  const own = useWidth(box);
  const room = props.room ?? own;
  const { columns, short } = fitted(
    seen(props.columns, settings),
    settings,
    props.room && ticks ? props.room - TICK_WIDTH : (props.room ?? 0),
  );
  const sum = (width: typeof widthOf): number => columns.reduce((all, column) => all + width(column, settings), ticks ? TICK_WIDTH : 0);
  // With room for all, every column grows; without, columns of words shrink first.
  // Where not even the least fits, all draw closer together before anything is scrolled.
  const least = sum(widthOf);
  const tight = room > 0 && !settings.whole && least > room ? Math.max(TIGHTEST, room / least) : 1;
  const widthIn: typeof fixedWidth =
    tight < 1 ? (column) => Math.floor(widthOf(column, settings) * tight) : room >= sum(likedWidth) ? likedWidth : fixedWidth;
  // Without rows nothing in it takes the focus, and the keyboard scrolls the box itself.
  const scrolls = rows.length === 0 && { tabIndex: 0, role: "group", "aria-label": `${label}表头` };
  return (
    <div ref={box} className="table-scroll" {...scrolls} onKeyDown={(event) => walk(event, props)}>
      <table
        className={`table table-${tight < 1 ? "tight" : density}`}
        style={{ minWidth: Math.floor(least * tight) }}
        aria-label={label}
        data-keys={keysSaid(props)}
      >
        <colgroup>
          {ticks && <col style={{ width: TICK_WIDTH }} />}
          {columns.map((column) => (
            <col key={column.key} style={{ width: widthIn(column, settings) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {ticks && <TickAll keys={rows.map(rowKey)} ticks={ticks} />}
            {columns.map((column, index) => (
              <HeadCell
                key={column.key}
                column={column}
                className={placeOf(column, settings)}
                left={leftOf(index, columns, settings)}
                sort={props.sort}
                onSort={props.onSort}
                onWidth={props.onWidth}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <BodyRow key={rowKey(row)} row={row} index={index} columns={columns} short={short} table={props} />
          ))}
        </tbody>
        {props.foot !== undefined && rows.length > 0 && <Foot row={props.foot} columns={columns} settings={settings} ticks={ticks} />}
      </table>
      {rows.length === 0 && props.blank}
    </div>
  );
}

/** One key press on the table: another row, or what is done with this one. */
function walk<Row>(event: KeyboardEvent<HTMLElement>, props: DataTableProps<Row>): void {
  const { rows, rowKey = idOf, ticks, onOpen, hrefOf, rowKeys } = props;
  if (event.altKey || !(event.target instanceof HTMLElement)) return;
  const tr = event.target.closest<HTMLElement>("tr[data-row]");
  const apart = event.ctrlKey || event.metaKey;
  if (apart && !(event.key === "Enter" && event.target === tr && hrefOf)) return;
  if (event.target !== tr && event.key !== "j" && event.key !== "k") return;
  if (event.key.length === 1 && !letterKeysOn()) return;
  const at = tr ? Number(tr.dataset.row) : -1;
  const row = rows[at];
  const to = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`tr[data-row="${Math.max(0, Math.min(to, rows.length - 1))}"]`)?.focus();
  } else if (row !== undefined && event.key === "Enter") {
    if (apart) openApart(hrefOf?.(row));
    else onOpen?.(row);
  } else if (row !== undefined && rowKeys?.[event.key]) {
    event.preventDefault();
    rowKeys[event.key]?.run(row);
  } else if (row !== undefined && event.key === "x") ticks?.toggle([rowKey(row)], !ticks.keys.has(rowKey(row)));
  else if (event.key === "c") tr?.querySelector<HTMLElement>(".copy-button")?.click();
}

/** Opens an address of ours in another tab, which cannot reach back to this one. */
function openApart(href: string | undefined): void {
  if (href !== undefined) window.open(href, "_blank", "noopener");
}
/** The keys of the rows, for the sheet that `?` opens. */
function keysSaid<Row>({ ticks, onOpen, hrefOf, rowKeys = {} }: DataTableProps<Row>): string {
  return JSON.stringify([
    ["J / K", "上下移动一行"],
    ...(onOpen ? [["Enter", "打开所在行"]] : []),
    ...(hrefOf ? [["Ctrl / ⌘ + Enter", "在新标签页打开所在行"]] : []),
    ...(ticks ? [["X", "勾选所在行"]] : []),
    ["C", "复制所在行的单号"],
    ...Object.entries(rowKeys).map(([key, { what }]) => [key.toUpperCase(), what]),
  ]);
}

function TickAll({ keys, ticks }: { keys: readonly string[]; ticks: Ticks }): ReactNode {
  const ticked = keys.filter((key) => ticks.keys.has(key)).length;
  const some = ticked > 0 && ticked < keys.length;
  return (
    <th scope="col" className="tick">
      <input
        type="checkbox"
        aria-label="选择本页全部"
        checked={keys.length > 0 && ticked === keys.length}
        ref={(box) => {
          if (box) box.indeterminate = some;
        }}
        onChange={(event) => ticks.toggle(keys, event.target.checked)}
      />
    </th>
  );
}

function BodyRow<Row>({
  row,
  index,
  columns,
  short,
  table,
}: {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  short: boolean;
  table: DataTableProps<Row>;
}): ReactNode {
  const { rowKey = idOf, settings = {}, ticks, onOpen } = table;
  const key = rowKey(row);
  const on = ticks?.keys.has(key) ?? false;
  const press = (event: MouseEvent<HTMLElement>): void => {
    const selecting = getSelection()?.isCollapsed === false;
    if (!selecting && event.target instanceof Element && event.target.closest(INTERACTIVE) === null) onOpen?.(row);
  };
  // Ctrl with a press, or the wheel, is how a browser opens a link apart.
  const pressApart = (event: MouseEvent<HTMLElement>): void => {
    if (!table.hrefOf || !(event.ctrlKey || event.metaKey || event.button === 1) || !(event.target instanceof Element)) return;
    if (event.target.closest(INTERACTIVE) && !event.target.closest(OWN_LINK)) return;
    event.preventDefault();
    event.stopPropagation();
    openApart(table.hrefOf(row));
  };
  const states = [on && "ticked", table.openKey === key && "opened", onOpen && "pressable"].filter(Boolean).join(" ");
  return (
    <tr
      data-row={index}
      tabIndex={index === 0 ? 0 : -1}
      onFocus={reachable}
      onClick={press}
      onClickCapture={pressApart}
      onAuxClick={pressApart}
      onMouseDown={keepStill}
      className={states}
    >
      {ticks && (
        <td className="tick">
          <input
            type="checkbox"
            aria-label={`选择第 ${index + 1} 行`}
            checked={on}
            onChange={(event) => ticks.toggle([key], event.target.checked)}
          />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.key} className={placeOf(column, settings)} style={leftOf(at, columns, settings)} onMouseEnter={tellWhatIsCut}>
          {short && column.kind === "actions" ? <More dots>{column.render(row)}</More> : column.render(row)}
          {column.note && <small className="note">{column.note(row)}</small>}
        </td>
      ))}
    </tr>
  );
}

/** The wheel pressed over a row that it opens does not begin to scroll. */
function keepStill(event: MouseEvent<HTMLElement>): void {
  if (event.button === 1) event.preventDefault();
}

function Foot<Row>({
  row,
  columns,
  settings,
  ticks,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  settings: ColumnSettings;
  ticks: Ticks | undefined;
}): ReactNode {
  return (
    <tfoot>
      <tr>
        {ticks && <td className="tick" />}
        {columns.map((column, at) => (
          <td key={column.key} className={placeOf(column, settings)} style={leftOf(at, columns, settings)}>
            {column.kind !== "actions" && column.render(row)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function placeOf(column: { readonly key: string; readonly kind: string }, settings: ColumnSettings): string {
  const side = column.kind === "money" || column.kind === "number" ? "right" : "left";
  return `cell-${column.kind} at-${side}${column.kind === "actions" ? " stick-end" : settings.pinned?.includes(column.key) ? " stick-start" : ""}`;
}
function leftOf(
  index: number,
  columns: readonly { key: string; kind: string; width?: number }[],
  settings: ColumnSettings,
): { left: number } | undefined {
  const column = columns[index];
  if (!column || !settings.pinned?.includes(column.key)) return undefined;
  return { left: columns.slice(0, index).reduce((sum, before) => sum + widthOf(before, settings), 0) };
}
/** The row that has the focus is the one that Tab comes back to. Done by hand: drawing a hundred rows again for it would be felt. */
function reachable(event: FocusEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  for (const other of row.parentElement?.querySelectorAll<HTMLElement>("tr[tabindex='0']") ?? []) other.tabIndex = -1;
  row.tabIndex = 0;
}
function tellWhatIsCut(event: MouseEvent<HTMLElement>): void {
  const cell = event.currentTarget;
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
  else cell.removeAttribute("title");
}
